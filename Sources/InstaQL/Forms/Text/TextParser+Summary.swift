/// The clauses that make a table of values out of entities.
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
    guard let word = token.word, let function = Aggregation.Function(rawValue: word) else {
      let known = Aggregation.Function.allCases.map(\.rawValue)
      throw fault(
        known.dropLast().joined(separator: ", ") + " or " + (known.last ?? ""),
        hint: token.word.flatMap { NearestName.hint($0, among: known) })
    }
    meanings[token.start] = .function
    try advance()
    try expect(.open)
    var path: AttributePath?
    if function != .count || !token.isSign(.close) { path = try fieldPath().0 }
    try expect(.close)
    guard try skip(word: "as") else { return Aggregation(function, path) }
    return Aggregation(function, path, name: try columnName())
  }

  private mutating func columnName() throws(QueryError) -> String {
    let token = try name("a name")
    meanings[token.start] = .name
    return token.name ?? ""
  }
}
