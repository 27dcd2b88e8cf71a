import TerminalUI

/// A frame as an SVG picture: what a terminal would show with a theme.
///
/// With a second theme, the picture has light colors for readers who prefer them.
struct FramePicture {
  let frame: Frame
  let theme: Theme
  var light: Theme?

  var svg: String {
    var canvas = PictureCanvas(theme: theme, light: light)
    let lines = (0..<frame.size.rows).flatMap { canvas.elements(of: frame, row: $0) }
    return canvas.svg(of: frame.size, lines)
  }
}

/// Draws rows of frames as SVG, and collects their styles.
struct PictureCanvas {
  private let theme: Theme
  private let light: Theme?
  /// The styles that were used, by their declarations for both themes.
  private var classes: [Declarations: String] = [:]
  /// The declarations in the order of their classes.
  private var declarations: [Declarations] = []

  private struct Declarations: Hashable {
    let dark: String
    let light: String
  }

  /// Of one cell, in pixels.
  private static let width = 8.4
  private static let height = 18.0
  private static let margin = 10.0

  private struct Run {
    var text: String
    var columns: Int
    let start: Int
    let styles: Styles
  }

  /// The styles of a cell with both themes.
  private struct Styles: Equatable {
    let dark: Style
    let light: Style?
  }

  init(theme: Theme, light: Theme? = nil) {
    (self.theme, self.light) = (theme, light)
  }

  /// Returns the picture of drawn elements.
  ///
  /// - Parameter rules: Further rules of the style sheet.
  func svg(of size: Size, _ elements: [String], rules: [String] = []) -> String {
    let width = Double(size.columns) * Self.width + 2 * Self.margin
    let height = Double(size.rows) * Self.height + 2 * Self.margin
    let dark = Colors(theme)
    var sheet = [".paper{fill:\(dark.ground)}", "text{white-space:pre}"]
    sheet += declarations.enumerated().map { ".c\($0){\($1.dark)}" }
    if let light {
      sheet.append("@media (prefers-color-scheme:light){.paper{fill:\(Colors(light).ground)}")
      sheet += declarations.enumerated().filter { $1.dark != $1.light }
        .map { ".c\($0){\($1.light)}" }
      sheet.append("}")
    }
    // Not all viewers of SVG know `white-space`; the others know only `xml:space`.
    let head = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(text(width)) \(text(height))\" "
        + "xml:space=\"preserve\" font-size=\"14\" "
        + "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\">",
      "<style>", (sheet + rules).joined(separator: "\n"), "</style>",
      "<rect width=\"100%\" height=\"100%\" rx=\"6\" class=\"paper\"/>",
    ]
    return (head + elements + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Returns the elements of a row.
  mutating func elements(of frame: Frame, row: Int) -> [String] {
    var elements: [String] = []
    for run in runs(of: frame, row: row) { elements += draw(run, row: row) }
    return elements
  }

  /// Cells that look alike, side by side.
  private func runs(of frame: Frame, row: Int) -> [Run] {
    var runs: [Run] = []
    for column in 0..<frame.size.columns {
      let cell = frame.cell(row: row, column: column)
      let styles = Styles(dark: theme[cell.paint], light: light.map { $0[cell.paint] })
      var text = cell.isSecondHalf ? "" : String(cell.scalar)
      for mark in frame.marks(row: row, column: column) { text.unicodeScalars.append(mark) }
      // Wide signs begin a run of their own, so that no neighbor is moved by them.
      if let last = runs.last, last.styles == styles, !cell.isWide, last.columns == last.text.count
      {
        runs[runs.count - 1].text += text
        runs[runs.count - 1].columns += 1
      } else if cell.isSecondHalf {
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Run(text: text, columns: 1, start: column, styles: styles))
      }
    }
    return runs
  }

  private mutating func draw(_ run: Run, row: Int) -> [String] {
    let (dark, light) = (run.styles.dark, run.styles.light)
    let x = text(Self.margin + Double(run.start) * Self.width)
    let y = Self.margin + Double(row) * Self.height
    let width = text(Double(run.columns) * Self.width)
    var elements: [String] = []
    let colors = Colors(theme)
    let lightColors = self.light.map { Colors($0) }
    let isPaper = colors.paper(of: dark) == nil
    let isLightPaper = light.flatMap { lightColors?.paper(of: $0) } == nil
    if !isPaper || !isLightPaper {
      let name = name(
        "fill:\(colors.paper(of: dark) ?? colors.ground)",
        light.map { style in
          "fill:\(lightColors?.paper(of: style) ?? lightColors?.ground ?? "none")"
        })
      elements.append(
        "<rect x=\"\(x)\" y=\"\(text(y))\" width=\"\(width)\" height=\"\(text(Self.height))\" "
          + "class=\"\(name)\"/>")
    }
    guard run.text.contains(where: { $0 != " " }) else { return elements }
    let name = name(
      Self.text(dark, colors.ink(of: dark)),
      light.map { Self.text($0, lightColors?.ink(of: $0) ?? "") })
    elements.append(
      "<text x=\"\(x)\" y=\"\(text(y + 14))\" textLength=\"\(width)\" "
        + "lengthAdjust=\"spacingAndGlyphs\" class=\"\(name)\">\(escaped(run.text))</text>")
    return elements
  }

  /// Returns the class of a style.
  private mutating func name(_ dark: String, _ light: String?) -> String {
    let wanted = Declarations(dark: dark, light: light ?? dark)
    if let name = classes[wanted] { return name }
    let name = "c\(declarations.count)"
    classes[wanted] = name
    declarations.append(wanted)
    return name
  }

  /// Returns the declarations of a text.
  private static func text(_ style: Style, _ ink: String) -> String {
    var parts = ["fill:\(ink)"]
    parts.append("font-weight:\(style.attributes.contains(.bold) ? "bold" : "normal")")
    if style.attributes.contains(.italic) { parts.append("font-style:italic") }
    if style.attributes.contains(.underline) { parts.append("text-decoration:underline") }
    if style.attributes.contains(.dim) { parts.append("opacity:0.7") }
    return parts.joined(separator: ";")
  }

  // MARK: Text

  /// With one digit after the point at most.
  private func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// The colors of a theme in a terminal.
private struct Colors {
  let ground: String
  private let standardInk: String

  init(_ theme: Theme) {
    let isDark = theme.appearance == .dark
    ground = isDark ? "#14171c" : "#ffffff"
    standardInk = isDark ? "#d7dbe3" : "#24292f"
  }

  func ink(of style: Style) -> String {
    style.attributes.contains(.reverse)
      ? Self.color(style.background) ?? ground : Self.color(style.foreground) ?? standardInk
  }

  /// Returns the color behind a text; nil if it is that of the terminal.
  func paper(of style: Style) -> String? {
    style.attributes.contains(.reverse)
      ? Self.color(style.foreground) ?? standardInk : Self.color(style.background)
  }

  private static let sixteen = [
    "#15181d", "#d9534f", "#6aa84f", "#c9a227", "#4a86c8", "#a06cc0", "#3fa7a0", "#c8ccd4",
    "#5b6370", "#f79a98", "#a3d188", "#e8c47c", "#84b8f8", "#d2abf2", "#73d0c6", "#ffffff",
  ]

  private static func color(_ color: Color?) -> String? {
    switch color {
    case nil, .standard: nil
    case .ansi(let number): sixteen[Int(number)]
    case .rgb(let red, let green, let blue):
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
