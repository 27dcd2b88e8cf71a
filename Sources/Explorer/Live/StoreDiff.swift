import TerminalUI
import Triples

/// A comparison of two states of a store that does not report its changes, such as a JSON file.
///
/// Entities are matched by their ids, attributes by their names.
package struct StoreDiff: Sendable, Equatable {
  let before: StoreSnapshot
  let after: StoreSnapshot

  /// The maximum number of entities per store for a comparison.
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
  private let before: Catalog
  private let after: Catalog
  private let transaction: Int?
  var entries: [ChangeEntry] = []
  var count = 0

  init(_ before: StoreSnapshot, _ after: StoreSnapshot) {
    self.before = Catalog(snapshot: before)
    self.after = Catalog(snapshot: after)
    transaction = after.knownTransaction
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
    let fields = fields(of: namespace)
    for new in after.store.rows(of: namespace).handles {
      let id = after.store.id(of: new)
      guard let old = before.store.handle(of: id), before.store.contains(old, in: namespace) else {
        add(.inserted, new, in: after, namespace)
        continue
      }
      for field in fields {
        if field.isLink {
          lookAlong(field, from: old, to: new, in: namespace)
        } else {
          let was = field.before.map { before.store.values(old, $0.id) } ?? []
          let now = field.after.map { after.store.values(new, $0.id) } ?? []
          if was == now { continue }
          add(
            .updated, new, in: after, namespace, field.label,
            was.last.map { cell($0, field.before) }, now.last.map { cell($0, field.after) })
        }
      }
    }
    for old in before.store.rows(of: namespace).handles {
      let new = after.store.handle(of: before.store.id(of: old))
      if new.map({ after.store.contains($0, in: namespace) }) != true {
        add(.deleted, old, in: before, namespace)
      }
    }
  }

  private func fields(of namespace: String) -> [Field] {
    let old = before.store.schema.ownAttributes(of: namespace)
    let new = after.store.schema.ownAttributes(of: namespace)
    let gone = old.filter { attribute in !new.contains { $0.label == attribute.label } }
    return (new + gone).filter { !$0.isIdentity }.map { attribute in
      Field(
        label: attribute.label, before: old.first { $0.label == attribute.label },
        after: new.first { $0.label == attribute.label })
    }
  }

  private mutating func lookAlong(
    _ field: Field, from old: EntityHandle, to new: EntityHandle, in namespace: String
  ) {
    let was = targets(of: old, along: field.before, in: before)
    let now = targets(of: new, along: field.after, in: after)
    if was.map(\.id) == now.map(\.id) { return }
    let (wasThere, isThere) = (Set(was.map(\.id)), Set(now.map(\.id)))
    for target in was where !isThere.contains(target.id) {
      add(.unlinked, new, in: after, namespace, field.label, name(of: target, in: before), nil)
    }
    for target in now where !wasThere.contains(target.id) {
      add(.linked, new, in: after, namespace, field.label, nil, name(of: target, in: after))
    }
  }

  /// The target of a link: its handle in one of the two stores, its id and its namespace.
  private struct Target {
    let handle: EntityHandle
    let id: EntityID
    let namespace: String
  }

  private func targets(
    of entity: EntityHandle, along attribute: Attribute?, in catalog: Catalog
  ) -> [Target] {
    guard let attribute else { return [] }
    let link = Link(attribute, .forward)
    return catalog.store.targets(entity, link).map {
      Target(handle: $0, id: catalog.store.id(of: $0), namespace: link.target)
    }
  }

  private func name(of target: Target, in catalog: Catalog) -> CellText {
    CellText(text: catalog.label(of: target.handle, in: target.namespace), role: .link)
  }

  private func cell(_ value: Value, _ attribute: Attribute?) -> CellText {
    var cell = CellText(value, of: attribute)
    cell.text = String(cell.text.prefix(ChangeLog.maxValueLength))
    return cell
  }

  private mutating func add(
    _ kind: ChangeEntry.Kind, _ entity: EntityHandle, in catalog: Catalog, _ namespace: String,
    _ label: String = "", _ old: CellText? = nil, _ new: CellText? = nil
  ) {
    count += 1
    guard entries.count < ChangeLog.maxAtOnce else { return }
    entries.append(
      ChangeEntry(
        transaction: transaction, kind: kind, entity: catalog.store.id(of: entity),
        namespace: namespace, name: catalog.label(of: entity, in: namespace), label: label,
        old: old, new: new))
  }
}

extension Schema {
  /// Returns the attributes and forward links of a namespace.
  fileprivate func ownAttributes(of namespace: String) -> [Attribute] {
    allAttributes(of: namespace)
      + links(of: namespace).filter { $0.direction == .forward }.map(\.attribute)
  }
}
