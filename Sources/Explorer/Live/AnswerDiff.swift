import InstaQL
import LiveQueries
import Triples

/// Computes the differences between two answers to the same query: added, removed and moved rows,
/// and changed values.
struct AnswerDiff {
  private let namespace: String
  private let builder: ChangeEntryBuilder

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
    let diff = AnswerDiff(
      namespace: namespace, builder: ChangeEntryBuilder(from: then.snapshot, to: now.snapshot))
    return changes.inserted.map { diff.entry(cameIn: $0) }
      + changes.removed.map { diff.entry(wentOut: $0) }
      + changes.cells.map { diff.entry(of: $0) } + diff.links(from: then, to: now)
      + changes.moved.map { diff.entry(moved: $0) }
  }

  private var before: TripleStore { builder.before.store }
  private var after: TripleStore { builder.after.store }

  /// Whether both stores contain all entities, so that an entity missing from one store was created
  /// or deleted.
  private var knowAll: Bool {
    builder.before.snapshot.served == nil && builder.after.snapshot.served == nil
  }

  private func entry(cameIn placed: AnswerChanges.Placed) -> ChangeEntry {
    let isNew = knowAll && !holds(before, placed.entity)
    let what = isNew ? "new" : knowAll ? "now matches" : "added"
    return entry(.inserted, placed.entity, "\(what), at row \(NumberText.grouped(placed.row + 1))")
  }

  private func entry(wentOut entity: EntityID) -> ChangeEntry {
    let isGone = knowAll && !holds(after, entity)
    return entry(.deleted, entity, isGone ? "deleted" : knowAll ? "no longer matches" : "removed")
  }

  private func entry(moved placed: AnswerChanges.Placed) -> ChangeEntry {
    entry(.moved, placed.entity, "moved to row \(NumberText.grouped(placed.row + 1))")
  }

  private func entry(of cell: AnswerChanges.Cell) -> ChangeEntry {
    let attribute = after.schema.attribute(cell.namespace, cell.label)
    let target = after.schema.link(cell.namespace, cell.label)?.target
    return entry(
      target == nil ? .updated : cell.new == nil ? .unlinked : .linked, cell.entity, cell.label,
      old: builder.old(cell.old, of: attribute, to: target),
      new: builder.new(cell.new, of: attribute, to: target))
  }

  /// Returns an entry for each link that was added to or removed from a row.
  ///
  /// Links that the query does not include have entries too, because the table shows them.
  private func links(from then: LiveAnswer, to now: LiveAnswer) -> [ChangeEntry] {
    guard let old = then.answers.first, let new = now.answers.first,
      let changes = now.snapshot.changes(since: then.snapshot)
    else { return [] }
    let links = after.schema.links(of: namespace).filter { new.plan.relation($0.label) == nil }
    let rows = Set(old.rows.map { before.id(of: $0) })
      .intersection(new.rows.map { after.id(of: $0) })
    var touched: [(row: EntityID, link: Link)] = []
    for change in changes.changes {
      for link in links where link.attribute.id == change.attribute {
        let ends =
          link.direction == .forward
          ? [after.id(of: change.entity)]
          : [change.old, change.new].compactMap { $0?.textValue.map { EntityID($0) } }
        touched += ends.filter { rows.contains($0) }.map { ($0, link) }
      }
    }
    var seen: Set<String> = []
    return touched.filter { seen.insert($0.row.text + $0.link.label).inserted }
      .flatMap { entries(of: $0.link, from: $0.row) }
  }

  private func entries(of link: Link, from row: EntityID) -> [ChangeEntry] {
    func targets(_ store: TripleStore) -> [EntityID] {
      store.handle(of: row).map { store.targets($0, link).map { store.id(of: $0) } } ?? []
    }
    return builder.entries(
      of: link.label, from: row, in: namespace(of: row), was: targets(before), to: link.target,
      now: targets(after), to: link.target)
  }

  private func holds(_ store: TripleStore, _ entity: EntityID) -> Bool {
    store.handle(of: entity).map { store.contains($0, in: namespace) } ?? false
  }

  /// Returns the namespace of an entity that is a row or a nested row.
  private func namespace(of entity: EntityID) -> String {
    guard let handle = after.handle(of: entity), !after.contains(handle, in: namespace) else {
      return namespace
    }
    return after.schema.namespaces.first { after.contains(handle, in: $0) } ?? namespace
  }

  private func entry(
    _ kind: ChangeEntry.Kind, _ entity: EntityID, _ label: String, old: CellText? = nil,
    new: CellText? = nil
  ) -> ChangeEntry {
    builder.entry(kind, entity, namespace(of: entity), label, old: old, new: new)
  }
}

extension LiveAnswer {
  /// The answer to the same query without staged and queued changes.
  var withoutOverlay: LiveAnswer {
    let base = snapshot.base
    guard snapshot.hasOverlay else { return self }
    let answers = document.plans.compactMap { try? QueryEngine.answer($0, in: base) }
    return LiveAnswer(document: document, answers: answers, snapshot: base, elapsed: elapsed)
  }
}
