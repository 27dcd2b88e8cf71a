package import InstaQL
import Triples

extension WrittenResult {
  /// Encodes answers as JSON in the requested form.
  ///
  /// - Throws: An error of the engine if the answer exceeds the limit.
  package init(
    _ answers: [Answer], as form: ResultForm, maxBytes: Int = Self.maxBytes
  ) throws(QueryError) {
    switch form {
    case .joinRows:
      self.init(result: try JoinRowsWriter.text(answers, maxBytes: maxBytes))
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
        result: try Self.tree(answers, options: options, maxBytes: maxBytes),
        meta: JSONWriter.text([
          "page-info": MessageCoding.json(pages), "aggregate": MessageCoding.json(counts),
        ]))
    }
  }

  /// The maximum length of an answer, in bytes.
  package static let maxBytes = 128 << 20

  /// Writes nested objects: `{namespace: [object, …]}`. If a namespace is only counted, its list is
  /// empty.
  ///
  /// - Parameter options: The options for writing objects; nil uses the query's options.
  package static func tree(
    _ answers: [Answer], options: QueryOptions? = QueryOptions(objects: .stored),
    maxBytes: Int = Self.maxBytes
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
        try QueryEngine.rows(answer, as: options, upTo: maxBytes, into: &output)
      }
    }
    output.append("}")
    return output.text
  }
}
