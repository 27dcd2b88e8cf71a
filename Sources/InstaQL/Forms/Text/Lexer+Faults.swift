import Triples

extension Lexer {
  /// Creates the syntax error at `offset`. By default, `found` is the text at that position.
  func fault(
    at offset: Int, expected: Continuation, found: String? = nil, hint: String? = nil
  ) -> QueryError {
    let before = String(decoding: bytes[..<offset], as: UTF8.self)
    var line = 1
    var column = 1
    for character in before {
      if character.isNewline {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    var fault = TextFault(
      offset: offset, line: line, column: column, expected: expected.text,
      found: found ?? excerpt(at: offset), hint: hint)
    fault.continuation = expected
    return .syntax(fault)
  }

  /// Returns a short excerpt of the text at `offset`, for an error message.
  private func excerpt(at offset: Int) -> String {
    if let bound = source.bound[offset] { return bound.words }
    let rest = String(decoding: bytes[offset...].prefix(80), as: UTF8.self)
    guard let first = rest.first else { return "the end of the text" }
    var shown = String(first)
    if first.isNewline || first.isWhitespace { shown = "a blank" }
    if first.unicodeScalars.first.map(Words.continues) == true {
      shown = String(rest.prefix(24).prefix { $0.unicodeScalars.allSatisfy(Words.continues) })
    }
    if first == "\"" || first == "'" || first == "`" {
      // A string or a name in backquotes is shown completely if it is short.
      let text = rest.dropFirst().prefix(24).prefix { $0 != first && !$0.isNewline }
      if rest.dropFirst(text.count + 1).first == first {
        return first == "`" ? "'\(text)'" : "\(first)\(text)\(first)"
      }
    }
    if shown.isEmpty { shown = String(first) }
    return "'\(shown)'"
  }
}

extension PredicateText.Bound {
  /// A description of the interpolated value, for messages.
  fileprivate var words: String {
    switch self {
    case .value: "an interpolated value"
    case .list: "an interpolated list"
    case .path: "an interpolated field"
    }
  }
}
