/// Set operations, which work chunk by chunk.
extension RowSet {
  package func union(_ other: RowSet) -> RowSet {
    if other.isEmpty { return self }
    if isEmpty { return other }
    return merge(other, keepsLeft: true, keepsRight: true) { $0 | $1 }
  }

  package func intersection(_ other: RowSet) -> RowSet {
    if isEmpty || other.isEmpty { return RowSet() }
    return merge(other, keepsLeft: false, keepsRight: false) { $0 & $1 }
  }

  package func subtracting(_ other: RowSet) -> RowSet {
    if isEmpty || other.isEmpty { return self }
    return merge(other, keepsLeft: true, keepsRight: false) { $0 & ~$1 }
  }

  package mutating func formUnion(_ other: RowSet) { self = union(other) }

  package mutating func formIntersection(_ other: RowSet) { self = intersection(other) }

  package mutating func subtract(_ other: RowSet) { self = subtracting(other) }

  package func isSubset(of other: RowSet) -> Bool {
    self == other || subtracting(other).isEmpty
  }

  /// Merges the chunks of two sets. `keepsLeft` and `keepsRight` say whether to keep a chunk that
  /// only this set, or only the other set, contains.
  @inline(__always)
  private func merge(
    _ other: RowSet, keepsLeft: Bool, keepsRight: Bool, _ combine: (UInt64, UInt64) -> UInt64
  ) -> RowSet {
    var result = RowSet()
    result.reserve(chunks: Swift.max(chunks.count, other.chunks.count))
    words.withUnsafeBufferPointer { left in
      other.words.withUnsafeBufferPointer { right in
        var i = 0
        var j = 0
        while i < chunks.count || j < other.chunks.count {
          let a = i < chunks.count ? chunks[i] : .max
          let b = j < other.chunks.count ? other.chunks[j] : .max
          if a == b {
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { bits in
              for k in 0..<16 { bits[k] = combine(left[i &* 16 &+ k], right[j &* 16 &+ k]) }
              result.append(chunk: a, bits: bits.baseAddress!)
            }
            i += 1
            j += 1
          } else if a < b {
            if keepsLeft { result.append(chunk: a, bits: left.baseAddress! + i * 16) }
            i += 1
          } else {
            if keepsRight { result.append(chunk: b, bits: right.baseAddress! + j * 16) }
            j += 1
          }
        }
      }
    }
    return result
  }
}
