package import InstaQL
package import Triples

/// The rows of an answer in a format, for the clipboard, the pager, a command or a file.
package struct Rendering: Sendable, Equatable {
  package enum Format: Sendable, Equatable {
    /// A complete document.
    case result(ResultFormat)
    /// A list of JSON objects.
    case json
    /// A single JSON object, without a list around it.
    case object
    /// Columns that are aligned for reading.
    case table
    case ids
    /// An SQL INSERT statement per row.
    case insertion
    /// The values of a column, one per line.
    ///
    /// - Parameter heading: The first line; nil if there is none.
    case values(ColumnSource, heading: String? = nil)
  }

  let format: Format
  private(set) var answer: Answer
  private(set) var catalog: Catalog
  /// The catalog from before BLOBs were loaded, with only their sizes; nil if no BLOBs were loaded.
  private var catalogWithSizes: Catalog?
  /// The columns of a flat format; nil for all fields of the query.
  private let columns: [TableColumn]?

  /// The maximum number of rows in aligned tables, for which all rows are needed at once.
  package static let maxTableRows = 50_000

  init(_ format: Format, of answer: Answer, in catalog: Catalog, columns: [TableColumn]? = nil) {
    (self.format, self.answer) = (format, answer.inferringCardinality)
    (self.catalog, self.columns) = (catalog, columns)
  }

  /// The query for the contents of BLOBs that are known only by size; nil if it is not needed.
  package var blobQuery: QueryPlan? {
    switch format {
    case .table, .ids, .values(.link, _): nil
    case .json, .object, .result, .insertion, .values: answer.blobQuery(among: answer.rows)
    }
  }

  /// Returns a copy that renders the contents of BLOBs in `blobs` instead of their sizes.
  package func resolvingBlobs(by blobs: TripleStore) -> Rendering {
    var complete = self
    complete.catalogWithSizes = catalog
    complete.answer = answer.resolvingBlobs(by: blobs)
    complete.catalog = catalog.resolvingBlobs(in: complete.answer.store)
    return complete
  }

  /// Returns a copy with only the first rows, and without their relations.
  func beginning(rows: Int) throws(QueryError) -> Rendering {
    let plain = try QueryEngine.prepare(answer.plan.removing(.relations), catalog.schema)
    var few = self
    few.answer = Answer(answer, as: plain).showing(answer.rows.prefix(rows))
    return few
  }

  // MARK: Parts

  /// Returns the text around the rows; nil if the format needs all rows at once.
  fileprivate func frame() throws(QueryError) -> ResultFrame? {
    switch format {
    case .ids, .insertion, .values(_, nil): return ResultFrame(separator: "\n")
    case .values(_, let heading?):
      return ResultFrame(head: heading + (answer.rows.isEmpty ? "" : "\n"), separator: "\n")
    case _ where answer.table != nil: return nil
    case .json: return ResultFrame(head: "[", separator: ",", tail: "]")
    case .object: return ResultFrame(separator: ",")
    case _ where answer.count != nil: return nil
    case .table: return nil
    case .result(let format):
      var frame = try format.frame(of: answer)
      if format.isFlat { frame?.head = try document(format, []) }
      return frame
    }
  }

  /// Returns the text of all rows, including the text around them.
  fileprivate func whole(upTo maxBytes: Int) throws(QueryError) -> [UInt8] {
    let isLong = answer.rows.count > Self.maxTableRows
    switch format {
    case .table:
      if isLong {
        throw .store(
          RuntimeWords.textTableTooLong(rows: answer.rows.count, maxRows: Self.maxTableRows))
      }
      return Array(TextTable(answer, in: catalog, columns: columns).text.utf8)
    case .result(let format):
      if isLong, format == .markdown {
        throw .store(RuntimeWords.tableTooLong(maxRows: Self.maxTableRows))
      }
      return try document(format, answer.rows[...])
    case .json, .object, .ids, .insertion, .values:
      var output = JSONOutput()
      try QueryEngine.rows(answer, upTo: maxBytes, into: &output)
      return output.bytes
    }
  }

  /// Returns the text of some rows, without the text around them.
  fileprivate func bytes(
    of rows: ArraySlice<EntityHandle>, in frame: ResultFrame, upTo maxBytes: Int
  ) throws(QueryError) -> [UInt8] {
    switch format {
    case .json, .object, .result(.json):
      var output = JSONOutput(capacity: 1 << 16)
      try QueryEngine.rows(answer.showing(rows), upTo: maxBytes, into: &output)
      // The rows are written as a list, whose brackets are removed.
      return Array(output.bytes.dropFirst().dropLast())
    case .result(let format):
      return Array(try document(format, rows).dropFirst(frame.head.count))
    case .ids: return lines(rows) { catalog.displayID(of: $0, in: answer.namespace) }
    case .values(let source, _): return lines(rows) { catalog.text(of: $0, source) }
    case .table, .insertion:
      return lines(rows) {
        catalog.insertion(of: $0, answer.namespace, sizes: catalogWithSizes?.store)
      }
    }
  }

  private func lines(
    _ rows: ArraySlice<EntityHandle>, _ line: (EntityHandle) -> String
  ) -> [UInt8] {
    Array(rows.map(line).joined(separator: "\n").utf8)
  }

  /// Returns some rows as a document, with the text around them.
  ///
  /// In columns, values are complete and as stored. A link is written as the labels of its targets.
  private func document(
    _ format: ResultFormat, _ rows: ArraySlice<EntityHandle>
  ) throws(QueryError) -> [UInt8] {
    if let columns, answer.table == nil, answer.count == nil {
      let table = FlatTable(
        titles: answer.titles(of: columns),
        rows: rows.map { row in columns.map { $0.exported(row, in: catalog) } })
      if let bytes = try format.bytes(of: table) { return bytes }
    }
    return try format.bytes(of: [answer.showing(rows)])
  }

  /// The rendered bytes, some rows at a time. The memory use does not depend on the number of rows.
  ///
  ///     var portions = rendering.portions()
  ///     while let bytes = try portions.next() { write(bytes) }
  package struct Portions {
    private let rendering: Rendering
    private let maxBytes: Int
    /// The number of rows rendered so far.
    package private(set) var done = 0
    private var frame: ResultFrame?
    private var isEnded = false

    fileprivate init(_ rendering: Rendering, upTo maxBytes: Int) {
      (self.rendering, self.maxBytes) = (rendering, maxBytes)
    }

    /// The number of rows to render.
    package var count: Int {
      if rendering.answer.count != nil { return 1 }
      return rendering.answer.table?.rows.count ?? rendering.answer.rows.count
    }

    /// The number of rows that each call of `next` renders.
    private static let rowsAtOnce = 500

    /// Returns the next bytes; nil after the end.
    ///
    /// - Throws: An error if the format cannot represent the answer, or if its objects are larger
    ///   than the maximum size.
    package mutating func next() throws(QueryError) -> [UInt8]? {
      guard !isEnded else { return nil }
      guard let frame else {
        frame = try rendering.frame()
        if let frame { return frame.head }
        (isEnded, done) = (true, count)
        return try rendering.whole(upTo: maxBytes)
      }
      let rows = rendering.answer.rows
      guard done < rows.count else {
        isEnded = true
        return frame.tail
      }
      let start = done
      done = min(rows.count, start + Self.rowsAtOnce)
      let bytes = try rendering.bytes(of: rows[start..<done], in: frame, upTo: maxBytes)
      return start == 0 ? bytes : frame.separator + bytes
    }
  }

  /// Returns the portions of the rendered bytes.
  package func portions(upTo maxBytes: Int = .max) -> Portions { Portions(self, upTo: maxBytes) }
}
