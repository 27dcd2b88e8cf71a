import ArgumentParser
import Explorer
import InstaQL
import LiveQueries
import Triples

/// The format of a printed answer: a table for people, or a format for programs.
enum AnswerFormat: Hashable {
  case table
  case result(ResultFormat)

  /// The default format: a table if the output is a terminal, JSON otherwise.
  static var standard: AnswerFormat { Output.isTerminal ? .table : .result(.json) }

  /// How BLOBs of a database are printed in this format.
  var bytes: AnswerView.Bytes {
    switch self {
    case .table: .counted
    case .result: .spelled
    }
  }

  /// Evaluates the queries of a document and returns their results in this format, with a final
  /// line break.
  ///
  /// - Parameter hasLinks: Whether the snapshot contains the linked entities of all rows.
  func bytes(
    of document: QueryDocument, in snapshot: StoreSnapshot, options: QueryOptions,
    hasLinks: Bool = false
  ) throws(QueryError) -> [UInt8] {
    var answers: [Answer] = []
    for plan in document.plans {
      answers.append(try QueryEngine.answer(plan, in: snapshot, options: options))
    }
    return try bytes(of: answers, in: snapshot, options: options, hasLinks: hasLinks)
  }

  /// Formats results that are already evaluated, with a final line break.
  func bytes(
    of answers: [Answer], in snapshot: StoreSnapshot, options: QueryOptions,
    hasLinks: Bool = false
  ) throws(QueryError) -> [UInt8] {
    switch self {
    case .result(let format): return try format.bytes(of: answers, options: options)
    case .table:
      var text = ""
      for answer in answers {
        // If there are several tables, each has its namespace as a heading.
        if answers.count > 1 { text += (text.isEmpty ? "" : "\n") + answer.namespace + "\n" }
        text += TextTable(answer: answer, snapshot: snapshot, hasLinks: hasLinks).text
      }
      return Array(text.utf8)
    }
  }

  /// Returns the query plans of a document, as lines or as a JSON array.
  func explanation(
    of document: QueryDocument, in snapshot: StoreSnapshot
  ) throws(QueryError) -> [UInt8] {
    var explanations: [Explanation] = []
    for plan in document.plans { explanations.append(try QueryEngine.explain(plan, in: snapshot)) }
    let text =
      switch self {
      case .table, .result(.markdown): explanations.flatMap(\.lines).joined(separator: "\n")
      case .result(.ndjson): explanations.map(\.json).joined(separator: "\n")
      case .result(.json), .result(.csv), .result(.tsv):
        "[" + explanations.map(\.json).joined(separator: ",") + "]"
      }
    return Array(text.utf8) + [UInt8(ascii: "\n")]
  }
}

extension AnswerFormat: CaseIterable, ExpressibleByArgument {
  static var allCases: [AnswerFormat] { [.table] + ResultFormat.allCases.map(AnswerFormat.result) }

  static var allValueStrings: [String] { allCases.map(\.name) }

  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  var name: String {
    switch self {
    case .table: "table"
    case .result(let format): format.rawValue
    }
  }

  var defaultValueDescription: String { name }
}
