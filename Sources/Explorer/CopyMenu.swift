import InstaQL
import Triples

/// What can be copied from where one is, each as the text that would be copied.
struct CopyMenu {
  private var entries: [MenuPane.Entry] = []

  var pane: MenuPane { MenuPane("Copy", entries) }

  /// - Parameter text: nil where there is nothing of this kind.
  mutating func add(_ key: Character, _ label: String, _ text: String?) {
    guard let text else { return }
    entries.append(
      MenuPane.Entry(
        key: key, label: label, detail: Self.preview(text), wishes: [.effect(.copy(text))]))
  }

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

  private static func preview(_ text: String) -> String {
    let line = text.prefix(longestPreview).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.count > longestPreview ? "…" : "")
  }

  private static let longestPreview = 40
  /// More rows than this are no text that a clipboard takes.
  static let mostRows = 5_000

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
      return store.targets(entity, link).map { store.id(of: $0).text }.joined(separator: "\n")
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

extension ResultTable {
  /// Some entities as JSON, nested as the query says.
  func json(of entities: [EntityHandle]) -> String {
    "[" + entities.compactMap { catalog.json(of: $0, answer.plan) }.joined(separator: ",") + "]"
  }

  /// A column as lines, beginning with its name; nil when it is too long for a clipboard.
  func text(ofColumn column: TableColumn) -> String? {
    guard answer.rows.count <= CopyMenu.mostRows else { return nil }
    let values = answer.rows.map { catalog.text(of: $0, column.source) }
    return ([column.label] + values).joined(separator: "\n")
  }

  /// The whole answer as JSON; nil when it is too long for a clipboard.
  var json: String? {
    guard answer.rows.count <= CopyMenu.mostRows else { return nil }
    do throws(QueryError) {
      var output = JSONOutput()
      try QueryEngine.rows(answer, upTo: 1 << 20, into: &output)
      return output.text
    } catch {
      return nil
    }
  }
}

extension EntityPane {
  func copyMenu(in context: PaneContext) -> MenuPane {
    var menu = CopyMenu()
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entity) else {
      return menu.pane
    }
    if case .attribute(let attribute)? = chosen?.content {
      menu.add("c", attribute.label, catalog.text(of: handle, .attribute(attribute)))
    }
    menu.add("e", "entity as JSON", catalog.json(of: handle, QueryPlan(namespace)))
    menu.add("k", "its id", entity.text)
    return menu.pane
  }
}

extension Model {
  /// What can be copied in the standing panes.
  mutating func openCopyMenu() -> [Effect] {
    var menu = CopyMenu()
    if focus == .results, let table = results.table, let chosen = results.chosenEntity {
      let catalog = table.catalog
      let isRow = chosen.namespace == table.answer.namespace
      if isRow, let column = results.chosenColumn {
        menu.add("c", "cell", catalog.text(of: chosen.entity, column.source))
      }
      menu.add(
        "e", "entity as JSON",
        catalog.json(of: chosen.entity, isRow ? table.answer.plan : QueryPlan(chosen.namespace)))
      menu.add("k", "its id", catalog.store.id(of: chosen.entity).text)
      if isRow, let column = results.chosenColumn {
        menu.add("o", "column \(column.label)", table.text(ofColumn: column))
      }
    }
    if let table = results.table {
      let marked = markedEntities
      if !marked.isEmpty, marked.count <= CopyMenu.mostRows {
        let count = NumberText.grouped(marked.count)
        menu.add("m", "\(count) marked as JSON", table.json(of: marked))
        menu.add(
          "d", "ids of the marked",
          marked.map { table.catalog.store.id(of: $0).text }.joined(separator: "\n"))
      }
      if table.answer.rows.count <= 1_000, table.answer.count == nil {
        menu.add(
          "t", "answer as text",
          TextTable(answer: table.answer, snapshot: table.catalog.snapshot).text)
      }
      menu.add("a", "answer as JSON", table.json)
    }
    menu.addQuery(composer?.plan, address: address)
    open(menu.pane)
    return []
  }
}
