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
    of document: QueryDocument, in snapshot: StoreSnapshot, options: QueryOptions
  ) throws(QueryError) -> [UInt8] {
    switch self {
    case .json:
      return Array(try QueryEngine.json(document, in: snapshot.store, options: options).utf8) + [
        UInt8(ascii: "\n")
      ]
    case .table:
      var text = ""
      for plan in document.plans {
        let answer = try QueryEngine.answer(plan, in: snapshot.store, options: options)
        // Several tables are told apart by their namespace.
        if document.plans.count > 1 { text += (text.isEmpty ? "" : "\n") + plan.namespace + "\n" }
        text += TextTable(answer: answer, snapshot: snapshot).text
      }
      return Array(text.utf8)
    }
  }

  /// How a document is answered: the steps of each plan, in lines or as a JSON array.
  func explanation(
    of document: QueryDocument, in store: TripleStore
  ) throws(QueryError) -> [UInt8] {
    var explanations: [Explanation] = []
    for plan in document.plans { explanations.append(try QueryEngine.explain(plan, in: store)) }
    let text =
      switch self {
      case .table: explanations.flatMap(\.lines).joined(separator: "\n")
      case .json: "[" + explanations.map(\.json).joined(separator: ",") + "]"
      }
    return Array(text.utf8) + [UInt8(ascii: "\n")]
  }
}
