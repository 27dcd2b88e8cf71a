/// Writes roff, the language of manual pages, line by line.
///
/// Characters beyond ASCII are escaped, so that every formatter can read the page in every locale.
struct Roff {
  private(set) var text = ""

  static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }
  static func italic(_ text: String) -> String { "\\fI" + escaped(text) + "\\fR" }

  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      case "'": result += "\\(aq"
      // Terminals without Unicode lack this character.
      case "\u{2026}": result += "..."
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let hex = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "]"
        }
      }
    }
  }

  /// Writes a request, which is a command of roff.
  ///
  /// - Parameter words: The arguments, without characters that need an escape.
  mutating func request(_ name: String, _ words: String...) {
    let quoted = words.map { "\"" + $0.replacing("\"", with: "") + "\"" }
    text += "." + ([name] + quoted).joined(separator: " ") + "\n"
  }

  /// Writes text that is already escaped, wrapped to lines of moderate length.
  mutating func line(_ words: String) {
    var line = ""
    for word in words.split(separator: " ") {
      if !line.isEmpty, line.utf8.count + word.utf8.count > 78 {
        end(&line)
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { end(&line) }
  }

  private mutating func end(_ line: inout String) {
    // A line that begins with a dot or an apostrophe would be read as a request.
    text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "\n"
    line = ""
  }

  /// Writes paragraphs of plain text. Indented lines are written as examples.
  mutating func paragraphs(_ words: String) {
    var example: [String] = []
    for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") {
        example.append(String(line.drop { $0 == " " }))
        continue
      }
      examples(example)
      example = []
      if line.isEmpty { request("PP") } else { self.line(Self.escaped(String(line))) }
    }
    examples(example)
  }

  /// Writes preformatted lines of examples.
  mutating func examples(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    text += ".RS 4\n.nf\n"
    for line in lines {
      text += (line.hasPrefix(".") ? "\\&" : "") + Self.bold(line) + "\n"
    }
    text += ".fi\n.RE\n"
  }

  /// Writes an item of a list.
  ///
  /// - Parameter head: The tag of the item, as roff.
  mutating func item(_ head: String, _ words: String) {
    text += ".TP\n" + head + "\n"
    line(Self.escaped(words))
  }
}

extension Roff {
  /// Writes the Markdown of ``QueryLanguage`` as roff: headings, paragraphs, two-column tables and
  /// indented examples. The title is omitted.
  mutating func markdown(_ markdown: String) {
    var example: [String] = []
    var paragraph: [String] = []
    var isFirst = true
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("    ") {
        example.append(String(line.dropFirst(4)))
        continue
      }
      examples(example)
      example = []
      if !line.isEmpty, !line.hasPrefix("#"), !line.hasPrefix("|") {
        paragraph.append(line)
        continue
      }
      if !paragraph.isEmpty {
        if !isFirst { request("PP") }
        self.line(Self.inline(paragraph.joined(separator: " ")))
        paragraph = []
        isFirst = false
      }
      if line.hasPrefix("## ") {
        request("SS", String(line.dropFirst(3)))
        isFirst = true
      } else if line.hasPrefix("| ") {
        row(of: line)
        isFirst = false
      }
    }
    examples(example)
    if !paragraph.isEmpty { self.line(Self.inline(paragraph.joined(separator: " "))) }
  }

  /// Writes a table row as an item. The first cell is the tag. Header rows are skipped.
  private mutating func row(of line: String) {
    let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", maxSplits: 1)
    let headers = ["clause", "condition", "function", "value"]
    guard cells.count == 2, !headers.contains(String(cells[0])) else { return }
    text += ".TP\n" + Self.inline(String(cells[0])) + "\n"
    self.line(Self.inline(String(cells[1])))
  }

  /// Returns a line of Markdown as roff, with inline code in bold.
  private static func inline(_ markdown: String) -> String {
    var result = ""
    var rest = markdown[...]
    while let start = rest.firstIndex(of: "`") {
      result += escaped(String(rest[..<start]))
      let mark = rest[start...].prefix { $0 == "`" }
      let inside = rest[mark.endIndex...]
      guard let end = inside.firstRange(of: mark) else { break }
      var code = String(inside[..<end.lowerBound])
      // Double backquotes enclose code that contains a backquote.
      if mark.count > 1, code.hasPrefix(" "), code.hasSuffix(" ") {
        code = String(code.dropFirst().dropLast())
      }
      result += bold(code)
      rest = inside[end.upperBound...]
    }
    return result + escaped(String(rest))
  }
}
