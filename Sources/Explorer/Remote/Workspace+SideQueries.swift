import InstaQL
import LiveQueries
import Triples
import Widgets

// Updates and uses the auxiliary queries for a partial store.
extension Workspace {
  /// Updates the side queries so that they cover what is visible.
  mutating func updateSideQueries() -> [Effect] {
    guard store.isPartial else { return store.sideQueries.ask(searchesInView) }
    // The main query takes precedence over side queries.
    guard tab.results.table != nil else { return [] }
    endImpactQuery()
    let (rows, nested) = (linksQueryOfRows, linksQueriesOfNestedRows)
    store.sideQueries.linksQueries = nested
    store.sideQueries.linksQueries[.answer] = rows
    let plans =
      [
        store.sideQueries.explainRequest?.dataQuery, store.sideQueries.impactQuery?.query,
        rows?.plan, prompt?.sample,
      ]
      .compactMap { $0 } + store.sideQueries.stagedImpactQueries.map(\.query)
      + store.sideQueries.undoQueries
      + stagedInView + stagedLabelQueries
      + nested.values.map(\.plan).sorted { $0.namespace < $1.namespace }
      + panesInView + countsInView
    let effects = store.sideQueries.ask(plans)
    applyKnownAnswers()
    return effects
  }

  /// Applies the answers to side queries that another tab has already received.
  private mutating func applyKnownAnswers() {
    for (rows, query) in store.sideQueries.linksQueries where !tab.results.knowsLinks(of: rows) {
      showLinks(of: rows, by: query)
    }
  }

  /// Shows the links that a side query loaded; does nothing while the query is unanswered.
  private mutating func showLinks(of rows: LinkedRows, by query: LinksQuery) {
    guard let snapshot = store.sideQueries.snapshot(for: query.plan) else { return }
    tab.results.setLinks(
      LoadedLinks(entities: Set(query.entities), links: query.links, snapshot: snapshot),
      of: rows, page: layout.resultRows)
  }

  /// The subscription for missing links of visible rows that a local database will deliver soon.
  ///
  /// Nil if no links are missing, or if a server must answer, because that may take longer.
  package var awaitedLinks: WatchToken? {
    guard store.isPartial, store.sideQueries.isWaiting,
      let query = store.sideQueries.linksQueries[.answer],
      let token = store.sideQueries.unanswered(query.plan), let table = tab.results.table,
      table.catalog.snapshot.served?.canGiveAll == true, let link = query.links.first
    else { return nil }
    let view = tab.results.linesInView(page: layout.resultRows).clamped(to: 0..<table.lineCount)
    guard let first = view.first, let last = view.last else { return nil }
    let rows = table.row(ofLine: first)..<table.row(ofLine: last) + 1
    return table.lacks(link, ofRows: rows) ? token : nil
  }

  mutating func handleSideQueryResult(_ result: LiveResult, for token: WatchToken) -> [Effect] {
    guard let plan = store.recordResult(result, for: token) else { return [] }
    let effects = searchAgain { workspace in
      for (rows, query) in workspace.store.sideQueries.linksQueries where query.plan == plan {
        workspace.showLinks(of: rows, by: query)
      }
    }
    // The list of completions stays if the user has moved its cursor.
    if plan == prompt?.sample, prompt?.completion?.chosen == nil { complete() }
    if !changes.staged.missing.isEmpty { listStagedChanges() }
    refreshOverlays()
    if plan == store.sideQueries.explainRequest?.dataQuery { return effects + explainPending() }
    if plan == store.sideQueries.impactQuery?.query,
      store.sideQueries.impactQuery?.isAnswered == false
    {
      return effects + finishImpactQuery()
    }
    return effects
  }

  /// The queries that count the entities of the visible namespaces.
  private var countsInView: [QueryPlan] {
    guard let catalog, !store.sideQueries.refusesCounts, layout.left != nil,
      catalog.snapshot.served?.canGiveAll != true
    else { return [] }
    return namespaces.items.dropFirst(namespaces.cursor.top)
      .prefix(min(Self.maxCounted, layout.namespaceRows)).map { QueryPlan($0.entry).count() }
  }

  private static let maxCounted = 40

  /// The query for links of the rows near the view, except links that the main query includes. Nil
  /// if there are none.
  ///
  /// The query stays the same until the view leaves these rows, so that single cursor steps cause
  /// no queries.
  private var linksQueryOfRows: LinksQuery? {
    let before = store.sideQueries.linksQueries[.answer]
    guard let table = tab.results.table, table.answer.count == nil,
      tab.results.form == .table, !table.answer.rows.isEmpty, table.lineCount > 0
    else { return nil }
    // The rows in view will be replaced, since the cursor is moving to others.
    if tab.results.rowWindow.isAhead { return before }
    let links = table.columns.links(besides: table.answer.plan)
    guard !links.isEmpty else { return nil }
    let count = table.answer.rows.count
    let page = layout.resultRows
    let top = table.row(ofLine: min(tab.results.cursor.top, table.lineCount - 1))
    // A search counts its matches in all rows.
    let isSearched = !tab.results.pattern.isEmpty && table.isSearchedAtOnce
    let view = isSearched ? 0..<count : top..<min(count, top + page)
    let known = before?.rows(of: table.answer, along: links) ?? 0..<0
    if known.contains(view.widened(by: page, within: count)) { return before }
    // For a local database, links are loaded ahead of the next key press. Missing visible links
    // take precedence over that.
    let isNear = table.catalog.snapshot.served?.canGiveAll == true
    let isAhead = isNear && !table.lacks(links[0], ofRows: view)
    if known.contains(view), !isAhead || isAwaitingNeighbors { return before }
    let margin = isNear ? isAhead ? 4 * page : 0 : page
    let rows = view.widened(by: margin, within: count)
    let entities = table.answer.rows[rows].map { table.catalog.store.id(of: $0) }
    let plan = table.catalog.plan(ofRows: entities, in: table.answer.namespace)
    return LinksQuery(
      entities: entities, links: links, plan: table.catalog.nesting(plan, along: links),
      answer: table.answer, rows: rows)
  }

  private var isAwaitingNeighbors: Bool {
    store.sideQueries.isWaiting
      && store.sideQueries.linksQueries[.answer].map {
        store.sideQueries.unanswered($0.plan) != nil
      } == true
  }

  /// The queries for links of the visible nested rows.
  private var linksQueriesOfNestedRows: [LinkedRows: LinksQuery] {
    guard let table = tab.results.table, tab.results.form == .table, !table.blocks.isEmpty else {
      return [:]
    }
    let view = tab.results.linesInView(page: layout.resultRows)
    var asked: [LinkedRows: LinksQuery] = [:]
    for block in table.blocks where block.lines.overlaps(view) {
      let links = block.columns.compactMap(\.link)
      if links.isEmpty || block.entities.isEmpty { continue }
      let namespace = block.link.target
      var query = asked[.nested(namespace)] ?? LinksQuery(plan: QueryPlan(namespace))
      query.links += links.filter { !query.links.contains($0) }
      query.entities += block.entities.map { table.catalog.store.id(of: $0) }
        .filter { !query.entities.contains($0) }
      asked[.nested(namespace)] = query
    }
    return asked.mapValues { query in
      var query = query
      let plan = table.catalog.plan(
        ofRows: query.entities.prefix(Self.maxNestedRows), in: query.plan.namespace)
      query.plan = table.catalog.nesting(plan, along: query.links)
      return query
    }
  }

  private static let maxNestedRows = 200

  /// The queries of the open panes and of the record.
  var panesInView: [QueryPlan] {
    guard let known else { return [] }
    return tab.overlays.compactMap { $0.pane.query(in: known) } + [detailQuery].compactMap { $0 }
  }

  /// The known entity counts, by namespace.
  private var counts: [String: Int] {
    store.sideQueries.counts.merging(catalog?.snapshot.served?.counts ?? [:]) { $1 }
  }

  /// The queries whose answers are necessary to undo the staged changes after they were sent.
  var stagedInView: [QueryPlan] {
    guard let catalog, catalog.snapshot.served?.canGiveAll != true else { return [] }
    return changes.state.queries(in: catalog.schema)
  }

  /// The search queries of open panes, which run in the background for every kind of store.
  private var searchesInView: [QueryPlan] {
    guard let known else { return [] }
    return tab.overlays.compactMap { $0.pane.isSearch ? $0.pane.query(in: known) : nil }
  }

  /// The subscription of the top pane's search while it is unanswered; otherwise nil.
  var awaitedSearch: WatchToken? {
    guard let known, let pane = tab.overlays.last?.pane, pane.isSearch else { return nil }
    return pane.query(in: known).flatMap { store.sideQueries.unanswered($0) }
  }

  /// Returns the catalog for a pane, from the answer to the pane's query or else the current
  /// catalog.
  func catalog(for pane: any Pane) -> Catalog? {
    guard var known, store.isPartial else { return known }
    // An answer knows only the count of its own rows, so the counts come from other queries.
    known.counts = counts
    guard let query = pane.query(in: known),
      let snapshot = store.sideQueries.snapshot(for: query)
    else { return known }
    var catalog = Catalog(snapshot: snapshot)
    catalog.knowsLinks = true
    catalog.counts = known.counts
    return catalog
  }

  /// Returns the targets of an entity's link, from the query of the top pane or from the results.
  /// Nil if they are unknown.
  func targets(of entity: EntityID, _ link: Link) -> LinkTargets? {
    if let pane = tab.overlays.last?.pane as? EntityPane, let answered = catalog(for: pane),
      answered.knowsLinks, let handle = answered.store.handle(of: entity)
    {
      return answered.targets(of: handle, link)
    }
    guard let known, let handle = known.store.handle(of: entity) else { return nil }
    // The links in the main query were loaded with the rows; other links come from side queries.
    if tab.overlays.isEmpty, planHere?.relation(link.label) != nil {
      return LinkTargets(known.store.targets(handle, link), in: known)
    }
    return known.targets(of: handle, link)
  }

  /// Returns a catalog that contains an entity, from the results or from an open pane. Nil if
  /// neither contains the entity.
  func catalog(knowing entity: EntityID) -> Catalog? {
    if known?.store.handle(of: entity) != nil { return known }
    return tab.overlays.reversed().lazy.compactMap { catalog(for: $0.pane) }
      .first { $0.store.handle(of: entity) != nil }
  }

  /// Adds the relation that the user expands to the query of a partial store, so that its targets
  /// are loaded. Returns nil if that is not necessary.
  mutating func includeExpanded() -> [Effect]? {
    guard store.isPartial, let link = tab.results.linkToInclude else { return nil }
    return include(link)
  }

  /// Adds a link to the query of a partial store, and expands it below all rows in view when its
  /// targets are loaded. Returns nil if that is not necessary.
  mutating func includeInAllRows(_ link: Link) -> [Effect]? {
    guard store.isPartial, tab.results.form == .table, let plan = tab.plan,
      plan == tab.results.table?.answer.plan, plan.relation(link.label) == nil
    else { return nil }
    notice = .nested(link.label)
    return apply(plan.with(link.label))
  }

  /// Adds a link to the query of a partial store, so that its targets are loaded. Returns nil if
  /// that is not necessary.
  mutating func include(_ link: Link) -> [Effect]? {
    guard store.isPartial, tab.results.form == .table, let table = tab.results.table,
      tab.results.chosenEntity != nil, tab.plan == table.answer.plan,
      (tab.results.relationAtCursor?.plan ?? table.answer.plan).relation(link.label) == nil
    else { return nil }
    tab.results.markExpanded(link)
    notice = .nested(link.label)
    let block = tab.results.relationAtCursor
    return changeQuery { plan in
      guard let block else { return plan = plan.with(link.label) }
      plan.change(along: block) { $0 = $0.with(link.label) }
    }
  }
}

extension ResultTable {
  /// Returns whether the targets of a link are not loaded for the first or last row of a range.
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
