import InstaQL
import TerminalUI
import Triples

/// A change of one value or link, or of a whole entity.
struct ChangeEntry: Sendable, Equatable {
  enum Kind: Sendable {
    case inserted, updated, deleted, linked, unlinked
    /// The row moved to another position in the answer.
    case moved

    /// The symbol for this kind of change, at the start of its line.
    var sign: String {
      switch self {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      case .linked: "→"
      case .unlinked: "×"
      case .moved: "↕"
      }
    }
  }

  /// The number of the transaction; nil if the change does not belong to a single transaction.
  let transaction: Int?
  let kind: Kind
  let entity: EntityID
  let namespace: String
  /// The entity's label at the time of the change.
  var name: String
  /// The label of the attribute, or what happened to a row of the answer; empty if the whole entity
  /// was created or deleted.
  let label: String
  let old: CellText?
  let new: CellText?

  /// Returns the values with texts whose first `columns` columns show the first difference.
  func values(within columns: Int) -> (old: CellText?, new: CellText?) {
    Self.values(old, new, within: columns)
  }

  /// Returns the values, each cut to a number of characters that show the first difference.
  fileprivate static func values(
    _ old: CellText?, _ new: CellText?, cutTo length: Int
  ) -> (old: CellText?, new: CellText?) {
    let cells = [old, new].compactMap { $0 }
    guard cells.contains(where: { $0.text.utf8.count > length }) else { return (old, new) }
    var values = values(old, new, within: length)
    values.old?.cutText(to: length)
    values.new?.cutText(to: length)
    return values
  }

  private static func values(
    _ old: CellText?, _ new: CellText?, within columns: Int
  ) -> (old: CellText?, new: CellText?) {
    guard var old, var new else { return (old, new) }
    (old.text, new.text) = TextDifference(old.text, new.text).texts(within: columns)
    return (old, new)
  }
}

extension CellText {
  /// Cuts the text to a number of characters, followed by the number of characters that are left.
  fileprivate mutating func cutText(to length: Int) {
    let start = text.prefix(length)
    if start.endIndex == text.endIndex { return }
    let rest = NumberText.count(text[start.endIndex...].count, "more character")
    text = "\(start)… \(rest)"
  }
}

/// Builds entries for the differences between two states of a store.
struct ChangeEntryBuilder {
  let before: Catalog
  let after: Catalog
  /// The number of the transaction; nil if the changes do not belong to a single transaction.
  private let transaction: Int?
  /// The maximum length of a value in characters; longer values are cut.
  private let maxValueLength: Int
  /// The labels of entities that neither state contains.
  private let names: [EntityID: String]

  /// The maximum length of the values of a change that the user reviews before it is sent.
  static let maxReviewedLength = 10_000
  private static let maxLoggedLength = 2_000

  init(
    from before: StoreSnapshot, to after: StoreSnapshot, transaction: Int? = nil,
    maxValueLength: Int = Self.maxLoggedLength, names: [EntityID: String] = [:]
  ) {
    (self.before, self.after) = (Catalog(snapshot: before), Catalog(snapshot: after))
    self.names = names
    self.transaction = transaction
    self.maxValueLength = maxValueLength
  }

  /// Returns an entry. A deleted entity gets the label that it had before.
  func entry(
    _ kind: ChangeEntry.Kind, _ entity: EntityID, _ namespace: String, _ label: String = "",
    old: CellText? = nil, new: CellText? = nil
  ) -> ChangeEntry {
    let values = ChangeEntry.values(old, new, cutTo: maxValueLength)
    return ChangeEntry(
      transaction: transaction, kind: kind, entity: entity, namespace: namespace,
      name: name(of: entity, in: namespace, kind == .deleted ? [before, after] : [after, before]),
      label: label, old: values.old, new: values.new)
  }

  /// Returns the text of a previous value.
  ///
  /// - Parameter target: The namespace of a link's target, whose label replaces its id; nil for
  ///   the value of an attribute.
  func old(_ value: Value?, of attribute: Attribute?, to target: String?) -> CellText? {
    cell(value, of: attribute, to: target, [before, after])
  }

  /// Returns the text of a new value; see `old`.
  func new(_ value: Value?, of attribute: Attribute?, to target: String?) -> CellText? {
    cell(value, of: attribute, to: target, [after, before])
  }

  /// Returns an entry for each target that a link of an entity lost or gained.
  func entries(
    of label: String, from entity: EntityID, in namespace: String, was: [EntityID],
    to oldTarget: String?, now: [EntityID], to newTarget: String?
  ) -> [ChangeEntry] {
    let ends = RowDifference(from: was, to: now)
    return ends.removed.map {
      let end = old(.text(was[$0].text), of: nil, to: oldTarget)
      return entry(.unlinked, entity, namespace, label, old: end)
    }
      + ends.inserted.map {
        let end = new(.text(now[$0].text), of: nil, to: newTarget)
        return entry(.linked, entity, namespace, label, new: end)
      }
  }

  private func cell(
    _ value: Value?, of attribute: Attribute?, to target: String?, _ catalogs: [Catalog]
  ) -> CellText? {
    guard let value else { return nil }
    if let target, case .text(let id) = value {
      // Telling labels apart needs a lookup, which a log of thousands of changes cannot afford.
      let isDistinct = maxValueLength == Self.maxReviewedLength
      return CellText(
        text: name(of: EntityID(id), in: target, catalogs, isDistinct: isDistinct), role: .link)
    }
    return CellText(value, of: attribute, maxLength: .max)
  }

  /// Returns the label of an entity in the first of the catalogs that contain it.
  ///
  /// - Parameter isDistinct: Whether the label is told apart from equal ones of other entities.
  private func name(
    of entity: EntityID, in namespace: String, _ catalogs: [Catalog], isDistinct: Bool = false
  ) -> String {
    let known = catalogs.compactMap { catalog in
      catalog.store.handle(of: entity).map { (catalog: catalog, handle: $0) }
    }
    let best = known.first { $0.catalog.store.contains($0.handle, in: namespace) }
    if best == nil, let name = names[entity] { return name }
    guard let (catalog, handle) = best ?? known.first else { return entity.text }
    return isDistinct
      ? catalog.distinctLabel(of: handle, in: namespace)
      : catalog.label(of: handle, in: namespace)
  }

  // MARK: Changes that the store reports

  static let maxCount = 2_000
  /// The maximum number of changed values for which entries are counted exactly.
  private static let maxCounted = 20_000

  /// Returns the entries of the first changes.
  func entries(of changes: ChangeSet) -> [ChangeEntry] {
    changes.changes.lazy.compactMap { entry(of: $0) }.prefix(Self.maxCount).map { $0 }
  }

  /// Returns the number of entries for all changes.
  ///
  /// Beyond the first `maxCounted` changed values, each value counts as one entry.
  func count(of changes: ChangeSet) -> Int {
    changes.changes.prefix(Self.maxCounted).count { kind(of: $0) != nil }
      + max(0, changes.changes.count - Self.maxCounted)
  }

  /// Returns the kind of a change's entry. Nil if the change needs no entry, because the entry of a
  /// created or deleted entity covers it, or the row has no identity.
  private func kind(of change: ChangeSet.Change) -> ChangeEntry.Kind? {
    guard let attribute = after.schema.attribute(change.attribute) else { return nil }
    // A row of a view has only a position, which changes with every earlier row.
    if after.schema.identity(of: attribute.namespace)?.isPosition == true { return nil }
    if attribute.isIdentity { return change.new == nil ? .deleted : .inserted }
    if attribute.valueType == .ref { return change.new == nil ? .unlinked : .linked }
    // The entry of a created or deleted entity covers its values.
    if !after.store.contains(change.entity, in: attribute.namespace) { return nil }
    let isNew = change.old == nil && !before.store.contains(change.entity, in: attribute.namespace)
    return isNew ? nil : .updated
  }

  private func entry(of change: ChangeSet.Change) -> ChangeEntry? {
    guard let attribute = after.schema.attribute(change.attribute),
      let kind = kind(of: change)
    else { return nil }
    let entity = after.store.id(of: change.entity)
    if attribute.isIdentity { return entry(kind, entity, attribute.namespace) }
    let target = attribute.valueType == .ref ? Link(attribute, .forward).target : nil
    return entry(
      kind, entity, attribute.namespace, attribute.label,
      old: old(change.old, of: attribute, to: target),
      new: new(change.new, of: attribute, to: target))
  }
}
