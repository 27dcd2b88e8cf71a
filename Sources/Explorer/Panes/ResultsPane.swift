import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples

/// The answer as a live table.
///
/// The cursor belongs to an entity and a column, not to a line and a number: when rows come and go
/// above it, it stays on its entity.
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
  /// The chosen column of the rows.
  var column = 0
  /// The chosen column of open relations, by how deep they lie beneath the rows.
  var columnsBeneath: [Int] = []
  /// The column to go to as soon as it is there.
  var wantedColumn: String?
  /// Which relation is open beneath an entity.
  var opened: [EntityTrail: Link] = [:]
  private(set) var form = AnswerForm.table
  /// How the columns of the namespace are shown.
  private(set) var settings = ColumnSettings()
  /// The text that is looked for.
  var pattern = TextPattern()
  /// What is being changed in the store at this moment.
  var underWay: Set<EntityID> = []
  /// The answer that is shown, against which the next one is held.
  private(set) var shown: LiveAnswer?
  /// What is kept back, and shown on top of the answer.
  private(set) var unsent: Unsent?
  /// The first answer to the query, or the one of a moment that was chosen: what has changed since is
  /// told. Nil where there are too many rows for that.
  private(set) var origin: LiveAnswer?
  /// What changed a moment ago.
  private(set) var flashes = Flashes()
  /// Rows that came since the query was asked, and have not been looked at.
  private(set) var came = 0
  /// Rows that left since.
  private(set) var went = 0
  /// Of a store elsewhere: what the rows in view are linked with.
  private var linked: StoreSnapshot?
  /// The same of rows beneath other rows, by their namespace.
  private var beneath: [String: LinkedBeneath] = [:]
  /// Which rows were asked for, of an answer that is too long to be had at once.
  var stretching = Stretching()
  /// The entity that the cursor is on and those that it stands beneath, remembered across answers;
  /// empty for none.
  private(set) var chosen: EntityTrail = []
  /// The row that the cursor was on when another query was asked, as long as it may be among the rows
  /// that are not read.
  var quest: Quest?
  /// Which line of the relation that is open beneath that entity the cursor is on; nil on its own.
  private var edge: ResultTable.BlockEdge?
  /// Whether the cursor never left the first row, or went to it: not whether its entity came there.
  private var isOnTop = true
  /// Where the cursor is within that entity's document.
  var reading = Reading()

  /// Whether no rows are shown.
  var isEmpty: Bool { table.map { $0.lineCount == 0 } ?? true }

  var table: ResultTable? {
    if case .table(let table) = content { return table }
    return nil
  }

  /// Begins anew for another query; `keepingPlace` when it asks for the same namespace.
  mutating func expect(keepingPlace: Bool) {
    if keepingPlace {
      // Who is at the top wants to see what comes first now, and not where the old first row went; but
      // whose row is still looked for is not there by choice.
      if quest == nil, isOnTop, cursor.index == 0 { (chosen, edge) = ([], nil) }
      quest = Quest(for: quest?.trail ?? chosen)
      return
    }
    let (form, unsent, pattern, underWay) = (form, unsent, pattern, underWay)
    self = ResultsPane()
    self.underWay = underWay
    self.form = form
    self.pattern = pattern
    self.unsent = unsent
    content = .loading
  }

  /// Nobody waits for the answer any more.
  mutating func giveUp() {
    guard content == .loading else { return }
    content = .failed(LiveFailure(message: "Given up"))
  }

  /// Puts the cursor where it was when a query was left.
  mutating func restore(_ place: Place, page: Int) {
    column = place.column
    (chosen, edge) = (place.trail, nil)
    quest = Quest(for: chosen)
    opened = place.opened
    if table != nil { follow(page: page) }
  }

  var place: Place {
    Place(trail: quest?.trail ?? chosen, column: column, opened: opened)
  }

  /// Where the cursor was and what was open, in terms that outlive an answer.
  struct Place: Sendable, Equatable {
    var trail: EntityTrail = []
    var column = 0
    var opened: [EntityTrail: Link] = [:]
  }

  /// Takes a result in; the cursor stays on its entity where that is still in the answer.
  ///
  /// - Parameter pace: How long what changed is marked; nil for not at all.
  mutating func receive(_ result: LiveResult, page: Int, marking pace: Flashes.Pace? = nil) {
    switch result {
    case .loading:
      if table == nil { content = .loading }
    case .failed(let failure): content = .failed(failure)
    case .loaded(let live):
      guard let answer = live.answers.first else { return }
      elapsed = live.elapsed
      note(live, marking: pace)
      let catalog = catalog(of: live.snapshot)
      stretching.settle(answer)
      lay(unsent?.adding(to: answer, in: catalog.store) ?? answer, catalog, page: page)
    }
  }

  /// Shows an answer from now on; the cursor stays on its entity, and that on its place on the screen.
  private mutating func lay(_ answer: Answer, _ catalog: Catalog, page: Int) {
    lay(
      ResultTable(answer: answer, catalog: catalog, settings: settings, keepingWidthsOf: table),
      page: page)
  }

  private mutating func lay(_ new: ResultTable, page: Int) {
    var new = new
    new.open(form == .table ? opened : [:])
    stay(in: new.answer, of: new.height, page: page)
    content = .table(new)
    reading.kept = nil
    follow(page: page)
  }

  /// What is known of the rows: what came with them, what was asked beside them, what is kept back.
  private func catalog(of snapshot: StoreSnapshot) -> Catalog {
    var catalog = Catalog(snapshot: unsent?.shown(on: snapshot) ?? snapshot, linked: linked)
    catalog.beneath = beneath
    return catalog
  }

  /// Shows the rows with what is kept back.
  mutating func show(_ unsent: Unsent?, page: Int) {
    guard unsent != self.unsent else { return }
    self.unsent = unsent
    guard let table, let shown else { return }
    var catalog = catalog(of: shown.snapshot)
    (catalog.counts, catalog.knowsLinks) = (table.catalog.counts, table.catalog.knowsLinks)
    let answer = shown.answers.first ?? table.answer
    lay(unsent?.adding(to: answer, in: catalog.store) ?? answer, catalog, page: page)
  }

  /// Whether anything is known of what the rows are linked with.
  var knowsLinked: Bool { linked != nil }
  func knowsBeneath(_ namespace: String) -> Bool { beneath[namespace] != nil }

  /// Takes in what the rows in view are linked with.
  mutating func receive(linked snapshot: StoreSnapshot?, page: Int) {
    linked = snapshot
    showLinked(page: page)
  }

  /// The same of rows beneath other rows.
  mutating func receive(beneath told: LinkedBeneath, of namespace: String, page: Int) {
    guard beneath[namespace] != told else { return }
    beneath[namespace] = told
    showLinked(page: page)
  }

  private mutating func showLinked(page: Int) {
    guard let table else { return }
    var catalog = table.catalog
    (catalog.linked, catalog.beneath) = (linked, beneath)
    lay(ResultTable(table, knowing: catalog), page: page)
  }

  /// Opens a relation of the chosen entity as soon as it is there.
  mutating func note(opened link: Link) {
    guard let table, table.lineCount > 0 else { return }
    opened[table.trail(ofLine: cursor.index)] = link
  }

  /// Keeps the rows on the screen where they are when the answer begins at another row.
  private mutating func stay(in answer: Answer, of height: Int, page: Int) {
    guard let before = table?.answer, before.plan == answer.plan else { return }
    let moved = (before.stretch?.skipped ?? 0) - (answer.stretch?.skipped ?? 0)
    if moved != 0 { cursor.turn(by: moved, of: height, page: page) }
  }

  /// Marks what changed since the answer before, where both answer the same question.
  private mutating func note(_ live: LiveAnswer, marking pace: Flashes.Pace?) {
    if origin?.document != live.document { origin = Comparison.isPossible(live) ? live : nil }
    defer { shown = live }
    guard let shown, let before = shown.answers.first, let answer = live.answers.first,
      before.plan == answer.plan, before.stretch?.skipped == answer.stretch?.skipped
    else {
      flashes.clear()
      (came, went) = (0, 0)
      return
    }
    let all = live.snapshot.changes(since: shown.snapshot)
    guard answer.rows.count <= Self.mostCompared else {
      let difference = answer.total - before.total
      if difference > 0 { came += difference } else { went -= difference }
      if let pace, let all { flashes.add(all, in: live.snapshot.store, pace) }
      return
    }
    guard let changes = live.changes(since: shown)?.first else { return }
    came += changes.inserted.count
    went += changes.removed.count
    if let pace { flashes.add(changes, among: all, of: answer, pace) }
  }

  /// What changes from now on is told.
  mutating func beginComparison() {
    if let shown, Comparison.isPossible(shown) { origin = shown }
  }

  /// Of so many rows it is not looked up which came and went at each change.
  private static let mostCompared = 20_000

  mutating func tick(_ now: ContinuousClock.Instant) {
    flashes.tick(now)
    if flashes.isEmpty { (came, went) = (0, 0) }
  }

  /// Marks that stay until somebody does something have been seen.
  mutating func clearSteadyMarks() {
    guard flashes.isSteady else { return }
    flashes.clear()
    (came, went) = (0, 0)
  }

  /// Shows the columns in another way; the cursor stays in its column where that is still shown.
  mutating func arrange(_ settings: ColumnSettings, page: Int) {
    guard settings != self.settings else { return }
    self.settings = settings
    guard let table else { return }
    let label = chosenColumn?.label
    var new = ResultTable(answer: table.answer, catalog: table.catalog, settings: settings)
    new.open(form == .table ? opened : [:])
    column = new.columns.firstIndex { $0.label == label } ?? column
    content = .table(new)
    follow(page: page)
  }

  /// Moves the cursor to the line on which the chosen entity stands now.
  private mutating func follow(page: Int) {
    guard let table else { return }
    reachWantedColumn()
    column = min(column, max(0, (table.grid?.columns.count ?? table.columns.count) - 1))
    let here = min(cursor.index, max(0, table.lineCount - 1))
    if let quest, !table.isWithout(quest.entity) {
      (chosen, edge, self.quest) = (quest.trail, nil, nil)
      // Where it was said to be may be some rows off by now.
      stretching.wish(nil)
    }
    let quest = quest
    if !chosen.isEmpty, (table.trail(ofLine: here), table.edge(onLine: here)) != (chosen, edge),
      let line = edge.flatMap({ table.line(of: $0, beneath: chosen) }) ?? table.line(of: chosen)
    {
      cursor.move(to: line, of: table.height, page: page)
    } else {
      cursor.move(by: 0, of: table.height, page: page)
    }
    remember()
    self.quest = quest
    readDocument()
  }

  mutating func remember() {
    guard let table, cursor.index < table.lineCount else { return }
    let trail = table.trail(ofLine: cursor.index)
    if trail != chosen { (reading.line, quest, isOnTop) = (0, nil, cursor.index == 0) }
    chosen = trail
    edge = table.edge(onLine: cursor.index)
  }

  /// Shows answers in this form from now on.
  mutating func show(as form: AnswerForm) { self.form = form }

  /// Shows the same answer in the next form.
  mutating func turnForm(page: Int) { show(as: form.next, page: page) }

  /// Shows the same answer in another form.
  mutating func show(as form: AnswerForm, page: Int) {
    self.form = form
    guard var table else { return }
    table.open(form == .table ? opened : [:])
    content = .table(table)
    follow(page: page)
  }
}
