import InstaQL
import Triples

// Builds the menu of texts that can be copied.
extension TextMenu {
  /// Adds entries for the query in each notation and for the shell command that reopens this view.
  ///
  /// - Parameter text: The query as text.
  mutating func addQuery(
    _ plan: QueryPlan, _ text: String, in form: AnswerForm = .table, address: String
  ) {
    let document = QueryDocument(plan)
    add("q", "query as text", text)
    add("i", "query as InstaQL", document.canonicalJSON)
    add("w", "query as Swift", document.swiftSpelling)
    add(
      "l", "command that reopens this view",
      "sonde \(Self.quoted(address)) \(Self.quoted(text))"
        + (form == .table ? "" : " --view \(form.rawValue)"))
  }

  /// The maximum number of rows to copy. More rows are too long for a clipboard.
  static let maxRows = 5_000

  /// Returns the text quoted for a shell. It is in single quotes unless it has no special
  /// characters.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "-")...UInt8(ascii: ":")).contains($0) || $0 == UInt8(ascii: "_")
      }
    return isPlain ? text : "'" + text.escaping("'", as: "'\\''") + "'"
  }
}

extension Catalog {
  /// Returns the full value of an entity's cell, as stored.
  func text(of entity: EntityHandle, _ source: ColumnSource) -> String {
    switch source {
    case .attribute(let attribute):
      if attribute.isIdentity { return store.id(of: entity).text }
      return store.value(entity, attribute.id)?.plainText ?? ""
    case .link(let link):
      guard let targets = targets(of: entity, link) else { return "" }
      if let key = keyText(of: entity, link) { return key }
      return targets.entities.map { targets.catalog.displayID(of: $0, in: link.target) }
        .joined(separator: "\n")
    case .computed(let column):
      let value = column.value(of: entity, in: store)
      return value == .null ? "" : value.plainText
    }
  }

  /// Returns the entity as JSON, with the relations that the plan includes.
  func json(of entity: EntityHandle, _ plan: QueryPlan) -> String? {
    answer(of: entity, plan).flatMap {
      try? TextSink.outside.text(of: Rendering(.object, of: $0, in: self))
    }
  }

  /// Returns an answer whose only row is the entity, with the relations of the plan. Nil if the
  /// plan is invalid.
  func answer(of entity: EntityHandle, _ plan: QueryPlan) -> Answer? {
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(plan.removing(.filter, .order, .page, .count), schema)
      return try QueryEngine.answer(prepared, among: RowSet([entity]), in: store)
    } catch {
      return nil
    }
  }
}

extension Workspace {
  /// Opens a menu of the texts that can be copied in the main panes.
  ///
  /// Rows of the answer that are not loaded are read first, unless they are too many for a
  /// clipboard.
  mutating func openCopyMenu() -> [Effect] {
    guard let answer = tab.results.table?.answer, answer.window != nil,
      answer.pageCount <= TextMenu.maxRows, !showsBeginning
    else { return openCopyMenu(of: tab.results.table) }
    return requests.begin(.complete(answer), for: .copy)
  }

  /// Opens the copy menu with all rows of an answer that was read for the menu.
  mutating func openCopyMenu(
    of answer: Answer, in snapshot: StoreSnapshot, plan: QueryPlan
  ) -> [Effect] {
    // The user may be typing in another pane by now, and a menu would capture those keys.
    guard let table = tab.results.table, table.answer.plan == plan, prompt == nil,
      tab.overlays.isEmpty, tab.focus == .results
    else { return [] }
    return openCopyMenu(
      of: ResultTable(
        answer: answer, catalog: Catalog(snapshot: snapshot), settings: table.settings,
        moving: table.moved))
  }

  /// Opens the copy menu.
  ///
  /// - Parameter table: A table with all rows of the answer; nil if there is none.
  mutating func openCopyMenu(of table: ResultTable?) -> [Effect] {
    var menu = TextMenu(.copying)
    addChosen(to: &menu)
    if let table {
      if tab.focus == .results, let source = tab.results.chosenColumn?.source,
        tab.results.relationAtCursor == nil, tab.results.chosenEntity != nil
      {
        menu.addColumn(source, of: table)
      }
      addMarked(to: &menu, beside: table)
      menu.addAnswer(table)
    }
    if let plan = tab.plan {
      menu.addQuery(
        plan, typedText(of: plan), in: tab.results.form, address: store.identity.address)
    }
    if menu.isEmpty { return notify(missingRowReason) }
    open(menu.pane)
    return []
  }

  /// Adds the texts that can be copied from the entity at the cursor.
  func addChosen(to menu: inout TextMenu) {
    guard tab.focus == .results, let row = tab.results.chosenRow else { return }
    menu.add(row, called: "cell")
  }

  /// Adds entries for the selected rows to the menu.
  ///
  /// - Parameter table: The table with all rows of the answer, if the screen shows only some of
  ///   them.
  private func addMarked(to menu: inout TextMenu, beside table: ResultTable) {
    let marked = markedEntities
    guard let shown = tab.results.table, !marked.isEmpty, marked.count <= TextMenu.maxRows,
      shown.answer.table == nil
    else { return }
    // Some of the selected rows of a long answer may not be loaded.
    let isPart = marked.count < markedCount && table.answer.window != nil
    let rows =
      isPart
      ? "\(NumberText.grouped(marked.count)) of \(NumberText.grouped(markedCount)) selected rows"
      : NumberText.count(marked.count, "selected row")
    let answer = shown.answer.choosing(marked)
    func order(_ form: Rendering.Format) -> Rendering {
      Rendering(form, of: answer, in: shown.catalog)
    }
    menu.add("m", "\(rows) as JSON", order(.json))
    menu.add("v", "\(rows) as CSV", order(.result(.csv)))
    menu.add("x", "\(rows) as Markdown", order(.result(.markdown)))
    menu.add(
      "d", "\(shown.catalog.areRows(answer.namespace) ? "keys" : "ids") of the selected rows",
      order(.ids))
  }
}

extension TextMenu {
  fileprivate mutating func addColumn(_ source: ColumnSource, of table: ResultTable) {
    addRows("o", "column “\(source.label)”", of: table) {
      Rendering(.values(source, heading: source.label), of: table.answer, in: table.catalog)
    }
  }

  fileprivate mutating func addAnswer(_ table: ResultTable) {
    let answer = table.answer
    func order(_ form: Rendering.Format) -> Rendering {
      Rendering(form, of: answer, in: table.catalog)
    }
    if answer.window == nil, answer.rows.count <= Self.maxTextRows, answer.count == nil,
      !table.isBeginning
    {
      add("t", "results as table", order(.table))
    }
    addRows("a", "results as JSON", of: table) { order(.json) }
    addRows("s", "results as CSV", of: table) { order(.result(.csv)) }
    addRows("M", "results as Markdown", of: table) { order(.result(.markdown)) }
  }

  /// Adds the rows of an answer, or a hint if they are too many for a clipboard or not loaded yet.
  private mutating func addRows(
    _ key: Character, _ label: String, of table: ResultTable, _ order: () -> Rendering
  ) {
    if table.isBeginning {
      add(key, label, in: "still loading", [.show(.loading)])
    } else if table.answer.window == nil, table.answer.rows.count <= Self.maxRows {
      add(key, label, order())
    } else {
      add(
        key, label, in: "too long for the clipboard",
        [.show(.tooManyRowsToCopy(table.answer.pageCount))])
    }
  }

  private static let maxTextRows = 1_000
}
