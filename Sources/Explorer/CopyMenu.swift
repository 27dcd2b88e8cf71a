import InstaQL
import Triples

// What can be copied.
extension TextMenu {
  /// The present query in all its spellings, and the command that shows it again.
  mutating func addQuery(_ plan: QueryPlan?, address: String) {
    guard let plan else { return }
    let document = QueryDocument(plan)
    add("q", "query as text", document.text)
    add("i", "query as InstaQL", document.canonicalJSON)
    add("w", "query as Swift", document.swiftSpelling)
    add(
      "l", "command that reopens it",
      "sonde \(Self.quoted(address)) \(Self.quoted(document.text))")
  }

  /// More rows than this are no text that a clipboard takes.
  static let mostRows = 5_000
  static let mostBytes = 1 << 20

  /// As a shell reads it back: in single quotes unless every character stands for itself.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "-")...UInt8(ascii: ":")).contains($0) || $0 == UInt8(ascii: "_")
      }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

extension Catalog {
  /// What a cell says, whole and as stored.
  func text(of entity: EntityHandle, _ source: TableColumn.Source) -> String {
    switch source {
    case .attribute(let attribute):
      if attribute.label == "id" { return store.id(of: entity).text }
      let value = store.value(entity, attribute.id)
      if case .text(let plain)? = value { return plain }
      return value.map { JSONWriter.text($0) } ?? ""
    case .link(let link):
      let own = store.targets(entity, link).map { store.id(of: $0).text }
      let told = linkedEntities(of: entity, link).map { told in
        told.entities.map { told.catalog.store.id(of: $0).text }
      }
      return (own.isEmpty ? told ?? [] : own).joined(separator: "\n")
    }
  }

  /// The entity as JSON, with the relations that the plan asks for.
  func json(of entity: EntityHandle, _ plan: QueryPlan) -> String? {
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(
        plan.removing(.filter, .order, .page, .count), schema)
      let answer = try QueryEngine.answer(prepared, among: RowSet([entity]), in: store)
      var output = JSONOutput()
      try QueryEngine.rows(answer, into: &output)
      return String(output.text.dropFirst().dropLast())
    } catch {
      return nil
    }
  }
}

extension Catalog {
  /// Entities as CSV, their names in the first line, nested as a plan says.
  func csv(of entities: [EntityHandle], _ plan: QueryPlan) -> String? {
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(
        plan.removing(.filter, .order, .page, .count), schema)
      let answer = try QueryEngine.answer(prepared, among: RowSet(entities), in: store)
      let options = QueryOptions(mostBytes: TextMenu.mostBytes)
      let bytes = try ResultFormat.csv.bytes(of: [answer], options: options)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// The entity as a statement of SQL; a link to one is a column with its id.
  func insertion(of entity: EntityHandle, _ namespace: String) -> String {
    var columns: [(name: String, value: String)] = []
    for attribute in schema.attributes(of: namespace) where attribute.valueType == .blob {
      let value =
        attribute.isIdentity ? .text(store.id(of: entity).text) : store.value(entity, attribute.id)
      if let value { columns.append((attribute.label, SQLText.literal(value))) }
    }
    for link in schema.links(of: namespace)
    where link.direction == .forward && link.cardinality == .one {
      guard let target = store.targets(entity, link).first else { continue }
      columns.append((link.label, SQLText.literal(.text(store.id(of: target).text))))
    }
    return "INSERT INTO \(SQLText.name(namespace)) ("
      + columns.map { SQLText.name($0.name) }.joined(separator: ", ") + ") VALUES ("
      + columns.map(\.value).joined(separator: ", ") + ");"
  }
}

/// Names and values as SQL writes them.
enum SQLText {
  /// In quotes, as it may be a word of the language's own.
  static func name(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    case .integer, .double: JSONWriter.text(value)
    case .text(let text): quoted(text)
    case .array, .object: quoted(JSONWriter.text(value))
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}

extension ResultTable {
  /// Some entities as JSON, nested as the query says.
  func json(of entities: [EntityHandle]) -> String {
    "[" + entities.compactMap { catalog.json(of: $0, answer.plan) }.joined(separator: ",") + "]"
  }

  /// A column as lines, beginning with its name; nil when it is too long for a clipboard.
  func text(ofColumn column: TableColumn) -> String? {
    guard answer.stretch == nil, answer.rows.count <= TextMenu.mostRows else { return nil }
    let values = answer.rows.map { catalog.text(of: $0, column.source) }
    return ([column.label] + values).joined(separator: "\n")
  }

  /// The whole answer as CSV; nil when it is too long for a clipboard.
  var csv: String? {
    guard answer.stretch == nil, answer.rows.count <= TextMenu.mostRows else { return nil }
    do throws(QueryError) {
      let options = QueryOptions(mostBytes: TextMenu.mostBytes)
      return String(
        decoding: try ResultFormat.csv.bytes(of: [answer], options: options), as: UTF8.self)
    } catch {
      return nil
    }
  }

  /// The whole answer as JSON; nil when it is too long for a clipboard.
  var json: String? {
    guard answer.stretch == nil, answer.rows.count <= TextMenu.mostRows else { return nil }
    do throws(QueryError) {
      var output = JSONOutput()
      try QueryEngine.rows(answer, upTo: TextMenu.mostBytes, into: &output)
      return output.text
    } catch {
      return nil
    }
  }
}

extension Model {
  /// What can be copied in the standing panes; of a long answer all rows are read first, if they are
  /// not too many for a clipboard.
  mutating func openCopyMenu() -> [Effect] {
    guard let answer = tab.results.table?.answer, answer.stretch != nil,
      answer.pageCount <= TextMenu.mostRows
    else { return openCopyMenu(of: tab.results.table) }
    return [.complete(answer, for: .copying)]
  }

  /// - Parameter table: All rows of the answer, where they are known.
  mutating func openCopyMenu(of table: ResultTable?) -> [Effect] {
    var menu = TextMenu(.copying)
    addChosen(to: &menu)
    if tab.focus == .results, let table, let column = tab.results.chosenColumn,
      tab.results.blockHere == nil, tab.results.chosenEntity != nil
    {
      menu.addRows(
        "o", "column \(column.label)", table.text(ofColumn: column), of: table.answer.pageCount)
    }
    if let table {
      let marked = markedEntities
      if let table = tab.results.table, !marked.isEmpty, marked.count <= TextMenu.mostRows {
        // Of a long answer not all that were marked need be at hand.
        let count =
          NumberText.grouped(marked.count)
          + (marked.count < markedCount && table.answer.stretch != nil
            ? " of \(NumberText.grouped(markedCount))" : "")
        menu.add("m", "\(count) marked as JSON", table.json(of: marked))
        menu.add("v", "\(count) marked as CSV", table.catalog.csv(of: marked, table.answer.plan))
        menu.add(
          "d", "ids of the marked",
          marked.map { table.catalog.store.id(of: $0).text }.joined(separator: "\n"))
      }
      if table.answer.stretch == nil, table.answer.rows.count <= 1_000, table.answer.count == nil {
        menu.add(
          "t", "answer as text",
          TextTable(answer: table.answer, snapshot: table.catalog.snapshot).text)
      }
      menu.addRows("a", "answer as JSON", table.json, of: table.answer.pageCount)
      menu.addRows("s", "answer as CSV", table.csv, of: table.answer.pageCount)
    }
    menu.addQuery(tab.composer?.plan, address: store.address)
    open(menu.pane)
    return []
  }
}
