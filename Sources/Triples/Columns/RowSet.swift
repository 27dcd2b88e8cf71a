/// A set of rows of one store, as bits.
///
/// Rows are grouped in chunks of 1,024, like columns; a chunk without members takes no memory.
/// Members are iterated in ascending order.
package struct RowSet: Sendable, Equatable {
  /// The chunks with members, ascending.
  private(set) var chunks: [UInt32]
  /// The bits of the members: 16 words for each of `chunks`, with the lowest row in the lowest bit.
  private(set) var words: [UInt64]

  package init() {
    chunks = []
    words = []
  }

  package init(_ handles: some Sequence<EntityHandle>) {
    self.init()
    for handle in handles { insert(handle) }
  }

  package var isEmpty: Bool { chunks.isEmpty }

  /// The number of members.
  ///
  /// - Complexity: O(chunks with members).
  package var count: Int {
    var total = 0
    for word in words { total &+= word.nonzeroBitCount }
    return total
  }

  package func contains(_ handle: EntityHandle) -> Bool { contains(row: handle.row) }

  package mutating func insert(_ handle: EntityHandle) { insert(row: handle.row) }

  package mutating func remove(_ handle: EntityHandle) { remove(row: handle.row) }

  package func forEach(_ body: (EntityHandle) throws -> Void) rethrows {
    try forEachRow { try body(EntityHandle(row: $0)) }
  }

  /// The members as handles, in ascending order.
  package var handles: [EntityHandle] {
    var result: [EntityHandle] = []
    result.reserveCapacity(count)
    forEachRow { result.append(EntityHandle(row: $0)) }
    return result
  }

  /// Returns the first `count` members, in ascending order.
  package func prefix(_ count: Int) -> [EntityHandle] {
    var result: [EntityHandle] = []
    for place in chunks.indices {
      for index in 0..<16 {
        var word = words[place * 16 + index]
        while word != 0 {
          if result.count >= count { return result }
          let row = chunks[place] << 10 | UInt32(index * 64 + word.trailingZeroBitCount)
          result.append(EntityHandle(row: row))
          word &= word &- 1
        }
      }
    }
    return result
  }

  // MARK: Rows as numbers

  init(rows: some Sequence<UInt32>) {
    self.init()
    for row in rows { insert(row: row) }
  }

  func contains(row: UInt32) -> Bool {
    guard let place = place(of: row >> 10) else { return false }
    let word = words[place &* 16 &+ Int(row >> 6 & 15)]
    return word & (1 << UInt64(row & 63)) != 0
  }

  mutating func insert(row: UInt32) {
    let chunk = row >> 10
    let place: Int
    if let last = chunks.last, last == chunk {
      place = chunks.count - 1
    } else if let found = self.place(of: chunk) {
      place = found
    } else {
      place = insertionPlace(of: chunk)
      chunks.insert(chunk, at: place)
      words.insert(contentsOf: repeatElement(0, count: 16), at: place * 16)
    }
    words[place &* 16 &+ Int(row >> 6 & 15)] |= 1 << UInt64(row & 63)
  }

  mutating func remove(row: UInt32) {
    guard let place = place(of: row >> 10) else { return }
    words[place * 16 + Int(row >> 6 & 15)] &= ~(1 << UInt64(row & 63))
    if words[place * 16..<place * 16 + 16].allSatisfy({ $0 == 0 }) {
      chunks.remove(at: place)
      words.removeSubrange(place * 16..<place * 16 + 16)
    }
  }

  func forEachRow(_ body: (UInt32) throws -> Void) rethrows {
    for place in chunks.indices {
      let first = chunks[place] << 10
      for index in 0..<16 {
        var word = words[place &* 16 &+ index]
        while word != 0 {
          try body(first | UInt32(index &* 64 &+ word.trailingZeroBitCount))
          word &= word &- 1
        }
      }
    }
  }

  /// Appends a row greater than all others.
  @inline(__always)
  mutating func append(row: UInt32) {
    let chunk = row >> 10
    if chunks.last != chunk {
      chunks.append(chunk)
      words.append(contentsOf: repeatElement(0, count: 16))
    }
    words[words.count &- 16 &+ Int(row >> 6 & 15)] |= 1 << UInt64(row & 63)
  }

  /// Returns the 16 words of a chunk; nil when the chunk has no members.
  func bits(ofChunk chunk: UInt32) -> ArraySlice<UInt64>? {
    guard let place = place(of: chunk) else { return nil }
    return words[place * 16..<place * 16 + 16]
  }

  /// Appends a chunk with a greater index than all others. If all 16 words are zero, nothing is
  /// added.
  mutating func append(chunk: UInt32, bits: UnsafePointer<UInt64>) {
    assert(chunks.last.map { $0 < chunk } ?? true)
    var any: UInt64 = 0
    for index in 0..<16 { any |= bits[index] }
    guard any != 0 else { return }
    chunks.append(chunk)
    words.append(contentsOf: UnsafeBufferPointer(start: bits, count: 16))
  }

  mutating func reserve(chunks count: Int) {
    chunks.reserveCapacity(count)
    words.reserveCapacity(count * 16)
  }

  /// Returns the index of a chunk in `chunks`; nil if the chunk has no members. If the chunks are
  /// consecutive, no search is needed.
  private func place(of chunk: UInt32) -> Int? {
    guard let first = chunks.first, chunk >= first else { return nil }
    let guess = Int(chunk &- first)
    if guess < chunks.count, chunks[guess] == chunk { return guess }
    let found = insertionPlace(of: chunk)
    return found < chunks.count && chunks[found] == chunk ? found : nil
  }

  private func insertionPlace(of chunk: UInt32) -> Int {
    if let last = chunks.last, last < chunk { return chunks.count }
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low &+ high) >> 1
      if chunks[middle] < chunk { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

extension RowSet: Sequence {
  /// An iterator over the members in ascending order, for loops that stop early.
  package struct Iterator: IteratorProtocol {
    private let set: RowSet
    private var place = 0
    private var word: UInt64

    init(_ set: RowSet) {
      self.set = set
      word = set.words.first ?? 0
    }

    package mutating func next() -> EntityHandle? {
      while word == 0 {
        place += 1
        if place >= set.words.count { return nil }
        word = set.words[place]
      }
      let bit = word.trailingZeroBitCount
      word &= word &- 1
      let slot = UInt32(place & 15) << 6 | UInt32(truncatingIfNeeded: bit)
      return EntityHandle(row: set.chunks[place >> 4] << 10 | slot)
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }
}
