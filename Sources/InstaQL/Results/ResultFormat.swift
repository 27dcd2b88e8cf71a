import Triples

/// The forms in which an answer can be written to a file or a pipe.
///
/// `json` and `ndjson` keep the answer as it is, nested. The flat forms (`csv`, `tsv`, `markdown`)
/// write one table; ``FlatTable`` says how relations become columns.
public enum ResultFormat: String, CaseIterable, Hashable, Sendable {
  /// One object: `{"data": {namespace: […]}, "pageInfo": {…}, "aggregate": {…}}`.
  case json
  /// An object a line for each entity.
  case ndjson
  /// Comma-separated values after RFC 4180, with names in the first line and `\n` after each line.
  case csv
  /// Values between tabs; tab, line end and backslash in a value are `\t`, `\n`, `\r` and `\\`.
  case tsv
  /// A table of GitHub's Markdown.
  case markdown

  /// The usual ending of a file that holds it, without the dot.
  public var fileExtension: String {
    switch self {
    case .json, .ndjson, .csv, .tsv: rawValue
    case .markdown: "md"
    }
  }

  /// The answers in this form, with a line end at the end.
  ///
  /// - Throws: `store` when the text would be larger than the options allow, or when a form that
  ///   holds one table is asked for several answers.
  public func bytes(
    of answers: [Answer], options: QueryOptions = .standard
  ) throws(QueryError) -> [UInt8] {
    var output = JSONOutput(capacity: 1 << 16)
    switch self {
    case .json:
      try QueryEngine.json(answers, options: options, into: &output)
      output.append("\n")
    case .ndjson: try NDJSONFormat().write(try single(answers), options, into: &output)
    case .csv: try SeparatedFormat.csv.write(try single(answers), options, into: &output)
    case .tsv: try SeparatedFormat.tsv.write(try single(answers), options, into: &output)
    case .markdown: try MarkdownFormat().write(answers, options, into: &output)
    }
    return output.bytes
  }

  private func single(_ answers: [Answer]) throws(QueryError) -> Answer {
    guard answers.count == 1, let answer = answers.first else {
      throw .store("A file of \(rawValue) holds one answer: ask one query at a time, or take json.")
    }
    return answer
  }
}
