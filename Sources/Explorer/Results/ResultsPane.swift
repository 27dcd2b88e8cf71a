import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples
import Widgets

/// The results: the answer to the current query, updated live.
///
/// The cursor belongs to an entity and a column rather than to a line. It stays on its entity when
/// rows are added or removed above it.
struct ResultsPane: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    case nothing
    case loading
    case table(ResultTable)
    case failed(LiveFailure)
  }

  var content = Content.nothing
  var cursor = ListCursor()
  /// The selected column of the rows, then those of expanded relations, by nesting level.
  var chosenColumns = [0]
  /// The label of the column to select as soon as it exists.
  var wantedColumn: String?
  /// The relations expanded below each entity.
  var opened: ExpandedLinks = [:]
  /// The relations to expand in the next answer, because the user just included them.
  var unfolding: Set<[String]> = []
  var folds = DocumentFolds()
  var form = AnswerForm.table
  /// What `neededColumns` was when the rows that were shown before were replaced.
  var previousNeededColumns = 0
  /// What `neededColumns` was for earlier queries of the same namespace, and in other forms.
  var keptNeededColumns = 0
  /// The column settings of the namespace.
  private(set) var settings = ColumnSettings()
  /// The text to find in the results.
  var pattern = TextPattern()
  /// Whether the pattern is still being typed, so that only the match at the cursor is highlighted.
  /// All matches would change the whole screen with each letter.
  var isPatternTyped = false
  /// The current answer, with which the next answer is compared to find changes.
  private(set) var shown: LiveAnswer?
  /// The baseline for differences: the first answer, or an answer that the user chose.
  ///
  /// Nil if it has too many rows to compare.
  private(set) var origin: LiveAnswer?
  /// The recent changes, which are highlighted.
  private(set) var highlights = ChangeHighlights()
  /// The number of rows added recently. It is reset when the highlights disappear.
  private(set) var addedCount = 0
  /// The number of rows removed recently. It is reset when the highlights disappear.
  private(set) var removedCount = 0
  /// The links of a remote store's rows, from side queries.
  private var loadedLinks: [LinkedRows: LoadedLinks] = [:]
  /// The loaded part of an answer that is too long to load at once.
  var rowWindow = RowWindow()
  /// The path to the entity at the cursor, which is kept for the next answer; empty if there is
  /// none.
  private(set) var chosen: EntityPath = []
  /// The search for the cursor's row after the query changed; nil if no search is needed.
  var locator: CursorLocator?
  /// The id of an entity that was just created or restored. The cursor moves to its row as soon as it
  /// exists.
  var awaited: EntityID?
  /// The line at the cursor if it shows titles or a count of an expanded relation; otherwise nil.
  private var edge: ResultTable.RelationEdge?
  /// Whether the cursor was on the first row when it last moved to another entity. If it still is,
  /// it stays on the first row when the query changes.
  private var isOnTop = true
  /// The rows and columns that were measured for the current column widths.
  var measured = Measured()
  /// The reading position in the document of the entity at the cursor.
  var reading = ReadingPosition()

  /// The group at the cursor; nil if the rows are entities.
  var group: AnswerGroup?

  /// The reason why a query found nothing; nil if it is unknown.
  var emptyReason: EmptyReason?

  var table: ResultTable? {
    if case .table(let table) = content { return table }
    return nil
  }

  /// Prepares the pane for the answer to another query.
  ///
  /// - Parameters:
  ///   - isSameNamespace: Whether the query has the same namespace.
  ///   - keepingPlace: Whether to keep the cursor.
  mutating func expect(isSameNamespace: Bool, keepingPlace: Bool) {
    let kept = isSameNamespace ? table == nil ? keptNeededColumns : neededColumns : 0
    if keepingPlace {
      keptNeededColumns = kept
      // A cursor at the top stays at the top instead of following the previous first row. The
      // exception is a cursor whose row is still being located.
      if locator == nil, isOnTop, cursor.index == 0 { (chosen, edge) = ([], nil) }
      if cursor.index == 0 { group = nil }
      locator = CursorLocator(for: locator?.trail ?? chosen)
      return
    }
    let (form, pattern) = (form, pattern)
    self = ResultsPane(after: self)
    (self.form, self.pattern, keptNeededColumns) = (form, pattern, kept)
    content = .loading
  }

  /// Cancels waiting for the answer.
  mutating func giveUp() {
    guard content == .loading else { return }
    content = .failed(LiveFailure(message: "Canceled"))
  }

  /// Restores the cursor, the expanded relations and the collapsed values of a previous view.
  mutating func restore(_ place: Place, page: Int) {
    column = place.column
    (chosen, edge) = (place.trail, nil)
    locator = CursorLocator(for: chosen)
    (group, opened, folds) = (place.group, place.opened, place.folds)
    if table != nil { follow(page: page) }
  }

  /// Shows a result. The cursor stays on its entity if that is still in the answer.
  ///
  /// - Parameter style: The style for highlighting changes; nil for none.
  mutating func showResult(
    _ result: LiveResult, page: Int, marking style: ChangeHighlights.Style? = nil
  ) {
    switch result {
    case .loading:
      if table == nil { content = .loading }
    case .failed(let failure): content = .failed(failure)
    case .loaded(let live):
      guard let answer = live.answers.first else { return }
      highlightChanges(in: live, style)
      let catalog = catalog(of: live.snapshot, answering: answer.plan)
      rowWindow.record(answer)
      install(
        ResultTable(answer: answer, catalog: catalog, settings: settings, keepingWidthsOf: table),
        page: page)
      unfoldIncluded(page: page)
    }
  }

  /// Installs other columns or links of the current answer. If the cursor waits for the answer to
  /// another query, it still waits.
  private mutating func reinstall(_ table: ResultTable, page: Int) {
    let (chosen, edge, locator) = (chosen, edge, locator)
    install(table, page: page)
    guard chosen.isEmpty || locator != nil else { return }
    (self.chosen, self.edge, self.locator) = (chosen, edge, locator)
  }

  /// Installs a new answer. The cursor keeps its entity and its place on the screen.
  private mutating func install(_ new: ResultTable, page: Int) {
    var new = new
    new.open(form == .table ? opened : [:])
    restoreColumn(in: new)
    stay(in: new.answer, of: new.height, page: page)
    content = .table(new)
    measured = Measured()
    follow(page: page)
  }

  /// Selects the column with the same title as before if its index differs in the new table.
  mutating func restoreColumn(in new: ResultTable) {
    guard let table, table.columns.indices.contains(column) else { return }
    let label = table.columns[column].label
    column =
      new.columns.firstIndex { $0.label == label }
      ?? (table.isSummary == new.isSummary ? column : 0)
  }

  /// Returns the catalog of the rows, including the links from side queries.
  private func catalog(of snapshot: StoreSnapshot, answering plan: QueryPlan) -> Catalog {
    var catalog = Catalog(snapshot: snapshot)
    catalog.loadedLinks = loadedLinks
    if snapshot.served != nil { catalog.wholeLinks = plan.wholeLinks(in: catalog.schema) }
    return catalog
  }

  func knowsLinks(of rows: LinkedRows) -> Bool { loadedLinks[rows] != nil }

  /// Stores links of rows, and shows them.
  mutating func setLinks(_ loaded: LoadedLinks, of rows: LinkedRows, page: Int) {
    guard loadedLinks[rows] != loaded else { return }
    loadedLinks[rows] = loaded
    guard let table else { return }
    var catalog = table.catalog
    catalog.loadedLinks = loadedLinks
    reinstall(ResultTable(table, knowing: catalog), page: page)
  }

  /// Keeps the visible rows in place when the loaded window begins at another row.
  private mutating func stay(in answer: Answer, of height: Int, page: Int) {
    guard let before = table?.answer, before.plan == answer.plan else { return }
    let moved = (before.window?.skipped ?? 0) - (answer.window?.skipped ?? 0)
    if moved != 0 { cursor.scrollWithCursor(by: moved, of: height, page: page) }
  }

  /// Highlights the changes since the previous answer to the same query.
  private mutating func highlightChanges(in live: LiveAnswer, _ style: ChangeHighlights.Style?) {
    let wasLoading = shown?.snapshot.freshness == .loading
    if origin?.document != live.document || wasLoading {
      origin = AnswerDiff.isPossible(live) ? live : nil
    }
    defer { shown = live }
    // The rest of a store that was loading is no change.
    guard !wasLoading, let shown, let before = shown.answers.first, let answer = live.answers.first,
      before.plan == answer.plan, before.window?.skipped == answer.window?.skipped
    else { return clearMarks() }
    // A pending change of this session is not highlighted.
    if live.snapshot.base.store.isIdentical(to: shown.snapshot.base.store) { return }
    let all = live.snapshot.changes(since: shown.snapshot)
    guard answer.rows.count <= AnswerDiff.maxRows else {
      let difference = answer.total - before.total
      if difference > 0 { addedCount += difference } else { removedCount -= difference }
      if let style, let all { highlights.add(all, in: live.snapshot.store, style) }
      return
    }
    guard let changes = live.changes(since: shown)?.first else { return }
    addedCount += changes.inserted.count
    removedCount += changes.removed.count
    if let style { highlights.add(changes, among: all, of: answer, style) }
  }

  /// Sets the current answer as the baseline for differences. Returns false if it cannot be
  /// compared.
  mutating func setBaseline() -> Bool {
    guard let shown, AnswerDiff.isPossible(shown) else { return false }
    origin = shown
    return true
  }

  mutating func tick(_ now: ContinuousClock.Instant) {
    highlights.tick(now)
    if highlights.isEmpty { clearMarks() }
  }

  /// Clears highlights that do not fade. Called after the user acted.
  mutating func clearSteadyMarks() {
    if highlights.isSteady { clearMarks() }
  }

  private mutating func clearMarks() {
    highlights.clear()
    (addedCount, removedCount) = (0, 0)
  }

  /// Applies column settings. The cursor stays in its column if that is still visible.
  mutating func arrange(_ settings: ColumnSettings, page: Int) {
    guard settings != self.settings else { return }
    self.settings = settings
    guard let table else { return }
    reinstall(
      ResultTable(
        answer: table.answer, catalog: table.catalog, settings: settings, keepingWidthsOf: table),
      page: page)
  }

  /// Moves the cursor to the line that shows its entity now.
  mutating func follow(page: Int) {
    guard let table else { return }
    reachWantedColumn()
    reachAwaited(in: table)
    column = min(column, max(0, table.columns.count - 1))
    let here = min(cursor.index, max(0, table.lineCount - 1))
    if let locator, !table.isWithout(locator.entity) {
      (chosen, edge, self.locator) = (locator.trail, nil, nil)
      // The row was located in an older state, so its position may be slightly off.
      rowWindow.setDestination(nil)
    }
    if table.isSummary { return followGroup(in: table, page: page) }
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

  /// Moves the cursor to the row of a newly created or restored entity, or starts to locate the row.
  private mutating func reachAwaited(in table: ResultTable) {
    let store = table.catalog.store
    // The store also has handles of deleted entities.
    guard let made = awaited, let handle = store.handle(of: made),
      store.contains(handle, in: table.answer.namespace)
    else { return }
    awaited = nil
    if table.isWithout(made) {
      locator = CursorLocator(for: [made])
    } else if table.answer.rows.contains(handle) {
      (chosen, edge, locator) = ([made], nil, nil)
    }
  }

  mutating func remember() {
    guard let table else {
      group = nil
      return
    }
    group = table.isSummary ? table.answer.group(ofRow: cursor.index) : nil
    guard cursor.index < table.lineCount else { return }
    let trail = table.trail(ofLine: cursor.index)
    if trail != chosen { (reading.line, locator, isOnTop) = (0, nil, cursor.index == 0) }
    chosen = trail
    edge = table.edge(onLine: cursor.index)
  }
}
