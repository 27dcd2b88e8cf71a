import InstaQL
import LiveQueries
import Triples

// A store elsewhere: what it must be asked so that the screen can be shown.
extension Model {
  /// Whether entities are known only as far as they were asked for.
  var isElsewhere: Bool { catalog?.snapshot.served != nil }

  /// Asks for what is in view now.
  mutating func askBeside() -> [Effect] {
    guard isElsewhere else { return beside.ask(searchesInView) }
    // The query comes first.
    guard tab.results.table != nil else { return [] }
    renewNeighbours()
    endFarewell()
    beside.beneath = beneathInView
    let plans =
      [beside.doubt?.question, beside.farewell?.question, beside.neighbours?.plan, prompt?.sample]
      .compactMap { $0 } + beside.farewells.map(\.question) + beside.kept + unsentInView
      + beside.beneath.values.map(\.plan).sorted { $0.namespace < $1.namespace }
      + panesInView + countsInView
    let effects = beside.ask(plans)
    takeWhatIsKnown()
    return effects
  }

  /// Gives a tab what another one asked already: no answer comes to a question that was answered.
  private mutating func takeWhatIsKnown() {
    let page = layout.resultRows
    if !tab.results.knowsLinked, let plan = beside.neighbours?.plan,
      let snapshot = beside.snapshot(for: plan)
    {
      tab.results.receive(linked: snapshot, page: page)
    }
    for (namespace, asked) in beside.beneath where !tab.results.knowsBeneath(namespace) {
      guard let snapshot = beside.snapshot(for: asked.plan) else { continue }
      tab.results.receive(
        beneath: LinkedBeneath(entities: Set(asked.entities), snapshot: snapshot), of: namespace,
        page: page)
    }
  }

  /// The watch of what a database beside us was asked of rows in view that are shown without what they
  /// are linked with; nil where nothing is missing, or a server far away takes its time.
  package var awaitedLinks: WatchToken? {
    guard isElsewhere, beside.isWaiting, let plan = beside.neighbours?.plan,
      let token = beside.unanswered(plan), let table = tab.results.table,
      table.catalog.snapshot.served?.canGiveAll == true,
      let link = beside.neighbours?.links.first
    else { return nil }
    let view = tab.results.linesInView(page: layout.resultRows).clamped(to: 0..<table.lineCount)
    guard let first = view.first, let last = view.last else { return nil }
    let rows = table.row(ofLine: first)..<table.row(ofLine: last) + 1
    return table.lacks(link, ofRows: rows) ? token : nil
  }

  /// Takes in the answer to a question beside the query.
  mutating func receive(_ result: LiveResult, besideFor token: WatchToken) -> [Effect] {
    guard let plan = beside.receive(result, for: token) else { return [] }
    if plan.isCount {
      catalog?.counts = beside.counts
    } else if plan == beside.neighbours?.plan {
      tab.results.receive(linked: beside.snapshot(for: plan), page: layout.resultRows)
    } else if let asked = beside.beneath[plan.namespace], asked.plan == plan,
      let snapshot = beside.snapshot(for: plan)
    {
      tab.results.receive(
        beneath: LinkedBeneath(entities: Set(asked.entities), snapshot: snapshot),
        of: plan.namespace, page: layout.resultRows)
    }
    // Who has moved into the list keeps it.
    if plan == prompt?.sample, prompt?.completion?.chosen == nil { complete() }
    refreshOverlays()
    if plan == beside.doubt?.question { return settleDoubt() }
    if plan == beside.farewell?.question, beside.farewell?.isAnswered == false {
      return settleFarewell()
    }
    return askOverlay { $0.settle(in: $1) } ?? []
  }

  /// How many there are of the namespaces in view.
  private var countsInView: [QueryPlan] {
    guard let catalog, !beside.refusesCounts, layout.left != nil,
      catalog.snapshot.served?.canGiveAll != true
    else { return [] }
    return catalog.schema.namespaces.dropFirst(namespaces.cursor.top)
      .prefix(min(Self.mostCounted, layout.namespaceRows)).map { QueryPlan($0).count() }
  }

  private static let mostCounted = 40

  /// The rows in view and those about them, of which it is asked what they are linked with; the query
  /// asks for some of that itself.
  ///
  /// They stay the same until the view leaves them, so that not every step of the cursor asks anew.
  private mutating func renewNeighbours() {
    guard let table = tab.results.table, table.grid == nil, table.answer.count == nil,
      tab.results.form == .table, !table.answer.rows.isEmpty, table.lineCount > 0
    else { return beside.neighbours = nil }
    // The cursor is leaving them for others.
    if tab.results.stretching.isAhead { return }
    let links = table.columns.compactMap { column -> Link? in
      guard case .link(let link) = column.source, table.answer.plan.relation(link.label) == nil
      else { return nil }
      return link
    }
    guard !links.isEmpty else { return beside.neighbours = nil }
    let count = table.answer.rows.count
    let page = layout.resultRows
    let top = table.row(ofLine: min(tab.results.cursor.top, table.lineCount - 1))
    let view = top..<min(count, top + page)
    let known = beside.neighbours?.rows(of: table.answer, along: links) ?? 0..<0
    if known.contains(view.widened(by: page, within: count)) { return }
    // A database beside us is asked ahead of the next key, unless something in view is missing: that
    // comes first, and alone.
    let isNear = table.catalog.snapshot.served?.canGiveAll == true
    let isAhead = isNear && !table.lacks(links[0], ofRows: view)
    if known.contains(view), !isAhead || isAwaitingNeighbours { return }
    let margin = isNear ? isAhead ? 4 * page : 0 : page
    let rows = view.widened(by: margin, within: count)
    let ids = table.answer.rows[rows].map { Value.text(table.catalog.store.id(of: $0).text) }
    let plan = QueryPlan(table.answer.namespace).filter(.isIn(AttributePath(["id"]), ids))
    beside.neighbours = Neighbours(
      answer: table.answer, links: links, rows: rows,
      plan: table.catalog.nesting(plan, along: links))
  }

  private var isAwaitingNeighbours: Bool {
    guard beside.isWaiting, let plan = beside.neighbours?.plan else { return false }
    return beside.unanswered(plan) != nil
  }

  /// The rows in view that stand beneath other rows, by their namespace.
  private var beneathInView: [String: Beneath] {
    guard let table = tab.results.table, tab.results.form == .table, !table.blocks.isEmpty else {
      return [:]
    }
    let view = tab.results.linesInView(page: layout.resultRows)
    var asked: [String: Beneath] = [:]
    for block in table.blocks where block.lines.overlaps(view) {
      let links = block.columns.compactMap { column -> Link? in
        guard case .link(let link) = column.source else { return nil }
        return link
      }
      if links.isEmpty || block.entities.isEmpty { continue }
      let namespace = block.link.target
      var beneath =
        asked[namespace] ?? Beneath(entities: [], links: [], plan: QueryPlan(namespace))
      beneath.links += links.filter { !beneath.links.contains($0) }
      beneath.entities += block.entities.map { table.catalog.store.id(of: $0) }
        .filter { !beneath.entities.contains($0) }
      asked[namespace] = beneath
    }
    return asked.mapValues { beneath in
      var beneath = beneath
      let ids = beneath.entities.prefix(Self.mostBeneath).map { Value.text($0.text) }
      beneath.plan = table.catalog.nesting(
        beneath.plan.filter(.isIn(AttributePath(["id"]), ids)), along: beneath.links)
      return beneath
    }
  }

  private static let mostBeneath = 200

  /// What the open panes show.
  var panesInView: [QueryPlan] {
    guard let known else { return [] }
    return tab.overlays.compactMap { $0.pane.question(in: known) }
  }

  /// How many there are of each namespace, as far as that was told.
  private var counts: [String: Int] {
    beside.counts.merging(catalog?.snapshot.served?.counts ?? [:]) { $1 }
  }

  /// What is asked of a server for the sake of changes that are kept back.
  private var unsentInView: [QueryPlan] {
    guard let unsent, let catalog, catalog.snapshot.served?.canGiveAll != true else { return [] }
    return unsent.questions(in: catalog.schema)
  }

  /// What open panes look for among all there is, which takes longer than a key may in any store.
  private var searchesInView: [QueryPlan] {
    guard let known else { return [] }
    return tab.overlays.compactMap { $0.pane.isSearch ? $0.pane.question(in: known) : nil }
  }

  /// The watch of what the pane on top looks for; nil when it is found, or when it looks for nothing.
  var awaitedSearch: WatchToken? {
    guard let known, let pane = tab.overlays.last?.pane, pane.isSearch else { return nil }
    return pane.question(in: known).flatMap { beside.unanswered($0) }
  }

  /// What is known for a pane: what it asked for, where that was answered.
  func catalog(for pane: any Pane) -> Catalog? {
    guard var known, isElsewhere else { return known }
    // An answer says how many rows it has, and not how many there are.
    known.counts = counts
    guard let question = pane.question(in: known), let snapshot = beside.snapshot(for: question)
    else { return known }
    var catalog = Catalog(snapshot: unsent?.shown(on: snapshot) ?? snapshot)
    catalog.knowsLinks = true
    catalog.counts = known.counts
    return catalog
  }

  /// What a link of an entity leads to, by what the pane on top was told of it, or else by what is
  /// shown; nil while nobody was told.
  func targets(
    of entity: EntityID, _ link: Link
  ) -> (entities: [EntityHandle], catalog: Catalog)? {
    if let pane = tab.overlays.last?.pane as? EntityPane, let told = catalog(for: pane),
      told.knowsLinks, let handle = told.store.handle(of: entity)
    {
      return told.targets(of: handle, link)
    }
    guard var known, let handle = known.store.handle(of: entity) else { return nil }
    // What the query asks for came with the rows, what it does not is asked beside it.
    if tab.overlays.isEmpty, planHere?.relation(link.label) != nil { known.knowsLinks = true }
    return known.targets(of: handle, link)
  }

  /// What knows an entity: what is shown, or else what was asked for beside it.
  func catalog(knowing entity: EntityID) -> Catalog? {
    if known?.store.handle(of: entity) != nil { return known }
    return tab.overlays.reversed().lazy.compactMap { catalog(for: $0.pane) }
      .first { $0.store.handle(of: entity) != nil }
  }

  /// Makes a relation a part of the query, since a server tells what a link leads to only when it is
  /// asked; nil where that is not needed to open it.
  mutating func nestChosen() -> [Effect]? {
    guard isElsewhere, tab.results.form == .table, let table = tab.results.table,
      table.lineCount > 0,
      let link = tab.results.chosenLink, tab.results.chosenEntity != nil,
      tab.composer?.plan == table.answer.plan,
      (tab.results.blockHere?.plan ?? table.answer.plan).relation(link.label) == nil
    else { return nil }
    tab.results.note(opened: link)
    notice = .nested(link.label)
    let block = tab.results.blockHere
    return changeQuery { plan in
      guard let block else { return plan = plan.with(link.label) }
      plan.change(along: block) { $0 = $0.with(link.label) }
    }
  }
}

extension ResultTable {
  /// Whether it is not known what the first or the last of some rows is linked with.
  fileprivate func lacks(_ link: Link, ofRows rows: Range<Int>) -> Bool {
    [rows.first, rows.last].contains { row in
      row.map { catalog.linkedEntities(of: answer.rows[$0], link) == nil } ?? false
    }
  }
}

extension Range<Int> {
  fileprivate func widened(by margin: Int, within count: Int) -> Range {
    Swift.max(0, lowerBound - margin)..<Swift.min(count, upperBound + margin)
  }
}

extension Catalog {
  /// A plan with what links lead to, by the names of what is there.
  func nesting(_ plan: QueryPlan, along links: [Link]) -> QueryPlan {
    links.reduce(plan) { plan, link in
      plan.with(link.label) { naming($0, in: link.target).limit(Beside.mostLinked + 1) }
    }
  }

  /// How many a link leads to, of which no more than so many were asked for.
  func text(ofLinkCount count: Int) -> String {
    snapshot.served != nil && count > Beside.mostLinked
      ? "\(Beside.mostLinked)+" : NumberText.grouped(count)
  }
}

/// Rows of an answer of which it is asked what they are linked with.
struct Neighbours: Sendable, Equatable {
  let answer: Answer
  let links: [Link]
  /// Which rows of the answer.
  let rows: Range<Int>
  let plan: QueryPlan

  /// Which rows of an answer it is asked of, along these links and no others; nil for none.
  func rows(of answer: Answer, along links: [Link]) -> Range<Int>? {
    self.links == links && self.answer == answer ? rows : nil
  }
}
