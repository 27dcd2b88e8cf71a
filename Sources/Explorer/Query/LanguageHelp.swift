import TerminalUI
import Widgets

/// The reference of the query language as lines of a pane.
///
/// Headings, examples and tables of the Markdown text get colors, and backquotes are removed.
enum LanguageHelp {
  /// All lines, not wrapped.
  static let lines = lines(of: QueryLanguage.reference)

  /// Returns the lines of a text in the subset of Markdown that the reference uses.
  static func lines(of markdown: String) -> [TextLine] {
    var lines: [TextLine] = []
    var paragraph: [Substring] = []
    var table: [[String]] = []
    func finish() {
      if !paragraph.isEmpty {
        lines.append(TextLine(plain(paragraph.joined(separator: " ")), margin: 0))
      }
      lines += rows(of: table)
      (paragraph, table) = ([], [])
    }
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    ") {
        finish()
        lines.append(TextLine("  " + line.drop { $0 == " " }, .string))
      } else if line.hasPrefix("|") {
        table.append(cells(of: line))
      } else if line.hasPrefix("#") {
        finish()
        lines.append(TextLine(String(line.drop { "# ".contains($0) }), .emphasis))
      } else if line.isEmpty {
        finish()
        if lines.last?.text.isEmpty == false { lines.append(TextLine("")) }
      } else {
        paragraph.append(line)
      }
    }
    finish()
    return lines
  }

  private static let maxFirstColumn = 32

  /// Returns the rows of a table without the line below its header.
  private static func rows(of table: [[String]]) -> [TextLine] {
    let rows = table.filter { !$0.allSatisfy { $0.allSatisfy { $0 == "-" } } }
    let widths = rows.compactMap(\.first).map { TextWidth.columns(of: $0) }
    let width = widths.filter { $0 <= maxFirstColumn }.max() ?? 0
    return rows.enumerated().map { place, row in
      let first = row.first ?? ""
      let gap = String(repeating: " ", count: max(0, width - TextWidth.columns(of: first)) + 2)
      let head = "  " + first + gap
      return TextLine(
        head + row.dropFirst().joined(), place == 0 ? .dim : .text, margin: head.count)
    }
  }

  private static func cells(of line: Substring) -> [String] {
    line.dropFirst().split(separator: "|").map {
      plain(String($0.drop { $0 == " " }).withoutTrailingSpace)
    }
  }

  /// Returns a text without the backquotes around its code. Doubled backquotes enclose code that
  /// contains backquotes.
  private static func plain(_ text: String) -> String {
    text.replacing(/``\s(.+?)\s``|`([^`]+)`/) { String($0.output.1 ?? $0.output.2 ?? "") }
  }
}

// Opens the reference while a query is typed.
extension Workspace {
  /// The key that opens the reference from the prompt; nil if the prompt is not a query, or if the
  /// key would be typed.
  var languageKey: Key? {
    guard prompt?.purpose.traits.isOfQuery == true else { return nil }
    return settings.keymap.keys(for: .help, in: focusedPane).first { !TextField.edits($0) }
  }

  /// Opens the reference. The prompt returns when the reference is closed.
  mutating func openLanguageHelp() -> [Effect] {
    guard let prompt else { return [] }
    // The text can be recalled if the user leaves the reference for another pane.
    if !prompt.isUntouched { session.lines.remember(prompt) }
    self.prompt = nil
    tab.overlays.append(Overlay(TextPane(.language, LanguageHelp.lines), resuming: prompt))
    refreshOverlays()
    return []
  }
}

extension PaneTraits {
  package static let language = reference(
    "Query language", about: "The query language reference. 'sonde help language' prints it, too.")
}
