import InstaQL
import Triples

/// A comparison of two states of a store that does not report its changes, such as a JSON file.
///
/// Entities are matched by their ids, attributes by their names.
package struct StoreDiff: Sendable, Equatable {
  let before: StoreSnapshot
  let after: StoreSnapshot

  static let maxEntities = 200_000

  /// Creates a comparison; nil if one of the stores is incomplete or too large to compare.
  init?(from before: StoreSnapshot, to after: StoreSnapshot) {
    for snapshot in [before, after] {
      let store = snapshot.store
      let count = store.schema.namespaces.reduce(0) { $0 + store.count(of: $1) }
      guard snapshot.served == nil, count <= Self.maxEntities else { return nil }
    }
    (self.before, self.after) = (before, after)
  }

  /// Compares all values and returns the differences.
  ///
  /// - Complexity: O(values).
  package func difference() -> StoreDiffResult {
    var search = Search(before, after)
    let old = before.store.schema.namespaces
    let new = after.store.schema.namespaces
    for namespace in new + old.filter({ !new.contains($0) }) { search.look(in: namespace) }
    return StoreDiffResult(entries: search.entries, count: search.count)
  }
}

/// The first differences of two stores, and the number of all differences.
package struct StoreDiffResult: Sendable, Equatable {
  let entries: [ChangeEntry]
  let count: Int
}

private struct Search {
  private let builder: ChangeEntryBuilder
  private let before: TripleStore
  private let after: TripleStore
  var entries: [ChangeEntry] = []
  var count = 0

  init(_ before: StoreSnapshot, _ after: StoreSnapshot) {
    builder = ChangeEntryBuilder(from: before, to: after, transaction: after.knownTransaction)
    (self.before, self.after) = (before.store, after.store)
  }

  /// The attribute with a label, before and after; nil for a store that does not have the
  /// attribute.
  private struct Field {
    let label: String
    let before: Attribute?
    let after: Attribute?

    var isLink: Bool { (after ?? before)?.valueType == .ref }
  }

  mutating func look(in namespace: String) {
    // A row of a view has only a position, which changes with every earlier row.
    if [before, after].contains(where: { $0.schema.identity(of: namespace)?.isPosition == true }) {
      return
    }
    let fields = fields(of: namespace)
    let (olds, news) = (before.rows(of: namespace).handles, after.rows(of: namespace).handles)
    let (was, now) = (olds.map { before.id(of: $0) }, news.map { after.id(of: $0) })
    let rows = RowDifference(from: was, to: now)
    for row in news.indices {
      guard let place = rows.place(of: row) else {
        add { $0.entry(.inserted, now[row], namespace) }
        continue
      }
      for field in fields {
        look(at: field, of: now[row], olds[place], news[row], in: namespace)
      }
    }
    for row in rows.removed { add { $0.entry(.deleted, was[row], namespace) } }
  }

  private func fields(of namespace: String) -> [Field] {
    let old = before.schema.ownAttributes(of: namespace)
    let new = after.schema.ownAttributes(of: namespace)
    let gone = old.filter { attribute in !new.contains { $0.label == attribute.label } }
    return (new + gone).filter { !$0.isIdentity }.map { attribute in
      Field(
        label: attribute.label, before: old.first { $0.label == attribute.label },
        after: new.first { $0.label == attribute.label })
    }
  }

  private mutating func look(
    at field: Field, of entity: EntityID, _ old: EntityHandle, _ new: EntityHandle,
    in namespace: String
  ) {
    guard field.isLink else {
      let was = field.before.map { before.values(old, $0.id) } ?? []
      let now = field.after.map { after.values(new, $0.id) } ?? []
      if was == now { return }
      add {
        $0.entry(
          .updated, entity, namespace, field.label,
          old: $0.old(was.last, of: field.before, to: nil),
          new: $0.new(now.last, of: field.after, to: nil))
      }
      return
    }
    let (oldLink, newLink) = (
      field.before.map { Link($0, .forward) }, field.after.map { Link($0, .forward) }
    )
    let was = oldLink.map { before.targets(old, $0).map { before.id(of: $0) } } ?? []
    let now = newLink.map { after.targets(new, $0).map { after.id(of: $0) } } ?? []
    let ends = builder.entries(
      of: field.label, from: entity, in: namespace, was: was, to: oldLink?.target, now: now,
      to: newLink?.target)
    for end in ends { add { _ in end } }
  }

  private mutating func add(_ entry: (ChangeEntryBuilder) -> ChangeEntry) {
    count += 1
    if entries.count < ChangeEntryBuilder.maxCount { entries.append(entry(builder)) }
  }
}

extension Schema {
  /// Returns the attributes and forward links of a namespace.
  fileprivate func ownAttributes(of namespace: String) -> [Attribute] {
    allAttributes(of: namespace)
      + links(of: namespace).filter { $0.direction == .forward }.map(\.attribute)
  }
}
