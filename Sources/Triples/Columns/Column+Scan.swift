/// Scans all cells of a column.
extension Column {
  /// Calls `body` for each written chunk with its number.
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

  /// Calls `body` for each chunk with such slots among the rows `within`, or among all if it is
  /// nil. The second argument contains the slots as bits, which `body` may change.
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

  /// Returns the rows with such slots, among the rows `within`, or among all if it is nil.
  func rows(_ slots: Slots, within: RowSet?) -> RowSet {
    var result = RowSet()
    forEachChunk(slots, within: within) { place, _, bits in
      result.append(chunk: UInt32(place), bits: bits)
    }
    return result
  }

  /// The rows with any entry, cached.
  var presentRows: RowSet { indexes.present { rows(.present, within: nil) } }

  /// Returns the rows whose value passes a test, tested one at a time.
  @inline(__always)
  func rows(within: RowSet?, where passes: (Chunk, Int) -> Bool) -> RowSet {
    var result = RowSet()
    forEachChunk(.value, within: within) { place, chunk, bits in
      Bits.filter(bits) { passes(chunk, $0) }
      result.append(chunk: UInt32(place), bits: bits)
    }
    return result
  }

  /// Returns the creation times of a row's triples, in the order of its values. A time can be
  /// `Chunk.asEntity`.
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
  /// Clears the bits of all slots that do not pass.
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

  /// Clears the bits of all slots that do not pass. If a word is not zero, all 64 of its slots are
  /// tested, without branches.
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
