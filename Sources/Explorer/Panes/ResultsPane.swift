import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples
import Widgets

/// The answer as a live table.
///
/// The cursor belongs to an entity and a column instead of a line: it stays on its entity when rows
/// are added or removed above.
struct ResultsPane: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case nothing
    case loading
    case table(ResultTable)
    case failed(LiveFailure)
  }

  var content = Content.nothing
  private(set) var elapsed = Duration.zero
  var cursor = ListCursor()
  /// The selected column of the rows.
  var column = 0
  /// The selected columns of expanded relations, by nesting level.
  var columnsBeneath: [Int] = []
  /// The column to select as soon as it exists.
  var wantedColumn: String?
  /// The relation expanded below each entity.
  var opened: [EntityPath: Link] = [:]
  private(set) var form = AnswerForm.table
  /// The column settings of the namespace.
  private(set) var settings = ColumnSettings()
  /// The text to search for.
  var pattern = TextPattern()
  /// The current answer, for comparison with the next one.
  private(set) var shown: LiveAnswer?
  /// The baseline for differences: the first answer, or one that the user chose.
  ///
  /// Nil if it has too many rows.
  private(set) var origin: LiveAnswer?
  /// The recent changes.
  private(set) var highlights = ChangeHighlights()
  /// The number of rows added since the query was run, until the user moves.
  private(set) var came = 0
  /// The number of rows removed since the query was run, until the user moves.
  private(set) var went = 0
  /// The links of visible rows of a remote store.
  private var linked: StoreSnapshot?
  /// The links of nested rows, by namespace.
  private var beneath: [String: NestedLinks] = [:]
  /// The loaded window of an answer that is too long to be loaded at once.
  var rowWindow = RowWindow()
  /// The path to the entity under the cursor, kept across answers; empty for none.
  private(set) var chosen: EntityPath = []
  /// The locator of the cursor's row in another query if the row may not be loaded.
  var locator: CursorLocator?
  /// A created entity whose row the cursor moves to as soon as it exists.
  var awaited: EntityID?
  /// The line of the expanded relation under the cursor if it has no entity; nil otherwise.
  private var edge: ResultTable.RelationEdge?
  /// Whether the user kept the cursor on the first row or moved it there.
  private var isOnTop = true
  /// The rows and columns that the column widths were fitted to last.
  var measured = Measured()
  /// The reading position in the document of the entity under the cursor.
  var reading = ReadingPosition()

  /// Whether no rows are shown.
  var isEmpty: Bool { table.map { $0.lineCount == 0 } ?? true }

  var table: ResultTable? {
    if case .table(let table) = content { return table }
    return nil
  }

  /// Resets the pane for another query; `keepingPlace` if it has the same namespace.
  mutating func expect(keepingPlace: Bool) {
    if keepingPlace {
      // A cursor at the top stays at the top instead of following the previous first row, unless
      // its row is still being located.
      if locator == nil, isOnTop, cursor.index == 0 { (chosen, edge) = ([], nil) }
      locator = CursorLocator(for: locator?.trail ?? chosen)
      return
    }
    let (form, pattern) = (form, pattern)
    self = ResultsPane()
    self.form = form
    self.pattern = pattern
    content = .loading
  }

  /// Stops waiting for the answer.
  mutating func giveUp() {
    guard content == .loading else { return }
    content = .failed(LiveFailure(message: "Canceled"))
  }

  /// Restores the cursor of a previous view.
  mutating func restore(_ place: Place, page: Int) {
    column = place.column
    (chosen, edge) = (place.trail, nil)
    locator = CursorLocator(for: chosen)
    opened = place.opened
    if table != nil { follow(page: page) }
  }

  /// Receives a result; the cursor stays on its entity if that is still in the answer.
  ///
  /// - Parameter style: The style of highlights for changes; nil for none.
  mutating func receive(
    _ result: LiveResult, page: Int, marking style: ChangeHighlights.Style? = nil
  ) {
    switch result {
    case .loading:
      if table == nil { content = .loading }
    case .failed(let failure): content = .failed(failure)
    case .loaded(let live):
      guard let answer = live.answers.first else { return }
      elapsed = live.elapsed
      note(live, marking: style)
      let catalog = catalog(of: live.snapshot)
      rowWindow.record(answer)
      lay(answer, catalog, page: page)
    }
  }

  /// Shows an answer; the cursor keeps its entity and its place on the screen.
  private mutating func lay(_ answer: Answer, _ catalog: Catalog, page: Int) {
    lay(
      ResultTable(answer: answer, catalog: catalog, settings: settings, keepingWidthsOf: table),
      page: page)
  }

  private mutating func lay(_ new: ResultTable, page: Int) {
    var new = new
    new.open(form == .table ? opened : [:])
    keepColumn(in: new)
    stay(in: new.answer, of: new.height, page: page)
    content = .table(new)
    measured = Measured()
    reading.kept = nil
    follow(page: page)
  }

  /// Keeps the cursor in its column when another query shows it at another place.
  private mutating func keepColumn(in new: ResultTable) {
    guard let table, table.columns.indices.contains(column) else { return }
    let label = table.columns[column].label
    column = new.columns.firstIndex { $0.label == label } ?? column
  }

  /// The catalog of the rows, with side queries and staged changes.
  private func catalog(of snapshot: StoreSnapshot) -> Catalog {
    var catalog = Catalog(snapshot: snapshot, linked: linked)
    catalog.beneath = beneath
    return catalog
  }

  /// Whether links of the rows are known.
  var knowsLinked: Bool { linked != nil }
  func knowsBeneath(_ namespace: String) -> Bool { beneath[namespace] != nil }

  /// Receives the links of visible rows.
  mutating func receive(linked snapshot: StoreSnapshot?, page: Int) {
    linked = snapshot
    showLinked(page: page)
  }

  /// Receives the links of nested rows.
  mutating func receive(beneath nested: NestedLinks, of namespace: String, page: Int) {
    guard beneath[namespace] != nested else { return }
    beneath[namespace] = nested
    showLinked(page: page)
  }

  private mutating func showLinked(page: Int) {
    guard let table else { return }
    var catalog = table.catalog
    (catalog.linked, catalog.beneath) = (linked, beneath)
    lay(ResultTable(table, knowing: catalog), page: page)
  }

  /// Expands a relation of the selected entity as soon as it exists.
  mutating func note(opened link: Link) {
    guard let table, table.lineCount > 0 else { return }
    opened[table.trail(ofLine: cursor.index)] = link
  }

  /// Keeps the rows at their place on the screen when the answer starts at another row.
  private mutating func stay(in answer: Answer, of height: Int, page: Int) {
    guard let before = table?.answer, before.plan == answer.plan else { return }
    let moved = (before.window?.skipped ?? 0) - (answer.window?.skipped ?? 0)
    if moved != 0 { cursor.turn(by: moved, of: height, page: page) }
  }

  /// Highlights the changes since the previous answer to the same query.
  private mutating func note(_ live: LiveAnswer, marking style: ChangeHighlights.Style?) {
    if origin?.document != live.document { origin = AnswerDiff.isPossible(live) ? live : nil }
    defer { shown = live }
    guard let shown, let before = shown.answers.first, let answer = live.answers.first,
      before.plan == answer.plan, before.window?.skipped == answer.window?.skipped
    else {
      highlights.clear()
      (came, went) = (0, 0)
      return
    }
    // A change of this session on top is not highlighted.
    if live.snapshot.base.store.isIdentical(to: shown.snapshot.base.store) { return }
    let all = live.snapshot.changes(since: shown.snapshot)
    guard answer.rows.count <= Self.maxCompared else {
      let difference = answer.total - before.total
      if difference > 0 { came += difference } else { went -= difference }
      if let style, let all { highlights.add(all, in: live.snapshot.store, style) }
      return
    }
    guard let changes = live.changes(since: shown)?.first else { return }
    came += changes.inserted.count
    went += changes.removed.count
    if let style { highlights.add(changes, among: all, of: answer, style) }
  }

  /// Sets the current answer as the baseline for differences.
  mutating func setBaseline() {
    if let shown, AnswerDiff.isPossible(shown) { origin = shown }
  }

  /// The maximum number of rows whose arrivals and departures are counted on every change.
  private static let maxCompared = 20_000

  mutating func tick(_ now: ContinuousClock.Instant) {
    highlights.tick(now)
    if highlights.isEmpty { (came, went) = (0, 0) }
  }

  /// Clears steady highlights once the user acted.
  mutating func clearSteadyMarks() {
    guard highlights.isSteady else { return }
    highlights.clear()
    (came, went) = (0, 0)
  }

  /// Applies column settings; the cursor stays in its column if that is still visible.
  mutating func arrange(_ settings: ColumnSettings, page: Int) {
    guard settings != self.settings else { return }
    self.settings = settings
    guard let table else { return }
    var new = ResultTable(
      answer: table.answer, catalog: table.catalog, settings: settings, keepingWidthsOf: table)
    new.open(form == .table ? opened : [:])
    keepColumn(in: new)
    content = .table(new)
    measured = Measured()
    follow(page: page)
  }

  /// Moves the cursor to the line of its entity.
  private mutating func follow(page: Int) {
    guard let table else { return }
    reachWantedColumn()
    reachAwaited(in: table)
    column = min(column, max(0, (table.grid?.columns.count ?? table.columns.count) - 1))
    let here = min(cursor.index, max(0, table.lineCount - 1))
    if let locator, !table.isWithout(locator.entity) {
      (chosen, edge, self.locator) = (locator.trail, nil, nil)
      // The located row may be slightly off by now.
      rowWindow.setDestination(nil)
    }
    let locator = locator
    if !chosen.isEmpty, (table.trail(ofLine: here), table.edge(onLine: here)) != (chosen, edge),
      let line = edge.flatMap({ table.line(of: $0, beneath: chosen) }) ?? table.line(of: chosen)
    {
      cursor.move(to: line, of: table.height, page: page)
    } else {
      cursor.move(by: 0, of: table.height, page: page)
    }
    remember()
    self.locator = locator
    readDocument()
  }

  /// Chooses the row of a created entity, which may have to be located.
  private mutating func reachAwaited(in table: ResultTable) {
    guard let made = awaited, let handle = table.catalog.store.handle(of: made) else { return }
    awaited = nil
    if table.isWithout(made) {
      locator = CursorLocator(for: [made])
    } else if table.answer.rows.contains(handle) {
      (chosen, edge, locator) = ([made], nil, nil)
    }
  }

  mutating func remember() {
    guard let table, cursor.index < table.lineCount else { return }
    let trail = table.trail(ofLine: cursor.index)
    if trail != chosen { (reading.line, locator, isOnTop) = (0, nil, cursor.index == 0) }
    chosen = trail
    edge = table.edge(onLine: cursor.index)
  }

  /// Sets the view of answers.
  mutating func show(as form: AnswerForm) { self.form = form }

  /// Switches to the next view.
  mutating func cycleFormat(page: Int) { show(as: form.next, page: page) }

  /// Switches to another view.
  mutating func show(as form: AnswerForm, page: Int) {
    self.form = form
    guard var table else { return }
    table.open(form == .table ? opened : [:])
    content = .table(table)
    follow(page: page)
  }
}
