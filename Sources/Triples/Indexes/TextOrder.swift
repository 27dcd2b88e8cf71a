/// Sorts the texts of a column by the bytes that determine their order, eight at a time.
///
/// Texts are scattered in memory, and sorting a million of them by comparison reads twenty million
/// pairs. Instead, each text is read once for every eight bytes that it shares with others, and
/// these bytes are sorted as numbers:
///
///     "peace elm"     p e a c e _ e l │ m
///     "peace elbow"   p e a c e _ e l │ b o w     equal so far: continue with the next eight
package struct TextOrder {
  private let texts: TextDictionary
  /// Whether texts are sorted by collation. Otherwise they are sorted by UTF-16 code units.
  private let isCollated: Bool
  /// The sort weight of each byte, from 1; 0 marks the end of the text.
  ///
  /// With collation, only ASCII bytes have a weight. The weight of control characters, which are
  /// ignored, is 0.
  private let weights: [UInt8]

  /// The number of texts up to which comparing them is faster than sorting by bytes.
  private static let maxComparedTexts = 16

  init(_ texts: TextDictionary, isCollated: Bool) {
    self.texts = texts
    self.isCollated = isCollated
    weights = isCollated ? Collation.weights : Self.codeUnitWeights
  }

  /// The sort weight of each UTF-8 byte. Unlike in UTF-8, characters beyond U+FFFF come before
  /// U+E000, because they are surrogate pairs in UTF-16.
  private static let codeUnitWeights: [UInt8] = (0...UInt8.max).map { byte in
    switch byte {
    case 0xEE, 0xEF: byte + 6
    case 0xF0...0xF4: byte - 1
    default: byte &+ 1
    }
  }

  /// Returns the rank of each text; texts that the order does not distinguish have equal ranks.
  package static func ranks(of texts: [String], isCollated: Bool) -> [UInt32] {
    var dictionary = TextDictionary()
    let codes = texts.map { dictionary.intern($0) }
    let order = TextOrder(dictionary, isCollated: isCollated)
    let ranks = order.ranks(of: (0..<UInt32(dictionary.count)).map { $0 })
    return codes.map { ranks[Int($0)] }
  }

  /// Returns the ranks of the texts of `codes`, indexed by code. All other codes have the rank 0.
  ///
  /// - Complexity: Reads each text up to its difference from others, eight bytes at a time. Texts
  ///   that need the Unicode library are compared.
  func ranks(of codes: [UInt32]) -> [UInt32] {
    var plain: [KeyedRow] = []
    var others: [KeyedRow] = []
    plain.reserveCapacity(codes.count)
    for code in codes {
      if isPlain(code) {
        plain.append(KeyedRow(key: 0, row: code))
      } else {
        others.append(KeyedRow(key: unicodeKey(code), row: code))
      }
    }
    sortPlain(&plain)
    RadixSort.sort(&others)
    compareTies(&others)
    return merged(plain, others)
  }

  /// Returns whether a text can be sorted by the weights of its bytes, without the Unicode library.
  private func isPlain(_ code: UInt32) -> Bool {
    guard isCollated else { return true }
    return texts.withBytes(of: code) { bytes, _ in
      bytes.allSatisfy { $0 < 0x80 && weights[Int($0)] != 0 }
    }
  }

  // MARK: By weights

  private func key(_ code: UInt32, from offset: Int) -> UInt64 {
    texts.withBytes(of: code) { bytes, _ in
      var key: UInt64 = 0
      let end = min(bytes.count, offset + 8)
      for place in min(offset, end)..<end {
        key = key << 8 | UInt64(weights[Int(bytes[place])])
      }
      let missing = offset + 8 - max(end, offset)
      return missing >= 8 ? 0 : key << UInt64(missing * 8)
    }
  }

  /// Sorts texts by the weights of their bytes; each `row` is a text code. Afterward, the key of a
  /// text is 1 if it equals the preceding text, otherwise 0.
  private func sortPlain(_ rows: inout [KeyedRow]) {
    var work = [(range: 0..<rows.count, offset: 0)]
    while let (range, offset) = work.popLast() {
      var run = rows[range].map { KeyedRow(key: key($0.row, from: offset), row: $0.row) }
      RadixSort.sort(&run)
      var small: [Range<Int>] = []
      Self.forEachTie(in: run) { tie, key in
        let hasEnded = key & 0xFF == 0
        if hasEnded || tie.count < Self.maxComparedTexts {
          small.append(tie)
        } else {
          let first = range.lowerBound + tie.lowerBound
          work.append((first..<first + tie.count, offset + 8))
        }
      }
      for place in run.indices { run[place].key = 0 }
      for tie in small { compareAll(&run, tie) }
      for (place, row) in zip(range, run) { rows[place] = row }
    }
  }

  // MARK: By comparing

  /// Sorts texts with equal keys by comparison, and then sets the keys as ``sortPlain`` does.
  private func compareTies(_ rows: inout [KeyedRow]) {
    var ties: [Range<Int>] = []
    Self.forEachTie(in: rows) { tie, _ in ties.append(tie) }
    for place in rows.indices { rows[place].key = 0 }
    for tie in ties { compareAll(&rows, tie) }
  }

  private func compareAll(_ rows: inout [KeyedRow], _ range: Range<Int>) {
    rows[range].sort { compare($0.row, $1.row) < 0 }
    for place in range.dropFirst() {
      rows[place].key = compare(rows[place - 1].row, rows[place].row) == 0 ? 1 : 0
    }
  }

  private func compare(_ a: UInt32, _ b: UInt32) -> Int {
    texts.compare(a, b, isCollated: isCollated)
  }

  /// Returns the first eight bytes of the Unicode library's sort key. Texts whose results differ
  /// need no comparison.
  private func unicodeKey(_ code: UInt32) -> UInt64 {
    #if os(Linux)
      var key: UInt64 = 0
      let bytes = Collation.sortKey(texts.text(code)).prefix(8)
      for byte in bytes { key = key << 8 | UInt64(byte) }
      return bytes.isEmpty ? 0 : key << UInt64((8 - bytes.count) * 8)
    #else
      return 0
    #endif
  }

  // MARK: Merging

  /// Merges two sorted lists of texts, and returns the rank of each text by code. A key of 1 marks
  /// a text that equals the preceding text in its list.
  private func merged(_ plain: [KeyedRow], _ others: [KeyedRow]) -> [UInt32] {
    var ranks = [UInt32](repeating: 0, count: texts.count)
    var (i, j) = (0, 0)
    var rank: UInt32 = 0
    var last: (row: UInt32, isPlain: Bool)?
    while i < plain.count || j < others.count {
      let takesPlain =
        j == others.count
        || i < plain.count && compare(plain[i].row, others[j].row) <= 0
      let next = takesPlain ? plain[i] : others[j]
      if let last {
        let isEqual =
          last.isPlain == takesPlain ? next.key == 1 : compare(last.row, next.row) == 0
        if !isEqual { rank += 1 }
      }
      ranks[Int(next.row)] = rank
      last = (next.row, takesPlain)
      if takesPlain { i += 1 } else { j += 1 }
    }
    return ranks
  }

  private static func forEachTie(
    in rows: [KeyedRow], _ body: (_ tie: Range<Int>, _ key: UInt64) -> Void
  ) {
    var start = 0
    while start < rows.count {
      let key = rows[start].key
      var end = start + 1
      while end < rows.count, rows[end].key == key { end += 1 }
      if end - start > 1 { body(start..<end, key) }
      start = end
    }
  }
}
