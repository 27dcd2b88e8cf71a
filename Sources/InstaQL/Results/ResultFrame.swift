import Triples

/// The text around the rows of an answer that is written some rows at a time.
package struct ResultFrame: Sendable {
  /// The text before the first row.
  package var head: [UInt8] = []
  /// The text between two rows.
  package var separator: [UInt8] = []
  /// The text after the last row.
  package var tail: [UInt8] = []

  /// Creates a frame from its parts.
  package init(head: String = "", separator: String = "", tail: String = "") {
    (self.head, self.tail) = (Array(head.utf8), Array(tail.utf8))
    self.separator = Array(separator.utf8)
  }
}

extension ResultFormat {
  /// Returns the text around the rows of an answer; nil if the format needs all rows at once.
  package func frame(
    of answer: Answer, options: QueryOptions = .standard
  ) throws(QueryError) -> ResultFrame? {
    var frame = ResultFrame()
    switch self {
    // Markdown begins with the alignment of its columns, for which all rows are needed.
    case .markdown: return nil
    case .csv, .tsv, .ndjson: frame.head = try bytes(of: [answer.showing([])], options: options)
    case .json:
      let text = try bytes(of: [answer.showing([])], options: options)
      var head = JSONOutput()
      head.append("{\"data\":{")
      head.write(answer.plan.namespace)
      head.append(":[")
      (frame.head, frame.separator) = (Array(text[..<head.count]), [UInt8(ascii: ",")])
      frame.tail = Array(text[head.count...])
    }
    return frame
  }
}
