import TerminalUI

/// A frame as an SVG picture: what a terminal would show with a theme.
struct FramePicture {
  let frame: Frame
  let theme: Theme

  /// Of one cell, in pixels.
  private static let width = 8.4
  private static let height = 18.0
  private static let margin = 10.0

  private struct Run {
    var text: String
    var columns: Int
    let start: Int
    let style: Style
  }

  var svg: String {
    let width = Double(frame.size.columns) * Self.width + 2 * Self.margin
    let height = Double(frame.size.rows) * Self.height + 2 * Self.margin
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(text(width)) \(text(height))\" "
        + "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">",
      "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"\(ground)\"/>",
    ]
    for row in 0..<frame.size.rows {
      for run in runs(of: row) { lines += elements(of: run, row: row) }
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Cells that look alike, side by side.
  private func runs(of row: Int) -> [Run] {
    var runs: [Run] = []
    for column in 0..<frame.size.columns {
      let cell = frame.cell(row: row, column: column)
      let style = theme[cell.paint]
      var text = cell.isSecondHalf ? "" : String(cell.scalar)
      for mark in frame.marks(row: row, column: column) { text.unicodeScalars.append(mark) }
      // Wide signs begin a run of their own, so that no neighbour is moved by them.
      if let last = runs.last, last.style == style, !cell.isWide, last.columns == last.text.count {
        runs[runs.count - 1].text += text
        runs[runs.count - 1].columns += 1
      } else if cell.isSecondHalf {
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Run(text: text, columns: 1, start: column, style: style))
      }
    }
    return runs
  }

  private func elements(of run: Run, row: Int) -> [String] {
    let isTurned = run.style.attributes.contains(.reverse)
    let ink = color(
      isTurned ? run.style.background : run.style.foreground, isTurned ? ground : self.ink)
    let paper = color(
      isTurned ? run.style.foreground : run.style.background, isTurned ? self.ink : ground)
    let x = text(Self.margin + Double(run.start) * Self.width)
    let y = Self.margin + Double(row) * Self.height
    let width = text(Double(run.columns) * Self.width)
    var elements: [String] = []
    if paper != ground {
      elements.append(
        "<rect x=\"\(x)\" y=\"\(text(y))\" width=\"\(width)\" height=\"\(text(Self.height))\" "
          + "fill=\"\(paper)\"/>")
    }
    guard run.text.contains(where: { $0 != " " }) else { return elements }
    var style = ""
    if run.style.attributes.contains(.bold) { style += " font-weight=\"bold\"" }
    if run.style.attributes.contains(.italic) { style += " font-style=\"italic\"" }
    if run.style.attributes.contains(.underline) { style += " text-decoration=\"underline\"" }
    if run.style.attributes.contains(.dim) { style += " opacity=\"0.7\"" }
    elements.append(
      "<text x=\"\(x)\" y=\"\(text(y + 14))\" textLength=\"\(width)\" "
        + "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"\(ink)\"\(style)>"
        + "\(escaped(run.text))</text>")
    return elements
  }

  // MARK: Colors

  private var isDark: Bool { theme.appearance == .dark }
  private var ground: String { isDark ? "#14171c" : "#ffffff" }
  private var ink: String { isDark ? "#d7dbe3" : "#24292f" }

  private static let sixteen = [
    "#15181d", "#d9534f", "#6aa84f", "#c9a227", "#4a86c8", "#a06cc0", "#3fa7a0", "#c8ccd4",
    "#5b6370", "#f79a98", "#a3d188", "#e8c47c", "#84b8f8", "#d2abf2", "#73d0c6", "#ffffff",
  ]

  private func color(_ color: Color?, _ standard: String) -> String {
    switch color {
    case nil, .standard: return standard
    case .ansi(let number): return Self.sixteen[Int(number)]
    case .rgb(let red, let green, let blue):
      return "#"
        + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
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
