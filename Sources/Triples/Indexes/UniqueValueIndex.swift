/// A hash table from the values of a unique attribute to rows. It is updated incrementally, and
/// rebuilt only after many changes.
///
/// An entry may be outdated, so the caller must compare it with the row's current value. The table
/// contains the current values of each row that is not in `waiting`.
struct UniqueValueIndex: Sendable {
  private(set) var table = HashTable()
  /// The changed rows whose current values are not in the table yet.
  private(set) var waiting: [UInt32] = []

  /// Records that a row is about to change. Returns false when rebuilding the table would be
  /// faster.
  mutating func change(_ row: UInt32, cells: Int) -> Bool {
    if waiting.last != row { waiting.append(row) }
    return waiting.count <= 1024 + cells / 4 && table.count <= 4096 + cells * 2
  }

  mutating func reserve(_ rows: Int) { table.reserve(rows) }

  mutating func enter(_ row: UInt32, hash: UInt64) {
    if table.find(hash, { $0 == row }) == nil { table.insert(row, hash: hash) }
  }

  mutating func enterWaiting(_ forEachHash: (UInt32, (UInt64) -> Void) -> Void) {
    for row in waiting { forEachHash(row) { enter(row, hash: $0) } }
    waiting.removeAll()
  }
}

extension Column {
  /// Returns a row that contains the value, or that links to the target. Nil if there is no such
  /// row, or if the value is null.
  ///
  /// - Complexity: O(rows changed since ``prepareHolders()``); O(cells) without preparation.
  func holder(of key: HolderKey, otherThan excluded: UInt32? = nil) -> UInt32? {
    let holders = indexes.holders { builtHolders() }
    let found = holders.table.find(key.hash) { $0 != excluded && holds($0, key) }
    return found ?? holders.waiting.first { $0 != excluded && holds($0, key) }
  }

  /// Updates the index of unique values, so that ``holder(of:otherThan:)`` is fast in this state
  /// and later states.
  fileprivate mutating func prepareHolders() {
    var holders = indexes.holders { builtHolders() }
    holders.enterWaiting { row, body in forEachHash(row, body) }
    indexes.setHolders(holders)
  }

  private func builtHolders() -> UniqueValueIndex {
    var holders = UniqueValueIndex()
    holders.reserve(filled)
    forEachChunk { place, chunk in
      let base = UInt32(place) << Chunk.shift
      chunk.forEachValueSlot { slot in
        forEachHash(base | UInt32(slot)) { holders.enter(base | UInt32(slot), hash: $0) }
      }
    }
    return holders
  }

  private func holds(_ row: UInt32, _ key: HolderKey) -> Bool {
    switch (kind, key) {
    case (.target, .target(let target)), (.targetList, .target(let target)):
      return targets(row).contains(target)
    case (.value, .value(let value)), (.valueList, .value(let value)):
      if case .text(let code) = cell(row) {
        guard case .text(let text) = value else { return false }
        return texts.withBytes(of: code) { bytes, _ in text.utf8.elementsEqual(bytes) }
      }
      return values(row).contains { $0.isSameJSON(as: value) }
    default: return false
    }
  }

  private func forEachHash(_ row: UInt32, _ body: (UInt64) -> Void) {
    switch kind {
    case .membership: break
    case .target, .targetList:
      for target in targets(row) { body(HolderKey.target(target).hash) }
    case .value, .valueList:
      if case .text(let code) = cell(row) {
        return body(texts.withBytes(of: code) { bytes, _ in KeyHash.of(bytes) })
      }
      for value in values(row) where value != .null { body(HolderKey.value(value).hash) }
    }
  }
}

/// A value or target whose row is looked up.
enum HolderKey {
  case value(Value)
  /// The row of a linked entity.
  case target(UInt32)

  /// The hash of the value. JSON values that are equal, such as `1` and `1.0`, have equal hashes.
  fileprivate var hash: UInt64 {
    switch self {
    case .target(let row): KeyHash.of(1, UInt64(row))
    case .value(.text(var text)): text.withUTF8 { KeyHash.of($0) }
    case .value(.integer(let number)): KeyHash.of(2, (Double(number) + 0).bitPattern)
    case .value(.double(let number)): KeyHash.of(2, (number + 0).bitPattern)
    case .value(.bool(let flag)): KeyHash.of(3, flag ? 1 : 0)
    case .value(.array(let items)): KeyHash.of(4, UInt64(items.count))
    case .value(.object(let object)): KeyHash.of(5, UInt64(object.count))
    case .value(.null): 0
    }
  }
}

extension TripleStore {
  /// Prepares fast lookups of values in an attribute's column, for this store and later copies.
  mutating func prepareHolders(column: Int) {
    let isPrepared = with(column) {
      $0.pointee.kind == .membership || $0.pointee.indexes.areHoldersPrepared
    }
    if !isPrepared { columns[column].content.prepareHolders() }
  }

  /// Returns the entity with this value or, for a link, the entity that links to the id in `value`.
  /// Nil if there is no such entity, or if the value is null.
  func holder(
    of value: Value, column: Int, otherThan excluded: EntityHandle? = nil
  ) -> EntityHandle? {
    if value == .null { return nil }
    let content = columns[column].content
    switch content.kind {
    case .membership:
      guard case .text(let id) = value, let handle = handle(of: EntityID(id)) else { return nil }
      return content.isPresent(handle.row) && handle != excluded ? handle : nil
    case .target, .targetList:
      guard case .text(let id) = value, let target = handle(of: EntityID(id)) else { return nil }
      return content.holder(of: .target(target.row), otherThan: excluded?.row)
        .map(EntityHandle.init(row:))
    case .value, .valueList:
      return content.holder(of: .value(value), otherThan: excluded?.row)
        .map(EntityHandle.init(row:))
    }
  }
}
