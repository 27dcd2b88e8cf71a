package import InstaQL
package import Triples

/// Where a rendered text goes: to the clipboard, or to the pager or editor.
package enum TextSink: Sendable, Equatable {
  case copying, outside

  /// The maximum size of the text in bytes.
  fileprivate var maxBytes: Int {
    switch self {
    case .copying: 1 << 20
    case .outside: 32 << 20
    }
  }
}

/// A text made from rows. It is rendered only when the user selects it.
package struct TextRendering: Sendable, Equatable {
  package enum Format: Sendable, Equatable {
    /// A list of objects: by itself, or within a complete JSON document.
    case json, document
    case csv
    /// Columns that are aligned for reading.
    case table
    case ids
    /// A single object, without a list around it.
    case object
    /// An SQL INSERT statement per row.
    case insertion
    /// The values of a column, one per line.
    ///
    /// - Parameter heading: The first line; nil if there is none.
    case values(ColumnSource, heading: String? = nil)
  }

  private let format: Format
  private var answer: Answer
  private var catalog: Catalog
  /// The catalog from before BLOBs were loaded, with only their sizes; nil if no BLOBs were loaded.
  private var catalogWithSizes: Catalog?
  let use: TextSink

  package init(_ format: Format, of answer: Answer, in snapshot: StoreSnapshot, for use: TextSink) {
    self.init(format, of: answer, in: Catalog(snapshot: snapshot), for: use)
  }

  init(_ format: Format, of answer: Answer, in catalog: Catalog, for use: TextSink) {
    (self.format, self.answer) = (format, answer.inferringCardinality)
    (self.catalog, self.use) = (catalog, use)
  }

  /// Returns the rendered text.
  ///
  /// - Parameter tell: Called at intervals with the number of rows done so far.
  /// - Throws: `cancelled` if the task is canceled, or an error if the format cannot represent the
  ///   answer.
  package func text(tell: (Int) -> Void = { _ in }) throws(QueryError) -> String {
    switch format {
    case .json, .object: try json(tell: tell)
    case .document: try portions(.json, tell: tell)
    case .csv: try portions(.csv, tell: tell)
    case .table: TextTable(answer: answer, snapshot: catalog.snapshot).text
    case .ids: lines { catalog.displayID(of: $0, in: answer.namespace) }
    case .values(let source, nil): lines { catalog.text(of: $0, source) }
    case .values(let source, let heading?):
      ([heading] + answer.rows.map { catalog.text(of: $0, source) }).joined(separator: "\n")
    case .insertion:
      lines { catalog.insertion(of: $0, answer.namespace, sizes: catalogWithSizes?.store) }
    }
  }

  private func lines(_ line: (EntityHandle) -> String) -> String {
    answer.rows.map(line).joined(separator: "\n")
  }

  /// The query for the contents of BLOBs that are known only by size; nil if it is not needed.
  package var blobQuery: QueryPlan? {
    switch format {
    case .table, .ids, .values(.link, _): nil
    case .json, .object, .document, .csv, .insertion, .values:
      answer.blobQuery(among: answer.rows)
    }
  }

  /// Returns a copy that renders the contents of BLOBs in `blobs` instead of their sizes.
  package func resolvingBlobs(by blobs: TripleStore) -> TextRendering {
    var complete = self
    complete.catalogWithSizes = catalog
    complete.answer = answer.resolvingBlobs(by: blobs)
    complete.catalog = catalog.resolvingBlobs(in: complete.answer.store)
    return complete
  }

  /// The number of rows to render at a time.
  private static let rowsAtOnce = 500

  private func json(tell: (Int) -> Void) throws(QueryError) -> String {
    if answer.table != nil {
      var output = JSONOutput()
      try QueryEngine.rows(answer, upTo: use.maxBytes, into: &output)
      return output.text
    }
    var text: [UInt8] = []
    for start in stride(from: 0, to: answer.rows.count, by: Self.rowsAtOnce) {
      let rows = answer.rows[start..<min(answer.rows.count, start + Self.rowsAtOnce)]
      var output = JSONOutput()
      try QueryEngine.rows(answer.showing(rows), upTo: use.maxBytes, into: &output)
      if start > 0 { text.append(UInt8(ascii: ",")) }
      // The rows were rendered as a list, whose brackets are removed.
      text += output.bytes.dropFirst().dropLast()
      try reportProgress(text.count, rows: start + rows.count, tell)
    }
    let list = String(decoding: text, as: UTF8.self)
    return format == .object ? list : "[" + list + "]"
  }

  private func portions(
    _ format: ResultFormat, tell: (Int) -> Void
  ) throws(QueryError) -> String {
    var portions = AnswerPortions(answer, as: format)
    var text: [UInt8] = []
    while let bytes = try portions.next() {
      text += bytes
      try reportProgress(text.count, rows: portions.done, tell)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reports the progress. Throws an error if the task is canceled or the text is too long.
  private func reportProgress(_ bytes: Int, rows: Int, _ tell: (Int) -> Void) throws(QueryError) {
    if Task.isCancelled { throw .cancelled }
    if bytes > use.maxBytes { throw .store(RuntimeWords.tooLongForPager) }
    if rows < answer.rows.count { tell(rows) }
  }

  /// Returns the notice that the text cannot be rendered, with a format to use instead.
  func notice(of error: QueryError) -> Notice {
    switch use {
    case .copying: .tooManyRowsToCopy(answer.pageCount)
    case .outside: .tooLongForPager(error.message)
    }
  }
}

// Previews of texts.
extension TextRendering {
  /// The first line of the text, rendered from a few rows without links; nil if that fails.
  var beginning: String? {
    if case .values(.link(let link), nil) = format {
      let count = answer.rows.first.map { catalog.store.targets($0, link).count } ?? 0
      return "\(NumberText.grouped(count)) ids"
    }
    if let groups = answer.table { return "\(NumberText.grouped(groups.rows.count)) groups" }
    do throws(QueryError) {
      let plain = try QueryEngine.prepare(answer.plan.removing(.relations), catalog.schema)
      var few = self
      few.answer = Answer(answer, as: plain).showing(answer.rows.prefix(Self.rowsLookedAt))
      return try few.text()
    } catch {
      return nil
    }
  }

  private static let rowsLookedAt = 8
}
