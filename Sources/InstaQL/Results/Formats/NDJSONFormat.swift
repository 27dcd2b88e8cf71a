import Triples

/// Writes newline-delimited JSON: one object for each entity, or one object for a count.
struct NDJSONFormat {
  func write(
    _ answer: Answer, _ options: QueryOptions, into output: inout JSONOutput
  ) throws(QueryError) {
    if let count = answer.count {
      output.append("{\"count\":")
      output.write(Int64(count))
      output.append("}\n")
    } else {
      try QueryEngine.lines(answer, upTo: output.count + options.maxBytes, into: &output)
    }
  }
}
