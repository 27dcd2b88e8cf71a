package import InstaQL
package import Triples

/// What a text is for.
package enum TextUse: Sendable, Equatable {
  case copying, outside

  /// More than that is no text for a clipboard, or a pager.
  fileprivate var mostBytes: Int {
    switch self {
    case .copying: TextMenu.mostBytes
    case .outside: 32 << 20
    }
  }
}

/// A text that is made of rows when somebody wants it: to list what can be had costs next to nothing.
package struct TextOrder: Sendable, Equatable {
  package enum Form: Sendable, Equatable {
    /// A list of objects, alone or within what the whole document says.
    case json, document
    case csv
    /// In columns, for reading.
    case table
    case ids
    /// One entity, in no list.
    case object
  }

  private enum Content: Sendable, Equatable {
    case rows(Form)
    case column(TableColumn)
    /// What a link of the only row leads to.
    case link(Link)
    /// A value of the only row.
    case value(Attribute)
    /// The only row as a statement of SQL.
    case insertion
  }

  private let content: Content
  private var answer: Answer
  private var catalog: Catalog
  /// Where bytes are only counted that are given here.
  private var counted: Catalog?
  let use: TextUse

  package init(_ form: Form, of answer: Answer, in snapshot: StoreSnapshot, for use: TextUse) {
    self.init(form, of: answer, in: Catalog(snapshot: snapshot), for: use)
  }

  init(_ form: Form, of answer: Answer, in catalog: Catalog, for use: TextUse) {
    content = .rows(form)
    (self.answer, self.catalog, self.use) = (answer.inferringCardinality, catalog, use)
  }

  /// A column as lines, beginning with its name.
  init(_ column: TableColumn, of answer: Answer, in catalog: Catalog) {
    content = .column(column)
    (self.answer, self.catalog, use) = (answer, catalog, .copying)
  }

  /// The ids of what a link leads to from the only row.
  init(_ link: Link, of answer: Answer, in catalog: Catalog, for use: TextUse) {
    content = .link(link)
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// A value of the only row.
  init(_ attribute: Attribute, of answer: Answer, in catalog: Catalog, for use: TextUse) {
    content = .value(attribute)
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// The only row as a statement of SQL.
  init(insertionOf answer: Answer, in catalog: Catalog, for use: TextUse) {
    content = .insertion
    (self.answer, self.catalog, self.use) = (answer, catalog, use)
  }

  /// The text.
  ///
  /// - Parameter tell: Told now and then how many rows are done.
  /// - Throws: `cancelled` when the task is; what the form says of an answer that it cannot hold.
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

  /// What asks for the bytes that the text would only count; nil where it counts none.
  package var questionOfBytes: QueryPlan? {
    switch content {
    case .rows(.json), .rows(.object), .rows(.document), .rows(.csv), .column, .value, .insertion:
      answer.questionOfBytes(among: answer.rows)
    case .rows(.table), .rows(.ids), .link: nil
    }
  }

  /// The same with bytes that are told.
  package func spelling(by told: TripleStore) -> TextOrder {
    var spelled = self
    spelled.counted = catalog
    spelled.answer = answer.spelling(by: told)
    spelled.catalog = catalog.spelling(in: spelled.answer.store)
    return spelled
  }

  /// Rows of a text that is made in pieces.
  private static let rowsAtOnce = 500

  private func json(tell: (Int) -> Void) throws(QueryError) -> String {
    if answer.table != nil {
      var output = JSONOutput()
      try QueryEngine.rows(answer, upTo: use.mostBytes, into: &output)
      return output.text
    }
    var text: [UInt8] = []
    for start in stride(from: 0, to: answer.rows.count, by: Self.rowsAtOnce) {
      let rows = answer.rows[start..<min(answer.rows.count, start + Self.rowsAtOnce)]
      var output = JSONOutput()
      try QueryEngine.rows(answer.showing(rows), upTo: use.mostBytes, into: &output)
      if start > 0 { text.append(UInt8(ascii: ",")) }
      // Without the brackets of its own list.
      text += output.bytes.dropFirst().dropLast()
      try note(text.count, rows: start + rows.count, tell)
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
      try note(text.count, rows: portions.done, tell)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Goes on only while somebody waits and the text is not too long.
  private func note(_ bytes: Int, rows: Int, _ tell: (Int) -> Void) throws(QueryError) {
    if Task.isCancelled { throw .cancelled }
    if bytes > use.mostBytes { throw .store(Self.tooLong) }
    if rows < answer.rows.count { tell(rows) }
  }

  private static let tooLong = "This is more than a pager takes"

  /// Why there is no text, and what takes the rows.
  func notice(of error: QueryError) -> Notice {
    switch use {
    case .copying: .tooManyRowsToCopy(answer.pageCount)
    case .outside: .tooLongForPager(error.message)
    }
  }
}

// Before it is made.
extension TextOrder {
  /// How the text begins, made of a few rows and nothing that hangs on them; nil when it cannot be made.
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
