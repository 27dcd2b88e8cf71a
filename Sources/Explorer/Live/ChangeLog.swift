import LiveQueries
import TerminalUI
import Triples

/// The changes of the store since it was opened, newest last.
struct ChangeLog: Sendable, Equatable {
  private(set) var entries: [ChangeEntry] = []
  /// The number of transactions whose changes could not be determined.
  private(set) var missed = 0
  /// The number of entries that were dropped to make room for newer ones.
  private(set) var dropped = 0

  /// The number of changes that were not logged, because they were beyond the first `maxAtOnce` of
  /// their snapshot.
  private(set) var leftOut = 0
  /// The number of background comparisons that have not finished.
  private var comparisons = 0

  /// Whether a background comparison may still add entries.
  var isComparing: Bool { comparisons > 0 }

  /// The number of all changes so far, including those without an entry.
  var written: Int { entries.count + dropped + leftOut }

  static let maxEntries = 5_000
  /// The maximum number of entries for one snapshot.
  static let maxAtOnce = 2_000
  /// The maximum length of a value in characters; longer values are cut.
  static let maxValueLength = 120
  /// The maximum number of changed values for which log entries are counted exactly.
  private static let maxCounted = 20_000

  /// Logs the changes from `before` to `after`, if the store reported them.
  ///
  /// - Returns: A comparison to run in the background if the store reported no changes; otherwise
  ///   nil.
  mutating func add(from before: StoreSnapshot, to after: StoreSnapshot) -> StoreDiff? {
    guard before.transactionID != after.transactionID else { return nil }
    guard let changes = after.changes(since: before) else {
      let comparison = StoreDiff(from: before, to: after)
      if comparison == nil { missed += 1 } else { comparisons += 1 }
      return comparison
    }
    let added = Self.entries(of: changes, from: before, to: after, number: after.knownTransaction)
    add(
      added,
      of: added.count == Self.maxAtOnce
        ? Self.count(of: changes, from: before, to: after) : added.count)
    return nil
  }

  /// Logs the result of a background comparison.
  mutating func add(_ difference: StoreDiffResult) {
    comparisons = max(0, comparisons - 1)
    add(difference.entries, of: difference.count)
  }

  /// Logs the differences between two answers of a store that reports no changes itself.
  ///
  /// Rows that only moved are not logged.
  mutating func add(from before: LiveAnswer, to after: LiveAnswer) {
    let found = AnswerDiff.entries(from: before, to: after)?.filter { $0.kind != .moved }
    guard let found else { return }
    add(Array(found.prefix(Self.maxAtOnce)), of: found.count)
  }

  /// Adds entries to the log.
  ///
  /// - Parameter count: The number of changes; `added` may contain only the first of them.
  private mutating func add(_ added: [ChangeEntry], of count: Int) {
    entries += added
    leftOut += count - added.count
    let surplus = entries.count - Self.maxEntries
    if surplus > 0 {
      entries.removeFirst(surplus)
      dropped += surplus
    }
  }

  /// Returns the log entries of the first `maxAtOnce` changes.
  ///
  /// - Parameter number: The number of the transaction; nil if there is none.
  static func entries(
    of changes: ChangeSet, from before: StoreSnapshot, to after: StoreSnapshot, number: Int?
  ) -> [ChangeEntry] {
    changes.changes.lazy.compactMap {
      entry($0, before: before, after: after, number: number)
    }.prefix(maxAtOnce).map { $0 }
  }

  /// Returns the number of log entries for all changes of a transaction.
  ///
  /// Beyond the first `maxCounted` changed values, each value counts as one entry.
  static func count(
    of changes: ChangeSet, from before: StoreSnapshot, to after: StoreSnapshot
  ) -> Int {
    changes.changes.prefix(maxCounted).count { kind(of: $0, before: before, after: after) != nil }
      + max(0, changes.changes.count - maxCounted)
  }

  /// Returns the kind of a change's log entry. Nil if the change needs no entry, because the entry
  /// of a created or deleted entity covers it.
  private static func kind(
    of change: ChangeSet.Change, before: StoreSnapshot, after: StoreSnapshot
  ) -> ChangeEntry.Kind? {
    guard let attribute = after.store.schema.attribute(change.attribute) else { return nil }
    if attribute.isIdentity { return change.new == nil ? .deleted : .inserted }
    if attribute.valueType == .ref { return change.new == nil ? .unlinked : .linked }
    // The entry of a created or deleted entity covers its values.
    if !after.store.contains(change.entity, in: attribute.namespace) { return nil }
    let isNew = change.old == nil && !before.store.contains(change.entity, in: attribute.namespace)
    return isNew ? nil : .updated
  }

  private static func entry(
    _ change: ChangeSet.Change, before: StoreSnapshot, after: StoreSnapshot, number: Int?
  ) -> ChangeEntry? {
    guard let attribute = after.store.schema.attribute(change.attribute),
      let kind = kind(of: change, before: before, after: after)
    else { return nil }
    let namespace = attribute.namespace
    // A deleted entity gets the label that it had before.
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
      cell.text = String(cell.text.prefix(maxValueLength))
      return cell
    }
    return ChangeEntry(
      transaction: number, kind: kind, entity: after.store.id(of: change.entity),
      namespace: namespace, name: catalog.label(of: change.entity, in: namespace),
      label: attribute.isIdentity ? "" : attribute.label,
      old: cell(change.old), new: cell(change.new))
  }

  /// Returns the label of a link's old or new target. A deleted target gets the label that it had
  /// before.
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
