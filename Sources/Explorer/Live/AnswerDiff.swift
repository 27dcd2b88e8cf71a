import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// Computes the differences between two answers to the same query: added, removed and moved rows,
/// and changed values.
enum AnswerDiff {
  /// The maximum number of rows for an answer to be compared.
  static let maxRows = 20_000

  /// Returns whether an answer can be compared. Its rows must be entities, must all be loaded, and
  /// must not exceed `maxRows`.
  static func isPossible(_ live: LiveAnswer) -> Bool {
    guard let answer = live.answers.first, answer.count == nil, answer.table == nil else {
      return false
    }
    return answer.rows.count <= maxRows && isWhole(answer)
  }

  private static func isWhole(_ answer: Answer) -> Bool {
    guard let window = answer.window else { return true }
    return window.skipped == 0 && window.pageCount == answer.rows.count
  }

  /// Returns the differences as log entries.
  ///
  /// - Returns: Nil if the answers cannot be compared.
  /// - Complexity: O(rows + changes).
  static func entries(from then: LiveAnswer, to now: LiveAnswer) -> [ChangeEntry]? {
    guard isPossible(then), isPossible(now), let changes = now.changes(since: then)?.first,
      let namespace = now.answers.first?.plan.namespace
    else { return nil }
    let maker = DiffEntryBuilder(
      namespace: namespace, before: Catalog(snapshot: then.snapshot),
      after: Catalog(snapshot: now.snapshot))
    return changes.inserted.map { maker.entry(cameIn: $0) }
      + changes.removed.map { maker.entry(wentOut: $0) }
      + changes.cells.map { maker.entry(of: $0) } + maker.links(from: then, to: now)
      + changes.moved.map { maker.entry(moved: $0) }
  }
}

private struct DiffEntryBuilder {
  let namespace: String
  let before: Catalog
  let after: Catalog

  /// Whether both stores contain all entities, so that an entity missing from one store was created
  /// or deleted.
  private var knowAll: Bool { before.snapshot.served == nil && after.snapshot.served == nil }

  func entry(cameIn placed: AnswerChanges.Placed) -> ChangeEntry {
    let isNew = knowAll && !holds(before, placed.entity)
    let what = isNew ? "new" : knowAll ? "now matches" : "added"
    return entry(
      .inserted, placed.entity, in: after,
      "\(what), at row \(NumberText.grouped(placed.row + 1))", nil, nil)
  }

  func entry(wentOut entity: EntityID) -> ChangeEntry {
    let isGone = knowAll && !holds(after, entity)
    return entry(
      .deleted, entity, in: before,
      isGone ? "deleted" : knowAll ? "no longer matches" : "removed", nil, nil)
  }

  func entry(moved placed: AnswerChanges.Placed) -> ChangeEntry {
    entry(
      .moved, placed.entity, in: after, "moved to row \(NumberText.grouped(placed.row + 1))", nil,
      nil)
  }

  func entry(of cell: AnswerChanges.Cell) -> ChangeEntry {
    let entityNamespace = cell.namespace
    let attribute = after.schema.attribute(entityNamespace, cell.label)
    let link = after.schema.link(entityNamespace, cell.label)
    func text(_ value: Value?, _ catalog: Catalog) -> CellText? {
      guard let value else { return nil }
      guard let link, case .text(let id) = value else { return CellText(value, of: attribute) }
      let name = catalog.store.handle(of: EntityID(id))
        .map { catalog.label(of: $0, in: link.target) }
      return CellText(text: name ?? id, role: .link)
    }
    let kind: ChangeEntry.Kind =
      link == nil ? .updated : cell.new == nil ? .unlinked : .linked
    return entry(
      kind, cell.entity, in: after, cell.label, text(cell.old, before), text(cell.new, after))
  }

  /// Returns an entry for each link that was added to or removed from a row.
  ///
  /// Links that the query does not include have entries too, because the table shows them.
  func links(from then: LiveAnswer, to now: LiveAnswer) -> [ChangeEntry] {
    guard let old = then.answers.first, let new = now.answers.first,
      let changes = now.snapshot.changes(since: then.snapshot)
    else { return [] }
    let links = after.schema.links(of: namespace).filter { new.plan.relation($0.label) == nil }
    let rows = Set(old.rows.map { before.store.id(of: $0) })
      .intersection(new.rows.map { after.store.id(of: $0) })
    var touched: [(row: EntityID, link: Link)] = []
    for change in changes.changes {
      for link in links where link.attribute.id == change.attribute {
        let ends =
          link.direction == .forward
          ? [after.store.id(of: change.entity)]
          : [change.old, change.new].compactMap { $0?.textValue.map { EntityID($0) } }
        touched += ends.filter { rows.contains($0) }.map { ($0, link) }
      }
    }
    var seen: Set<String> = []
    return touched.filter { seen.insert($0.row.text + $0.link.label).inserted }
      .flatMap { entries(of: $0.link, from: $0.row) }
  }

  private func entries(of link: Link, from row: EntityID) -> [ChangeEntry] {
    func targets(_ catalog: Catalog) -> [EntityID] {
      guard let handle = catalog.store.handle(of: row) else { return [] }
      return catalog.store.targets(handle, link).map { catalog.store.id(of: $0) }
    }
    func name(_ id: EntityID, _ catalog: Catalog) -> CellText {
      let name = catalog.store.handle(of: id).map { catalog.label(of: $0, in: link.target) }
      return CellText(text: name ?? id.text, role: .link)
    }
    let (was, now) = (targets(before), targets(after))
    return was.filter { !now.contains($0) }.map {
      entry(.unlinked, row, in: after, link.label, name($0, before), nil)
    }
      + now.filter { !was.contains($0) }.map {
        entry(.linked, row, in: after, link.label, nil, name($0, after))
      }
  }

  private func holds(_ catalog: Catalog, _ entity: EntityID) -> Bool {
    catalog.store.handle(of: entity).map { catalog.store.contains($0, in: namespace) } ?? false
  }

  /// Returns the namespace of an entity that is a row or a nested row.
  private func namespace(of entity: EntityID) -> String {
    guard let handle = after.store.handle(of: entity),
      !after.store.contains(handle, in: namespace)
    else { return namespace }
    return after.schema.namespaces.first { after.store.contains(handle, in: $0) } ?? namespace
  }

  private func entry(
    _ kind: ChangeEntry.Kind, _ entity: EntityID, in catalog: Catalog, _ label: String,
    _ old: CellText?, _ new: CellText?
  ) -> ChangeEntry {
    let entityNamespace = namespace(of: entity)
    let name = catalog.store.handle(of: entity).map { catalog.label(of: $0, in: entityNamespace) }
    return ChangeEntry(
      transaction: nil, kind: kind, entity: entity, namespace: entityNamespace,
      name: name ?? entity.text,
      label: label, old: old, new: new)
  }
}

extension LiveAnswer {
  /// The answer to the same query without staged and queued changes.
  var withoutOverlay: LiveAnswer {
    let base = snapshot.base
    guard snapshot.hasOverlay else { return self }
    let answers = document.plans.compactMap { plan in
      try? QueryEngine.answer(
        plan, in: base.store, options: QueryOptions.standard.answering(plan, in: base))
    }
    return LiveAnswer(document: document, answers: answers, snapshot: base, elapsed: elapsed)
  }
}
