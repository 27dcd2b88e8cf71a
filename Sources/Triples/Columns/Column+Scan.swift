/// Scans all cells of a column.
extension Column {
  /// Calls `body` with the index and the content of each chunk that has entries.
  @inline(__always)
  func forEachChunk(_ body: (Int, Chunk) -> Void) {
    var place = 0
    for branch in chunks.branches {
      for (offset, chunk) in branch.enumerated() where !chunk.present.isEmpty {
        body(place &+ offset, chunk)
      }
      place &+= PersistentArray<Chunk>.width
    }
  }

  /// The slots of a chunk that a scan visits.
  enum Slots {
    /// Slots with any entry.
    case present
    /// Slots with a null.
    case null
    /// Slots with a value other than null.
    case value
  }

  /// Calls `body` for each chunk that has slots to visit, and passes these slots as 1,024 bits.
  /// `slots` selects entries, nulls or other values. The other arguments are the chunk's index and
  /// content; `body` may change the bits. If `within` is not nil, only its rows are considered.
  @inline(__always)
  func forEachChunk(
    _ slots: Slots = .value, within: RowSet?,
    _ body: (Int, Chunk, UnsafeMutablePointer<UInt64>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { buffer in
      let bits = buffer.baseAddress!
      func visit(_ place: Int, _ chunk: Chunk, _ mask: UnsafePointer<UInt64>?) {
        if slots == .null && chunk.nulls.isEmpty { return }
        var any: UInt64 = 0
        for index in 0..<16 {
          var word = chunk.present[index]
          switch slots {
          case .present: break
          case .null: word &= chunk.nulls[index]
          case .value: if !chunk.nulls.isEmpty { word &= ~chunk.nulls[index] }
          }
          if let mask { word &= mask[index] }
          bits[index] = word
          any |= word
        }
        if any != 0 { body(place, chunk, bits) }
      }
      guard let within else { return forEachChunk { visit($0, $1, nil) } }
      within.words.withUnsafeBufferPointer { words in
        for (place, number) in within.chunks.enumerated() {
          let chunk = chunks[Int(number)]
          if chunk.present.isEmpty { continue }
          visit(Int(number), chunk, words.baseAddress! + place * 16)
        }
      }
    }
  }

  /// Returns the rows that have an entry, a null or another value, as `slots` specifies. If
  /// `within` is not nil, only its rows are considered.
  func rows(_ slots: Slots, within: RowSet?) -> RowSet {
    var result = RowSet()
    forEachChunk(slots, within: within) { place, _, bits in
      result.append(chunk: UInt32(place), bits: bits)
    }
    return result
  }

  /// The rows that have an entry, computed once and cached.
  var presentRows: RowSet { indexes.present { rows(.present, within: nil) } }

  /// Returns the rows with a value other than null for which `passes` returns true. The arguments
  /// of `passes` are the chunk and the slot.
  @inline(__always)
  func rows(within: RowSet?, where passes: (Chunk, Int) -> Bool) -> RowSet {
    var result = RowSet()
    forEachChunk(.value, within: within) { place, chunk, bits in
      Bits.filter(bits) { passes(chunk, $0) }
      result.append(chunk: UInt32(place), bits: bits)
    }
    return result
  }

  /// Returns the creation times of a row's values, in the same order. `Chunk.asEntity` stands for
  /// the creation time of the entity.
  func times(_ row: UInt32) -> [Int64] {
    let chunk = chunks[Int(row >> 10)]
    let slot = Int(row & 1023)
    guard chunk.isPresent(slot) else { return [] }
    switch chunk.cells {
    case .targetLists(let lists): return lists.items(slot).map { lists.time($0, of: slot)! }
    case .valueLists(let lists): return lists.times[slot]
    default: return [chunk.time(slot)]
    }
  }
}

/// Operations on 16 words as 1,024 bits.
enum Bits {
  /// Clears the bits of the slots for which `passes` returns false.
  @inline(__always)
  static func filter(_ bits: UnsafeMutablePointer<UInt64>, _ passes: (Int) -> Bool) {
    for index in 0..<16 {
      var word = bits[index]
      while word != 0 {
        let bit = word & (0 &- word)
        if !passes(index &* 64 &+ word.trailingZeroBitCount) { bits[index] &= ~bit }
        word &= word &- 1
      }
    }
  }

  @inline(__always)
  static func forEach(_ bits: UnsafePointer<UInt64>, _ body: (Int) -> Void) {
    for index in 0..<16 {
      var word = bits[index]
      while word != 0 {
        body(index &* 64 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// Clears the bits of the slots for which `passes` returns false, without branches. It tests all
  /// 64 slots of each word that is not zero.
  @inline(__always)
  static func filterAll(_ bits: UnsafeMutablePointer<UInt64>, _ passes: (Int) -> Bool) {
    for index in 0..<16 where bits[index] != 0 {
      var word: UInt64 = 0
      for bit in 0..<64 {
        let passed = UInt64(unsafeBitCast(passes(index &* 64 &+ bit), to: UInt8.self))
        word |= passed << UInt64(truncatingIfNeeded: bit)
      }
      bits[index] &= word
    }
  }
}
