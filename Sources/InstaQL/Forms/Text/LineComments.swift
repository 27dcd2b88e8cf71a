/// Comments in query text: from `--` to the end of their line, and from `/*` to `*/`.
package enum LineComments {
  /// Returns the text with its line comments written as `/* … */`, so that its lines can be joined.
  ///
  /// A text of one line, a text that is too long to be parsed, and JSON are returned unchanged.
  ///
  /// - Parameter before: The text before it, in which a quote or a comment may begin.
  package static func closed(in text: String, after before: String = "") -> String {
    text.utf8.contains(lineFeed) ? allClosed(in: text, after: before) : text
  }

  /// Returns a text on one line, with its comments written as `/* … */`. Any text may follow it.
  static func onOneLine(_ text: String) -> String {
    var rest = text[...].drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    let closed = String(allClosed(in: String(rest), after: "").map { $0.isNewline ? " " : $0 })
    // In a comment without an end, an appended word would be part of the comment.
    let appended = QuerySpan.lastToken(of: closed + " x")
    return appended?.lowerBound == closed.utf8.count + 1 ? closed : closed + " */"
  }

  /// Returns whether a text has comments.
  static func areContained(in text: String) -> Bool {
    guard var lexer = try? Lexer(PredicateText(typed: text)) else { return false }
    var end = 0
    func isComment(_ gap: ArraySlice<UInt8>) -> Bool {
      gap.contains(UInt8(ascii: "-")) || gap.contains(UInt8(ascii: "/"))
    }
    while let range = lexer.nextPiece()?.range {
      if isComment(lexer.bytes[end..<range.lowerBound]) { return true }
      end = range.upperBound
    }
    return isComment(lexer.bytes[end...])
  }

  private static func allClosed(in text: String, after before: String) -> String {
    let whole = before + text
    guard whole.first(where: { !$0.isWhitespace }) != "{",
      var lexer = try? Lexer(PredicateText(typed: whole))
    else { return text }
    let start = before.utf8.count
    var out: [UInt8] = []
    var end = 0
    while let range = lexer.nextPiece()?.range {
      out += closed(lexer.bytes[end..<range.lowerBound], from: start)
      out += lexer.bytes[range]
      end = range.upperBound
    }
    out += closed(lexer.bytes[end...], from: start)
    return String(decoding: out.dropFirst(start), as: UTF8.self)
  }

  /// Returns the bytes between two tokens, with the line comments that begin at `start` or later
  /// written as `/* … */`.
  private static func closed(_ gap: ArraySlice<UInt8>, from start: Int) -> [UInt8] {
    var out: [UInt8] = []
    var rest = gap
    while let first = rest.first {
      if rest.starts(with: "/*".utf8) {
        let comment = block(at: rest)
        out += comment
        rest = rest[comment.endIndex...]
      } else if rest.starts(with: "--".utf8) {
        let comment = rest.prefix { $0 != lineFeed }
        out += comment.startIndex < start ? Array(comment) : block(of: comment.dropFirst(2))
        rest = rest[comment.endIndex...]
      } else {
        out.append(first)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  /// Returns the comment from `/*` to `*/` at the beginning of these bytes.
  private static func block(at bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = bytes.startIndex + 2
    while end < bytes.endIndex, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
    return bytes[..<min(end + 2, bytes.endIndex)]
  }

  private static func block(of words: ArraySlice<UInt8>) -> [UInt8] {
    let words = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ").replacing("*/", with: "* /")
    return Array("/* \(words) */".utf8)
  }

  private static let lineFeed = UInt8(ascii: "\n")
}
