import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// A question why an entity is in an answer or is not.
struct Doubt: Sendable, Equatable {
  /// What is asked, be it of a relation of the query.
  let plan: QueryPlan
  let entity: EntityID
  /// Whether it is among the rows that are shown.
  let isShown: Bool
  /// How one came to it.
  let way: [TextLine]

  /// What a server must be asked to tell: the entity, and what the conditions lead to from it.
  var question: QueryPlan {
    var question = QueryPlan(plan.namespace).filter(
      .compare(AttributePath(["id"]), .equal, .text(entity.text)))
    plan.condition?.forEachPath { question = question.following($0.labels.dropLast()) }
    return question
  }

  fileprivate func order(
    by snapshot: StoreSnapshot, isShown: Bool?, keeper: ExplainOrder.Keeper
  ) -> ExplainOrder {
    ExplainOrder(
      plan: plan, snapshot: snapshot, entity: entity, isShown: isShown, way: way, keeper: keeper)
  }
}

extension Model {
  /// Says how the query is answered, and why an entity is in or out: the one under the cursor when
  /// none is named. One that a relation was opened for is explained by what the relation asks.
  mutating func explain(_ entity: EntityID?) -> [Effect] {
    guard let plan = tab.composer?.plan, let known else {
      notice = whyNoQuery
      return []
    }
    // How nothing was found where nothing is known explains nothing.
    if isElsewhere, tab.results.table == nil {
      notice = whyNoAnswer
      return []
    }
    let way = entity.map { self.way(to: $0, from: plan) } ?? []
    let told = way.count > 1 ? lines(of: way, from: plan) : []
    // What is no row is there because of the row that led to it.
    let row = way.first.flatMap { $0.namespace == plan.namespace ? $0.entity : nil }
    let chosen = entity == nil ? chosenForExplaining(plan) : nil
    let named = way.isEmpty ? entity : row
    guard let asked = named.map({ (entity: $0, plan: plan) }) ?? chosen else {
      return tell(
        ExplainOrder(plan: plan, snapshot: known.snapshot, entity: nil, isShown: nil, way: told))
    }
    let shown = tab.results.table.map { table in
      table.catalog.store.handle(of: asked.entity).map { table.answer.rows.contains($0) } ?? false
    }
    let doubt = Doubt(
      plan: asked.plan, entity: asked.entity, isShown: chosen != nil || shown == true, way: told)
    guard isElsewhere else {
      return tell(doubt.order(by: known.snapshot, isShown: nil, keeper: keeper))
    }
    beside.doubt = doubt
    notice = .askingToExplain(keeper.rawValue)
    return []
  }

  /// The entities through which one came to one that is no row of the query, itself the last; nothing
  /// for one that could be a row.
  private func way(to entity: EntityID, from plan: QueryPlan) -> [EntityPane] {
    let open = tab.overlays.compactMap { $0.pane as? EntityPane }
    guard let last = open.lastIndex(where: { $0.entity == entity }),
      open[last].namespace != plan.namespace
    else { return [] }
    return Array(open[...last])
  }

  /// `Fig › bed › South wall`, after why that is no row.
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
        "\(name(last)) is no row: it is of \(last.namespace), and the query asks for "
          + plan.namespace, .warning),
      TextLine("  It is here through links: \(path)"),
      TextLine(""),
    ]
  }

  /// What is under the cursor, and the query that it is a row of.
  private func chosenForExplaining(_ plan: QueryPlan) -> (entity: EntityID, plan: QueryPlan)? {
    guard let table = tab.results.table, let chosen = tab.results.chosenEntity else { return nil }
    let entity = table.catalog.store.id(of: chosen.entity)
    guard let block = tab.results.blockHere else { return (entity, plan) }
    let parent = Relations.plan(of: block.link, from: block.parent, in: table.catalog).condition
    return (entity, parent.map { block.plan.filter($0) } ?? block.plan)
  }

  /// The server has told what it was asked for a doubt.
  mutating func settleDoubt() -> [Effect] {
    guard let doubt = beside.doubt else { return [] }
    if let failure = beside.failure(of: doubt.question) {
      beside.doubt = nil
      notice = .error(failure.message)
      return []
    }
    guard let snapshot = beside.snapshot(for: doubt.question) else { return [] }
    beside.doubt = nil
    notice = nil
    return tell(doubt.order(by: snapshot, isShown: doubt.isShown, keeper: keeper))
  }

  /// A database tells how it is followed.
  private var keeper: ExplainOrder.Keeper { store.howLive == nil ? .server : .database }

  /// Has it told to this tab, which waits for no other explanation any more.
  private mutating func tell(_ order: ExplainOrder) -> [Effect] {
    requests.begin(.explain(order), for: .explain(tab: tab.id))
  }
}

extension Catalog {
  /// The links by which one entity leads to another one.
  fileprivate func links(from: EntityPane, to: EntityPane) -> [String] {
    guard let source = store.handle(of: from.entity), let target = store.handle(of: to.entity)
    else { return [] }
    return schema.links(of: from.namespace).filter {
      $0.target == to.namespace && store.targets(source, $0).contains(target)
    }.map(\.label)
  }
}

extension QueryPlan {
  /// With the entities that links lead to, one after the other.
  fileprivate func following(_ labels: ArraySlice<String>) -> QueryPlan {
    guard let first = labels.first else { return self }
    var plan = self
    plan.setRelation(
      first, (relation(first) ?? QueryPlan(first)).following(labels.dropFirst()))
    return plan
  }
}
