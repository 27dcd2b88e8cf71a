/// Traversal of links in both directions.
extension Column {
  /// Returns the rows that link to a row, in no particular order.
  func sources(of target: UInt32) -> [UInt32] {
    let postings = indexes.postings { Postings(self) }
    var result: [UInt32] = []
    let rows = postings.index.rows(target)
    result.reserveCapacity(rows.count)
    if postings.changed.isEmpty {
      result.append(contentsOf: rows)
    } else {
      for row in rows where !postings.isChanged(row) { result.append(row) }
      for row in postings.changed where links(row, to: target) { result.append(row) }
    }
    return result
  }

  /// Returns the target of each row's link in a to-one link column, or `UInt32.max` for a row
  /// without a link.
  func ends(of rows: [EntityHandle]) -> [UInt32] {
    rows.map { entity in
      if case .target(let row) = cell(entity.row) { return row }
      return .max
    }
  }

  private func links(_ row: UInt32, to target: UInt32) -> Bool {
    if case .target(let only) = cell(row), kind == .target { return only == target }
    return targets(row).contains(target)
  }

  /// Returns the rows that link to any of `targets`. A few targets are looked up in an index;
  /// otherwise all links are scanned.
  func sources(of targets: RowSet) -> RowSet {
    if targets.isEmpty || filled == 0 { return RowSet() }
    let count = targets.count
    if count == 1 || count * 8 < filled {
      let postings = indexes.postings { Postings(self) }
      var result = RowSet()
      if postings.changed.isEmpty {
        targets.forEachRow { target in
          for row in postings.index.rows(target) { result.insert(row: row) }
        }
      } else {
        targets.forEachRow { for row in sources(of: $0) { result.insert(row: row) } }
      }
      return result
    }
    return rows(within: nil) { chunk, slot in
      switch chunk.cells {
      case .targets(let rows): targets.contains(row: rows[slot])
      case .targetLists(let lists): lists.items(slot).contains { targets.contains(row: $0) }
      default: false
      }
    }
  }

  /// Returns the rows that any of `sources` link to.
  func targets(of sources: RowSet) -> RowSet {
    var result = RowSet()
    forEachChunk(within: sources) { _, chunk, bits in
      for index in 0..<16 {
        var word = bits[index]
        while word != 0 {
          let slot = index &* 64 &+ word.trailingZeroBitCount
          switch chunk.cells {
          case .targets(let rows): result.insert(row: rows[slot])
          case .targetLists(let lists): for row in lists.items(slot) { result.insert(row: row) }
          default: break
          }
          word &= word &- 1
        }
      }
    }
    return result
  }
}
