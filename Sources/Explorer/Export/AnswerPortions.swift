package import InstaQL
import Triples

/// Converts an answer to the bytes of a file, some rows at a time. The memory use does not depend
/// on the number of rows.
///
///     var portions = AnswerPortions(answer, as: .csv)
///     while let bytes = try portions.next() { write(bytes) }
package struct AnswerPortions {
  private let answer: Answer
  private let format: ResultFormat
  /// The columns to write; nil for all fields of the query.
  private let columns: ExportedColumns?
  /// The number of rows written so far.
  package private(set) var done = 0
  private var isStarted = false
  private var isEnded = false

  /// The number of rows to write.
  package var count: Int { answer.table?.rows.count ?? answer.rows.count }

  /// The number of rows that each call of `next` writes.
  private static let portion = 2_000
  /// The maximum number of rows in aligned tables and in documents. These formats need all rows at
  /// once.
  package static let maxTableRows = 50_000

  package init(_ answer: Answer, as format: ResultFormat) {
    self.init(answer, as: format, columns: nil)
  }

  /// Creates the portions of an export's rows.
  package init(_ answer: Answer, as format: ResultFormat, of order: ExportOrder) {
    self.init(answer, as: format, columns: ExportedColumns(order))
  }

  private init(_ answer: Answer, as format: ResultFormat, columns: ExportedColumns?) {
    self.answer = answer.inferringCardinality
    self.format = format
    self.columns = columns
  }

  /// Returns the next bytes; nil after the end.
  ///
  /// - Throws: An error if the format cannot represent the answer.
  package mutating func next() throws(QueryError) -> [UInt8]? {
    guard !isEnded else { return nil }
    switch format {
    case _ where answer.count != nil || answer.table != nil: return try whole()
    case .markdown:
      guard count <= Self.maxTableRows else {
        throw .store(RuntimeWords.tableTooLong(maxRows: Self.maxTableRows))
      }
      return try whole()
    case .json: return try nextOfJSON()
    case .ndjson, .csv, .tsv: return try nextLines()
    }
  }

  private mutating func whole() throws(QueryError) -> [UInt8] {
    isEnded = true
    done = count
    return try bytes(of: answer)
  }

  private func bytes(of part: Answer) throws(QueryError) -> [UInt8] {
    if let columns, let bytes = try format.bytes(of: columns.table(of: part.rows)) {
      return bytes
    }
    return try format.bytes(of: [part])
  }

  private mutating func nextPortion() -> Answer {
    let end = min(count, done + Self.portion)
    defer { done = end }
    return answer.showing(answer.rows[done..<end])
  }

  /// Returns the next rows in a format with a line per row. The first call returns the header.
  private mutating func nextLines() throws(QueryError) -> [UInt8]? {
    let head = try bytes(of: answer.showing([]))
    if !isStarted {
      isStarted = true
      if count == 0 { isEnded = true }
      return head
    }
    guard done < count else { return nil }
    let bytes = try bytes(of: nextPortion())
    return Array(bytes.dropFirst(head.count))
  }

  /// Returns the next part of the JSON: the text before the rows, some rows, or the text after
  /// them.
  private mutating func nextOfJSON() throws(QueryError) -> [UInt8]? {
    if !isStarted {
      isStarted = true
      return Array(try frame().head)
    }
    guard done < count else {
      isEnded = true
      return Array(try frame().tail)
    }
    let isFirst = done == 0
    var output = JSONOutput(capacity: 1 << 16)
    try QueryEngine.rows(nextPortion(), into: &output)
    // The rows are written as a list, whose brackets are removed.
    return (isFirst ? [] : [UInt8(ascii: ",")]) + output.bytes.dropFirst().dropLast()
  }

  private func frame() throws(QueryError) -> (head: ArraySlice<UInt8>, tail: ArraySlice<UInt8>) {
    let bytes = try ResultFormat.json.bytes(of: [answer.showing([])])
    var head = JSONOutput()
    head.append("{\"data\":{")
    head.write(answer.plan.namespace)
    head.append(":[")
    return (bytes[..<head.count], bytes[head.count...])
  }
}
