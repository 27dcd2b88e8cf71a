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
  package enum Form: Sendable, Equatable {
    /// A list of objects: by itself, or within a complete JSON document.
    case json, document
    case csv
    /// Columns that are aligned for reading.
    case table
    case ids
    /// A single object, without a list around it.
    case object
  }

  private enum Content: Sendable, Equatable {
    case rows(Form)
    case column(TableColumn)
    /// The ids of a link's targets, for an answer with one row.
    case link(Link)
    /// The value of an attribute, for an answer with one row.
    case value(Attribute)
    /// An SQL INSERT statement, for an answer with one row.
    case insertion
  }

  private let content: Content
  private var answer: Answer
  private var catalog: Catalog
  /// The catalog with sizes instead of BLOBs, kept after BLOBs were loaded into `catalog`;
  /// otherwise nil.
  private var counted: Catalog?
  let use: TextSink

  package init(_ form: Form, of answer: Answer, in snapshot: StoreSnapshot, for use: TextSink) {
    self.init(form, of: answer, in: Catalog(snapshot: snapshot), for: use)
  }

  init(_ form: Form, of answer: Answer, in catalog: Catalog, for use: TextSink) {
    content = .rows(form)
    (self.answer, self.catalog, self.use) = (answer.inferringCardinality, catalog, use)
  }

  /// Creates the text of one column, with its label on the first line and a line for each row.
  init(_ column: TableColumn, of answer: Answer, in catalog: Catalog) {
    content = .column(column)
    (self.answer, self.catalog, use) = (answer, catalog, .copying)
  }

  /// Creates the text with the ids of a link's targets, for an answer with one row.
  init(_ link: Link, of answer: Answer, in catalog: Catalog, for use: TextSink) {
    content = .link(link)
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// Creates the text of an attribute's value, for an answer with one row.
  init(_ attribute: Attribute, of answer: Answer, in catalog: Catalog, for use: TextSink) {
    content = .value(attribute)
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// Creates the text of an SQL INSERT statement, for an answer with one row.
  init(insertionOf answer: Answer, in catalog: Catalog, for use: TextSink) {
    content = .insertion
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// Returns the rendered text.
  ///
  /// - Parameter tell: Called at intervals with the number of rows done so far.
  /// - Throws: `cancelled` if the task is canceled, or an error if the format cannot represent the
  ///   answer.
  package func text(tell: (Int) -> Void = { _ in }) throws(QueryError) -> String {
    switch content {
    case .rows(.json), .rows(.object): try json(tell: tell)
    case .rows(.document): try portions(.json, tell: tell)
    case .rows(.csv): try portions(.csv, tell: tell)
    case .rows(.table): TextTable(answer: answer, snapshot: catalog.snapshot).text
    case .rows(.ids):
      answer.rows.map { catalog.naming($0, in: answer.namespace) }.joined(separator: "\n")
    case .column(let column):
      ([column.label] + answer.rows.map { catalog.text(of: $0, column.source) })
        .joined(separator: "\n")
    case .link(let link):
      answer.rows.map { catalog.text(of: $0, .link(link)) }.joined(separator: "\n")
    case .value(let attribute):
      answer.rows.map { catalog.text(of: $0, .attribute(attribute)) }.joined(separator: "\n")
    case .insertion:
      answer.rows.map { catalog.insertion(of: $0, answer.namespace, counted: counted?.store) }
        .joined(separator: "\n")
    }
  }

  /// The query that loads the contents of BLOBs; nil if they are not needed or already loaded.
  package var blobQuery: QueryPlan? {
    switch content {
    case .rows(.json), .rows(.object), .rows(.document), .rows(.csv), .column, .value, .insertion:
      answer.blobQuery(among: answer.rows)
    case .rows(.table), .rows(.ids), .link: nil
    }
  }

  /// Returns the text with the contents of BLOBs that `blobs` contains.
  package func resolvingBlobs(by blobs: TripleStore) -> TextRendering {
    var complete = self
    complete.counted = catalog
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
    return content == .rows(.object) ? list : "[" + list + "]"
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
    if case .link(let link) = content {
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
