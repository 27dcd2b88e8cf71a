import ArgumentParser
import Explorer
import InstaQL
import Triples

/// How an answer is printed.
enum AnswerFormat: String, CaseIterable, ExpressibleByArgument {
  case table, json

  /// People read tables, programs read JSON.
  static var standard: AnswerFormat { Output.isTerminal ? .table : .json }

  /// The whole answer, with a line break at its end.
  func bytes(
    of document: QueryDocument, in snapshot: StoreSnapshot
  ) throws(QueryError) -> [UInt8] {
    switch self {
    case .json:
      return Array(try QueryEngine.json(document, in: snapshot.store).utf8) + [UInt8(ascii: "\n")]
    case .table:
      var text = ""
      for plan in document.plans {
        let answer = try QueryEngine.answer(plan, in: snapshot.store)
        text += TextTable(answer: answer, snapshot: snapshot).text
      }
      return Array(text.utf8)
    }
  }
}
