package import Triples

/// A range of query text with its kind, for syntax highlighting.
package struct QuerySpan: Hashable, Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case namespace, attribute, link
    /// Keywords of clauses and of conditions.
    case keyword
    /// Comparison operators.
    case comparison
    /// Aggregate functions.
    case function
    case string, number, boolean, null
    case punctuation
    /// Any other name, such as that of a computed column.
    case name
    /// One comment, or several with only white space between them.
    case comment
    /// The first error of the text, or a range that is not a valid token.
    case error
  }

  package let kind: Kind
  /// The range in UTF-8 bytes.
  package let range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  /// Returns the spans of a text in order. White space has no spans. The text may be invalid.
  ///
  /// - Parameters:
  ///   - scope: The namespace, if the text is only a condition; nil for complete queries.
  ///   - schema: The schema, by which attributes, links and unknown names are distinguished.
  package static func spans(
    of text: String, scope: String? = nil, isCondition: Bool = false, schema: Schema? = nil
  ) -> [QuerySpan] {
    if scope == nil, !isCondition, text.first(where: { !$0.isWhitespace }) == "{" {
      return JSONSpans.spans(of: Array(text.utf8))
    }
    let known = KnownParts(text, scope: scope, isCondition || scope != nil, schema)
    return known.spans(of: text)
  }
}

extension QuerySpan {
  /// Returns the range of the last token in UTF-8 bytes; nil if the text has none. An invalid piece
  /// of text counts as a token.
  package static func lastToken(of text: String) -> Range<Int>? {
    guard var lexer = try? Lexer(PredicateText(typed: text)) else {
      return text.isEmpty ? nil : 0..<text.utf8.count
    }
    var last: Range<Int>?
    while let range = lexer.nextPiece()?.range {
      if !range.isEmpty { last = range }
    }
    return last
  }
}

/// The kinds of the names in a text, and the position of the first error. Names after the error are
/// not included.
private struct KnownParts {
  private var meanings: [Int: QuerySpan.Kind] = [:]
  private var faultOffset: Int?

  init(_ text: String, scope: String?, _ isCondition: Bool, _ schema: Schema?) {
    do throws(QueryError) {
      var parser = try TextParser(
        PredicateText(typed: text), schema: schema, namespace: scope)
      parser.givesHints = false
      do throws(QueryError) {
        if isCondition {
          _ = try parser.predicate()
          if parser.token.kind != .end { faultOffset = parser.token.start }
        } else {
          _ = try parser.document()
        }
      } catch {
        recordFault(error)
      }
      meanings = parser.meanings
    } catch {
      recordFault(error)
    }
  }

  private mutating func recordFault(_ error: QueryError) {
    if case .syntax(let fault) = error { faultOffset = fault.offset }
  }

  func spans(of text: String) -> [QuerySpan] {
    guard var lexer = try? Lexer(PredicateText(typed: text)) else {
      // The text is too long to be parsed, so all of it is marked as an error.
      return text.isEmpty ? [] : [QuerySpan(.error, 0..<text.utf8.count)]
    }
    var spans: [QuerySpan] = []
    var end = 0
    func append(_ kind: QuerySpan.Kind, _ range: Range<Int>) {
      if let comment = Self.comment(in: lexer.bytes[end..<range.lowerBound]) {
        spans.append(QuerySpan(.comment, comment))
      }
      end = range.upperBound
      if !range.isEmpty { spans.append(QuerySpan(kind, range)) }
    }
    while let piece = lexer.nextPiece() {
      switch piece {
      case .token(let token): append(kind(of: token), token.start..<token.end)
      case .broken(let range): append(.error, range)
      }
    }
    append(.comment, lexer.bytes.count..<lexer.bytes.count)
    return spans
  }

  /// Returns the range of the comments between two tokens; nil if there is only white space.
  private static func comment(in gap: ArraySlice<UInt8>) -> Range<Int>? {
    let start = gap.drop { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "/") }
    guard let last = start.lastIndex(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    return start.startIndex..<last + 1
  }

  private func kind(of token: Token) -> QuerySpan.Kind {
    if token.start == faultOffset { return .error }
    if let known = meanings[token.start] { return known }
    switch token.kind {
    case .integer, .double: return .number
    case .text: return .string
    case .bound, .end: return .name
    case .sign(let sign):
      if sign.comparison != nil { return .comparison }
      return sign == .and || sign == .or || sign == .not ? .keyword : .punctuation
    case .name: return token.word.map(Self.kind(ofWord:)) ?? .name
    }
  }

  private static func kind(ofWord word: String) -> QuerySpan.Kind {
    switch word {
    case "true", "false": .boolean
    case "null": .null
    case "is", "in", "between": .comparison
    default:
      if WhereOperator.allCases.contains(where: { $0.spelling == word }) {
        .comparison
      } else if Words.clauses.contains(word) || Words.reserved.contains(word) {
        .keyword
      } else {
        .name
      }
    }
  }
}
