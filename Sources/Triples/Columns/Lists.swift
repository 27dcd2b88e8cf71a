/// The linked rows of 1,024 slots, one list behind the other.
///
///     starts   0   2   2   5 …        slot s has items[starts[s]..<starts[s + 1]]
///     items    a b     c d e …
struct TargetLists: Sendable {
  private(set) var starts = [UInt32](repeating: 0, count: Chunk.slots + 1)
  private(set) var items: [UInt32] = []
  /// Empty, or a moment for each item; `Chunk.asEntity` where it is as old as its entity.
  private(set) var times: [Int64] = []

  @inline(__always)
  func items(_ slot: Int) -> ArraySlice<UInt32> {
    items[Int(starts[slot])..<Int(starts[slot + 1])]
  }

  func time(_ item: UInt32, of slot: Int) -> Int64? {
    guard let place = items(slot).firstIndex(of: item) else { return nil }
    return times.isEmpty ? Chunk.asEntity : times[place]
  }

  /// Adds an item behind the others of its slot. False when it is there already.
  mutating func insert(_ item: UInt32, at slot: Int, time: Int64) -> Bool {
    guard !items(slot).contains(item) else { return false }
    let place = Int(starts[slot + 1])
    if time != Chunk.asEntity && times.isEmpty {
      times = [Int64](repeating: Chunk.asEntity, count: items.count)
    }
    if time != Chunk.asEntity || !times.isEmpty { times.insert(time, at: place) }
    items.insert(item, at: place)
    for next in slot + 1...Chunk.slots { starts[next] &+= 1 }
    return true
  }

  /// False when the item is not there.
  mutating func remove(_ item: UInt32, at slot: Int) -> Bool {
    guard let place = items(slot).firstIndex(of: item) else { return false }
    items.remove(at: place)
    if !times.isEmpty { times.remove(at: place) }
    for next in slot + 1...Chunk.slots { starts[next] &-= 1 }
    return true
  }
}

/// The values of 1,024 slots of a many-valued attribute that is no link. Rare, so kept plainly.
struct ValueLists: Sendable {
  private(set) var items = [[Value]](repeating: [], count: Chunk.slots)
  private(set) var times = [[Int64]](repeating: [], count: Chunk.slots)

  mutating func insert(_ value: Value, at slot: Int, time: Int64) -> Bool {
    guard !items[slot].contains(value) else { return false }
    items[slot].append(value)
    times[slot].append(time)
    return true
  }

  mutating func remove(_ value: Value, at slot: Int) -> Bool {
    guard let place = items[slot].firstIndex(of: value) else { return false }
    items[slot].remove(at: place)
    times[slot].remove(at: place)
    return true
  }
}
