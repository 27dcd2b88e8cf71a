/// Clauses of groups and aggregates.
extension TextParser {
  mutating func groups() throws(QueryError) -> [AttributePath] {
    if token.word == "by", try peek().name != nil { try advance() }
    var paths: [AttributePath] = []
    repeat { paths.append(try fieldPath().0) } while try skip(.comma)
    return paths
  }

  mutating func aggregates() throws(QueryError) -> [Aggregation] {
    var aggregates: [Aggregation] = []
    repeat { aggregates.append(try aggregate()) } while try skip(.comma)
    return aggregates
  }

  private mutating func aggregate() throws(QueryError) -> Aggregation {
    guard let word = token.word, var function = Self.function(word) else {
      let known = Aggregation.Function.allCases.filter { $0 != .countDistinct }.map(\.rawValue)
      throw fault(
        known.dropLast().joined(separator: ", ") + " or " + (known.last ?? ""),
        hint: token.word.flatMap { Words.hint($0, among: known) })
    }
    meanings[token.start] = .function
    try advance()
    try expect(.open)
    if function == .count, token.word == "distinct", try peek().name != nil {
      meanings[token.start] = .keyword
      try advance()
      function = .countDistinct
    }
    var path: AttributePath?
    if function != .count || !token.isSign(.close) { path = try measured(function) }
    try expect(.close)
    guard try skip(word: "as") else { return Aggregation(function, path) }
    return Aggregation(function, path, name: try columnName())
  }

  /// The function of a word or its synonym.
  private static func function(_ word: String) -> Aggregation.Function? {
    Aggregation.Function(rawValue: word)
      ?? Words.synonyms[word].flatMap(Aggregation.Function.init(rawValue:))
  }

  /// Parses the path of an aggregate; only numbers can be added up.
  private mutating func measured(
    _ function: Aggregation.Function
  ) throws(QueryError) -> AttributePath {
    let start = token
    let (path, kind) = try fieldPath()
    guard [.sum, .average, .median].contains(function), let kind, kind != .number else {
      return path
    }
    throw fault(
      at: start, "a field with numbers",
      hint: kind == .link && isLink(path) ? linkHint(path) : "'\(path)' holds \(kind.plural).")
  }

  private mutating func columnName() throws(QueryError) -> String {
    let token = try name("a name")
    meanings[token.start] = .name
    return token.name ?? ""
  }
}
