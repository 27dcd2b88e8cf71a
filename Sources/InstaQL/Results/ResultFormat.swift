import Triples

/// The output formats for answers.
///
/// `json` and `ndjson` keep the nested structure. The flat formats (`csv`, `tsv`, `markdown`)
/// write one table; ``FlatTable`` describes how relations become columns.
public enum ResultFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON object: `{"data": {namespace: […]}, "pageInfo": {…}, "aggregate": {…}}`.
  case json
  /// One JSON object on each line.
  case ndjson
  /// Comma-separated values according to RFC 4180, with a header and `\n` after each line.
  case csv
  /// Tab-separated values. Tabs, line breaks and backslashes in a value are written as `\t`, `\n`,
  /// `\r` and `\\`.
  case tsv
  /// A table in GitHub Flavored Markdown.
  case markdown

  /// The usual file extension, without the dot.
  public var fileExtension: String {
    switch self {
    case .json, .ndjson, .csv, .tsv: rawValue
    case .markdown: "md"
    }
  }

  /// Returns the answers in this format, with a final line break.
  ///
  /// - Throws: `store` when the text exceeds the maximum size, or when there are several answers
  ///   and the format can write only one table.
  public func bytes(
    of answers: [Answer], options: QueryOptions = .standard
  ) throws(QueryError) -> [UInt8] {
    var output = JSONOutput(capacity: 1 << 16)
    switch self {
    case .json:
      try QueryEngine.json(answers, options: options, into: &output)
      output.append("\n")
    case .ndjson: try NDJSONFormat().write(try single(answers), options, into: &output)
    case .csv, .tsv: return try bytes(of: FlatTable(try single(answers)), options: options) ?? []
    case .markdown: try MarkdownFormat().write(answers, options, into: &output)
    }
    return output.bytes
  }

  /// Returns a table in this format, with a final line break; nil if the format is not flat.
  package func bytes(
    of table: FlatTable, options: QueryOptions = .standard
  ) throws(QueryError) -> [UInt8]? {
    var output = JSONOutput(capacity: 1 << 16)
    switch self {
    case .json, .ndjson: return nil
    case .csv: try SeparatedFormat.csv.write(table, options, into: &output)
    case .tsv: try SeparatedFormat.tsv.write(table, options, into: &output)
    case .markdown: try MarkdownFormat().write(table, options, into: &output)
    }
    return output.bytes
  }

  /// Whether the format writes one table.
  package var isFlat: Bool {
    switch self {
    case .json, .ndjson: false
    case .csv, .tsv, .markdown: true
    }
  }

  private func single(_ answers: [Answer]) throws(QueryError) -> Answer {
    guard answers.count == 1, let answer = answers.first else {
      throw .store(
        "\(rawValue) can contain only one answer. Run one query at a time, or use json.")
    }
    return answer
  }
}
