/// A hash set for each long list, keyed by slot, because a linear search would be slow.
private struct LongLists<Item: Hashable & Sendable>: Sendable {
  /// The minimum length of a list with a hash set. Shorter lists are searched faster linearly.
  static var threshold: Int { 256 }

  private var members: [Int: Set<Item>] = [:]

  /// Returns whether a list contains an item; nil when the list is short and must be searched.
  @inline(__always)
  func contains(_ item: Item, of slot: Int) -> Bool? {
    members.isEmpty ? nil : members[slot]?.contains(item)
  }

  mutating func insert(_ item: Item, of slot: Int, count: Int, all: () -> some Sequence<Item>) {
    if count < Self.threshold { return }
    if members[slot]?.insert(item) == nil { members[slot] = Set(all()) }
  }

  mutating func remove(_ item: Item, of slot: Int, count: Int) {
    if count < Self.threshold / 2 { members[slot] = nil } else { members[slot]?.remove(item) }
  }
}

/// The link targets of 1,024 slots, stored consecutively.
///
///     starts   0   2   2   5 …        slot s has items[starts[s]..<starts[s + 1]]
///     items    a b     c d e …
struct TargetLists: Sendable {
  private(set) var starts = [UInt32](repeating: 0, count: Chunk.slots + 1)
  private(set) var items: [UInt32] = []
  /// The creation time of each item; `Chunk.asEntity` stands for the creation time of the entity.
  /// The array is empty if all items are as old as their entities.
  private(set) var times: [Int64] = []
  private var long = LongLists<UInt32>()

  init() {}

  /// Creates lists from loaded arrays. `starts` contains 1,025 ascending numbers: the start of each
  /// list, then the number of items. `times` is empty or contains the creation time of each item.
  init(starts: [UInt32], items: [UInt32], times: [Int64]) {
    (self.starts, self.items, self.times) = (starts, items, times)
    if items.count < LongLists<UInt32>.threshold { return }
    for slot in 0..<Chunk.slots {
      let list = self.items(slot)
      guard let last = list.last else { continue }
      long.insert(last, of: slot, count: list.count) { list }
    }
  }

  @inline(__always)
  func items(_ slot: Int) -> ArraySlice<UInt32> {
    items[Int(starts[slot])..<Int(starts[slot + 1])]
  }

  func time(_ item: UInt32, of slot: Int) -> Int64? {
    guard let place = items(slot).firstIndex(of: item) else { return nil }
    return times.isEmpty ? Chunk.asEntity : times[place]
  }

  /// Appends an item to its slot. Returns false if the slot already contains it.
  mutating func insert(_ item: UInt32, at slot: Int, time: Int64) -> Bool {
    guard !(long.contains(item, of: slot) ?? items(slot).contains(item)) else { return false }
    let place = Int(starts[slot + 1])
    if time != Chunk.asEntity && times.isEmpty {
      times = [Int64](repeating: Chunk.asEntity, count: items.count)
    }
    if time != Chunk.asEntity || !times.isEmpty { times.insert(time, at: place) }
    items.insert(item, at: place)
    for next in slot + 1...Chunk.slots { starts[next] &+= 1 }
    let list = items(slot)
    long.insert(item, of: slot, count: list.count) { list }
    return true
  }

  /// Removes an item. Returns false when the slot does not contain it.
  mutating func remove(_ item: UInt32, at slot: Int) -> Bool {
    guard let place = items(slot).firstIndex(of: item) else { return false }
    items.remove(at: place)
    if !times.isEmpty { times.remove(at: place) }
    for next in slot + 1...Chunk.slots { starts[next] &-= 1 }
    long.remove(item, of: slot, count: items(slot).count)
    return true
  }
}

/// The lists of values in 1,024 slots, for a multi-valued attribute that is not a link. Such
/// attributes are rare, so the storage is simple.
struct ValueLists: Sendable {
  private(set) var items = [[Value]](repeating: [], count: Chunk.slots)
  private(set) var times = [[Int64]](repeating: [], count: Chunk.slots)
  private var long = LongLists<Value>()

  init() {}

  /// Creates lists from loaded values. Each slot must have as many times as values.
  init(items: [[Value]], times: [[Int64]]) {
    (self.items, self.times) = (items, times)
    for (slot, list) in items.enumerated() {
      guard let last = list.last else { continue }
      long.insert(last, of: slot, count: list.count) { list }
    }
  }

  mutating func insert(_ value: Value, at slot: Int, time: Int64) -> Bool {
    guard !(long.contains(value, of: slot) ?? items[slot].contains(value)) else { return false }
    items[slot].append(value)
    times[slot].append(time)
    let list = items[slot]
    long.insert(value, of: slot, count: list.count) { list }
    return true
  }

  mutating func remove(_ value: Value, at slot: Int) -> Bool {
    guard let place = items[slot].firstIndex(of: value) else { return false }
    items[slot].remove(at: place)
    times[slot].remove(at: place)
    long.remove(value, of: slot, count: items[slot].count)
    return true
  }
}
