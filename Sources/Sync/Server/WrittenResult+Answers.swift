package import InstaQL
import Triples

extension WrittenResult {
  /// Writes answers in the form that was asked for.
  ///
  /// - Throws: what the engine throws when the answer is larger than allowed.
  package init(
    _ answers: [Answer], as form: ResultForm, mostBytes: Int = Self.mostBytes
  ) throws(QueryError) {
    switch form {
    case .joinRows:
      self.init(result: try JoinRowsWriter.text(answers, mostBytes: mostBytes))
    case .tree, .inferredTree:
      var options = QueryOptions(objects: .stored)
      options.infersCardinality = form == .inferredTree
      var pages: [String: PageInfo] = [:]
      var counts: [String: Int] = [:]
      for answer in answers {
        pages[answer.namespace] = answer.pageInfo
        counts[answer.namespace] = answer.count
      }
      self.init(
        result: try Self.tree(answers, options: options, mostBytes: mostBytes),
        meta: JSONWriter.text([
          "page-info": MessageCoding.json(pages), "aggregate": MessageCoding.json(counts),
        ]))
    }
  }

  /// No answer is longer, in bytes.
  package static let mostBytes = 128 << 20

  /// `{namespace: [object, …]}`; a namespace that is only counted is an empty list.
  ///
  /// - Parameter options: How objects are written; nil as the answer was asked for.
  package static func tree(
    _ answers: [Answer], options: QueryOptions? = QueryOptions(objects: .stored),
    mostBytes: Int = Self.mostBytes
  ) throws(QueryError) -> String {
    var output = JSONOutput(capacity: 4096)
    output.append("{")
    for (place, answer) in answers.enumerated() {
      if place > 0 { output.append(",") }
      output.write(answer.namespace)
      output.append(":")
      if answer.plan.isCount {
        output.append("[]")
      } else {
        try QueryEngine.rows(answer, as: options, upTo: mostBytes, into: &output)
      }
    }
    output.append("}")
    return output.text
  }
}
