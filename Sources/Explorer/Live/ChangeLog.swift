import LiveQueries
import TerminalUI
import Triples

/// What changed in the store since it was opened, newest last.
struct ChangeLog: Sendable, Equatable {
  enum Kind: Sendable {
    case inserted, updated, deleted, linked, unlinked
    /// Stands elsewhere among the rows.
    case moved

    /// The sign before the line.
    var sign: String {
      switch self {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      case .linked: "→"
      case .unlinked: "⇥"
      case .moved: "↕"
      }
    }
  }

  struct Entry: Sendable, Equatable {
    /// Nil where it is not one transaction that did it.
    let transaction: Int?
    let kind: Kind
    let entity: EntityID
    let namespace: String
    /// How the entity was called when this happened.
    let name: String
    /// The attribute; empty when the whole entity came or went.
    let label: String
    let old: CellText?
    let new: CellText?
  }

  private(set) var entries: [Entry] = []
  /// Transactions of which nothing is known but that they happened.
  private(set) var missed = 0
  /// Entries that were dropped for newer ones.
  private(set) var dropped = 0

  /// What came with more than is written down at once.
  private(set) var leftOut = 0
  /// How many stores are still held against each other.
  private var comparisons = 0

  /// Whether more may be known soon of what has changed.
  var isComparing: Bool { comparisons > 0 }

  /// Entries that there ever were.
  var written: Int { entries.count + dropped + leftOut }

  static let longest = 5_000
  /// Of one snapshot no more are written down.
  static let mostAtOnce = 2_000
  /// Of a longer value no more letters are written down.
  static let longestValue = 120
  /// Of so many changed values it is looked up what each is about.
  private static let mostCounted = 20_000

  /// Writes down what led from `before` to `after`.
  /// - Returns: What is to be compared to know that; nil where it is known, or cannot be.
  mutating func add(from before: StoreSnapshot, to after: StoreSnapshot) -> StoreComparison? {
    guard before.transactionID != after.transactionID else { return nil }
    guard let changes = after.changes(since: before) else {
      let comparison = StoreComparison(from: before, to: after)
      if comparison == nil { missed += 1 } else { comparisons += 1 }
      return comparison
    }
    let added = Self.entries(of: changes, from: before, to: after, number: after.knownTransaction)
    add(
      added,
      of: added.count == Self.mostAtOnce
        ? Self.count(of: changes, from: before, to: after) : added.count)
    return nil
  }

  /// Writes down what a comparison found.
  mutating func add(_ difference: StoreDifference) {
    comparisons = max(0, comparisons - 1)
    add(difference.entries, of: difference.count)
  }

  /// Writes down what is different in an answer, where a store tells nothing but answers. Rows that only
  /// stand elsewhere now were not changed.
  mutating func add(from before: LiveAnswer, to after: LiveAnswer) {
    let found = Comparison.entries(from: before, to: after)?.filter { $0.kind != .moved }
    guard let found else { return }
    add(Array(found.prefix(Self.mostAtOnce)), of: found.count)
  }

  /// - Parameter count: How many there would be, were all of them written down.
  private mutating func add(_ added: [Entry], of count: Int) {
    entries += added
    leftOut += count - added.count
    let surplus = entries.count - Self.longest
    if surplus > 0 {
      entries.removeFirst(surplus)
      dropped += surplus
    }
  }

  /// What the first so many changes did, a line each.
  ///
  /// - Parameter number: Of the transaction; nil where it was none.
  static func entries(
    of changes: ChangeSet, from before: StoreSnapshot, to after: StoreSnapshot, number: Int?
  ) -> [Entry] {
    changes.changes.lazy.compactMap {
      entry($0, before: before, after: after, number: number)
    }.prefix(mostAtOnce).map { $0 }
  }

  /// How many lines changes would have, were all of them written down: an entity that comes or goes is
  /// one, whatever it has. Beyond what is looked at each value is taken for one.
  static func count(
    of changes: ChangeSet, from before: StoreSnapshot, to after: StoreSnapshot
  ) -> Int {
    changes.changes.prefix(mostCounted).count { kind(of: $0, before: before, after: after) != nil }
      + max(0, changes.changes.count - mostCounted)
  }

  /// What kind of line a change has; nil where the line of its entity tells it.
  private static func kind(
    of change: ChangeSet.Change, before: StoreSnapshot, after: StoreSnapshot
  ) -> Kind? {
    guard let attribute = after.store.schema.attribute(change.attribute) else { return nil }
    if attribute.isIdentity { return change.new == nil ? .deleted : .inserted }
    if attribute.valueType == .ref { return change.new == nil ? .unlinked : .linked }
    // The values of an entity that came or went are told by its own line.
    if !after.store.contains(change.entity, in: attribute.namespace) { return nil }
    let isNew = change.old == nil && !before.store.contains(change.entity, in: attribute.namespace)
    return isNew ? nil : .updated
  }

  private static func entry(
    _ change: ChangeSet.Change, before: StoreSnapshot, after: StoreSnapshot, number: Int?
  ) -> Entry? {
    guard let attribute = after.store.schema.attribute(change.attribute),
      let kind = kind(of: change, before: before, after: after)
    else { return nil }
    let namespace = attribute.namespace
    // What is gone is called as it was called before.
    let isGone = !after.store.contains(change.entity, in: namespace)
    let isKnownBefore = before.store.handle(of: after.store.id(of: change.entity)) != nil
    let catalog = Catalog(snapshot: isGone && isKnownBefore ? before : after)
    func cell(_ value: Value?) -> CellText? {
      guard let value, !attribute.isIdentity else { return nil }
      if attribute.valueType == .ref, case .text(let id) = value {
        return CellText(
          text: name(of: EntityID(id), in: Link(attribute, .forward).target, before, after),
          role: .link)
      }
      var cell = CellText(value, of: attribute)
      cell.text = String(cell.text.prefix(longestValue))
      return cell
    }
    return Entry(
      transaction: number, kind: kind, entity: after.store.id(of: change.entity),
      namespace: namespace, name: catalog.label(of: change.entity, in: namespace),
      label: attribute.isIdentity ? "" : attribute.label,
      old: cell(change.old), new: cell(change.new))
  }

  /// What a link led or leads to; who is gone is called as before.
  private static func name(
    of target: EntityID, in namespace: String, _ before: StoreSnapshot, _ after: StoreSnapshot
  ) -> String {
    for snapshot in [after, before] {
      guard let handle = snapshot.store.handle(of: target),
        snapshot.store.contains(handle, in: namespace)
      else { continue }
      return Catalog(snapshot: snapshot).label(of: handle, in: namespace)
    }
    return target.text
  }
}
