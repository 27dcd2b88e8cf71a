import InstaQL
import LiveQueries
import TerminalUI
import Triples

extension Workspace {
  /// Explains how the query is evaluated, and whether an entity matches it. If `entity` is nil, the
  /// entity at the cursor is explained.
  ///
  /// An entity opened from a relation is explained by the query of that relation.
  mutating func explain(_ entity: EntityID?) -> [Effect] {
    guard let plan = tab.plan, let known else { return notify(missingQueryReason) }
    // A partial store without rows has no data to explain.
    if store.isPartial, tab.results.table == nil { return notify(missingResultReason) }
    let way = entity.map { self.way(to: $0, from: plan) } ?? []
    let pathLines = way.count > 1 ? lines(of: way, from: plan) : []
    // If the entity was opened from a row of the query, the row is explained instead.
    let row = way.first.flatMap { $0.namespace == plan.namespace ? $0.entity : nil }
    let chosen = entity == nil ? chosenForExplaining(plan) : nil
    let named = way.isEmpty ? entity : row
    let asked = named.map { (entity: $0, plan: plan) } ?? chosen
    var request = ExplainRequest(
      plan: asked?.plan ?? plan, snapshot: known.snapshot, entity: asked?.entity, way: pathLines,
      executor: executor)
    guard store.isPartial else { return explain(request) }
    let isRow = tab.results.table.map { table in
      let handle = asked.flatMap { table.catalog.store.handle(of: $0.entity) }
      return handle.map { table.answer.rows.contains($0) } ?? false
    }
    request.isShown = chosen != nil || isRow == true
    guard asked != nil else { return explain(request) }
    store.sideQueries.explainRequest = request
    return notify(.askingToExplain(executor.rawValue))
  }

  /// Returns the open panes that lead from a row of the query to an entity; empty for a row itself.
  private func way(to entity: EntityID, from plan: QueryPlan) -> [EntityPane] {
    let open = tab.overlays.compactMap { $0.pane as? EntityPane }
    guard let last = open.lastIndex(where: { $0.entity == entity }),
      open[last].namespace != plan.namespace
    else { return [] }
    return Array(open[...last])
  }

  /// Explains why an entity is not a row of the query. Includes the path to the entity, such as
  /// `Fig › bed › South wall`.
  private func lines(of way: [EntityPane], from plan: QueryPlan) -> [TextLine] {
    guard let last = way.last else { return [] }
    func name(_ pane: EntityPane) -> String { pane.name.isEmpty ? pane.entity.text : pane.name }
    var path = name(way[0])
    for (from, to) in zip(way, way.dropFirst()) {
      let links = catalog(knowing: from.entity)?.links(from: from, to: to) ?? []
      path += " › " + (links.isEmpty ? "" : links.joined(separator: ", ") + " › ") + name(to)
    }
    return [
      TextLine(
        "\(name(last)) is not a row of this query: it is a row of \(last.namespace), but the query "
          + "returns \(plan.namespace)", .warning),
      TextLine("  It was opened through links: \(path)"),
      TextLine(""),
    ]
  }

  /// Returns the entity at the cursor, and the query that returned it as a row.
  private func chosenForExplaining(_ plan: QueryPlan) -> (entity: EntityID, plan: QueryPlan)? {
    guard let row = tab.results.chosenRow else { return nil }
    guard let block = tab.results.relationAtCursor else { return (row.id, plan) }
    let parent = Relations.plan(of: block.link, from: block.parent, in: row.catalog).condition
    return (row.id, parent.map { block.plan.filter($0) } ?? block.plan)
  }

  /// Shows a pending explanation as soon as the server has answered its query.
  mutating func explainPending() -> [Effect] {
    guard var request = store.sideQueries.explainRequest, let query = request.dataQuery else {
      return []
    }
    if let failure = store.sideQueries.failure(of: query) {
      store.sideQueries.explainRequest = nil
      return notify(.error(failure.message))
    }
    guard let snapshot = store.sideQueries.snapshot(for: query) else { return [] }
    store.sideQueries.explainRequest = nil
    notice = nil
    request.snapshot = snapshot
    return explain(request)
  }

  /// The program that evaluates the queries of a partial store.
  ///
  /// It is a server if the store reports its changes, and a database if the program must detect
  /// them.
  private var executor: ExplainRequest.Executor {
    store.rules.changeDetection == nil ? .server : .database
  }

  /// Requests an explanation for this tab and cancels an earlier request.
  private mutating func explain(_ request: ExplainRequest) -> [Effect] {
    var request = request
    if tab.results.table != nil { request.elapsed = tab.results.shown?.elapsed }
    return requests.begin(.explain(request), for: .explanation(tab: tab.id))
  }
}

extension Catalog {
  /// Returns the labels of the links that lead from one entity to another.
  fileprivate func links(from: EntityPane, to: EntityPane) -> [String] {
    guard let source = store.handle(of: from.entity), let target = store.handle(of: to.entity)
    else { return [] }
    return schema.links(of: from.namespace).filter {
      $0.target == to.namespace && store.targets(source, $0).contains(target)
    }.map(\.label)
  }
}

extension QueryPlan {
  /// Returns the query with a nested relation for each link along a path.
  func following(_ labels: ArraySlice<String>) -> QueryPlan {
    guard let first = labels.first else { return self }
    var plan = self
    plan.setRelation(first, (relation(first) ?? QueryPlan(first)).following(labels.dropFirst()))
    return plan
  }
}
