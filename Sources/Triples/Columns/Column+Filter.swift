/// Evaluates predicates on whole columns.
extension Column {
  /// Returns the rows that satisfy a predicate. If `within` is not nil, only its rows are
  /// considered.
  ///
  /// Predicates on links compare the texts of ids, so `TripleStore` evaluates them.
  func rows(
    _ predicate: ValuePredicate, isDate: Bool, isUnique: Bool = false, within: RowSet?
  ) -> RowSet {
    if kind == .valueList { return listRows(predicate, isDate: isDate, within: within) }
    switch predicate {
    case .stored: return within == nil ? presentRows : rows(.present, within: within)
    case .null: return rows(.null, within: within)
    case .notNull: return rows(.value, within: within)
    case .notEqual(let value):
      let equal = rows(.equal(value), isDate: isDate, isUnique: isUnique, within: within)
      return rows(.stored, isDate: isDate, within: within).subtracting(equal)
    case .equal, .oneOf, .range, .like, .matches:
      let test = CellTest(predicate, isDate: isDate)
      if let found = indexedRows(test, isUnique: isUnique, within: within) { return found }
      var found = valueRows(test, within: within)
      if test.matchesNull { found.formUnion(rows(.null, within: within)) }
      return found
    }
  }

  private func listRows(
    _ predicate: ValuePredicate, isDate: Bool, within: RowSet?
  ) -> RowSet {
    if predicate == .stored { return rows(.present, within: within) }
    var test = CellTest(predicate, isDate: isDate)
    var wanted = true
    if case .notEqual(let value) = predicate {
      test = CellTest(.equal(value), isDate: isDate)
      wanted = false
    }
    return rows(within: within) { chunk, slot in
      guard case .valueLists(let lists) = chunk.cells else { return false }
      return lists.items[slot].contains { test.matches($0) == wanted }
    }
  }

  /// Returns the rows whose value is not null and passes the test.
  private func valueRows(_ test: CellTest, within: RowSet?) -> RowSet {
    let verdicts = TextPredicateCache(
      test, self, isWhole: within.map { $0.count * 4 > filled } ?? true)
    var result = RowSet()
    forEachChunk(.value, within: within) { place, chunk, bits in
      switch chunk.cells {
      case .integers(let values):
        values.withUnsafeBufferPointer { Self.filter($0.baseAddress!, bits, test) }
      case .doubles(let values, _):
        values.withUnsafeBufferPointer { Self.filter($0.baseAddress!, bits, test) }
      case .booleans(let words):
        for index in 0..<16 {
          bits[index] &=
            (test.matchesTrue ? words[index] : 0) | (test.matchesFalse ? ~words[index] : 0)
        }
      case .texts(let codes):
        codes.withUnsafeBufferPointer { verdicts.filter($0.baseAddress!, bits) }
      case .mixed(let values): Bits.filter(bits) { test.matches(values[$0]) }
      case .none, .targets, .targetLists, .valueLists: return
      }
      result.append(chunk: UInt32(place), bits: bits)
    }
    return result
  }

  private static func filter(
    _ values: UnsafePointer<Int64>, _ bits: UnsafeMutablePointer<UInt64>, _ test: CellTest
  ) {
    guard test.integers.count == 1 else {
      if test.integers.isEmpty { return bits.update(repeating: 0, count: 16) }
      return Bits.filter(bits) { test.matches(values[$0]) }
    }
    let low = test.integers[0].lowerBound
    let span = UInt64(bitPattern: test.integers[0].upperBound &- low)
    Bits.filterAll(bits) { UInt64(bitPattern: values[$0] &- low) <= span }
  }

  private static func filter(
    _ values: UnsafePointer<Double>, _ bits: UnsafeMutablePointer<UInt64>, _ test: CellTest
  ) {
    guard test.doubles.count == 1, !test.isDate else {
      return Bits.filter(bits) { test.matches(values[$0]) }
    }
    let low = test.doubles[0].lowerBound
    let high = test.doubles[0].upperBound
    Bits.filterAll(bits) { (values[$0] >= low) && (values[$0] <= high) }
  }

  // MARK: With an index

  /// Returns the rows that match a test, found by an index. Returns nil when scanning is faster, or
  /// when the index is not worth building yet.
  private func indexedRows(_ test: CellTest, isUnique: Bool, within: RowSet?) -> RowSet? {
    if let within, within.count < 64 { return nil }
    if case .oneOf(let list) = test.text, test.integers.isEmpty, test.doubles.isEmpty,
      !test.matchesNull, !test.matchesTrue, !test.matchesFalse
    {
      return textRows(list, isUnique: isUnique, within: within)
    }
    guard test.integers.count == 1, !test.matchesNull, case .never = test.text,
      isUnique || filled > 4096
    else { return nil }
    return numberRows(test, isUnique: isUnique, within: within)
  }

  private func textRows(_ list: TextList, isUnique: Bool, within: RowSet?) -> RowSet? {
    guard indexes.wantsPostings(afterRequests: isUnique || filled < 4096 ? 0 : 2) else {
      return nil
    }
    let postings = indexes.postings { Postings(self) }
    var rows: [UInt32] = []
    for text in list.texts {
      guard let code = self.texts.code(of: text) else { continue }
      for row in postings.index.rows(code) where !postings.isChanged(row) { rows.append(row) }
    }
    for row in postings.changed + postings.index.others {
      guard case .text(let text)? = value(of: cell(row)) else { continue }
      if list.contains(text) { rows.append(row) }
    }
    return Self.set(rows, within)
  }

  /// Finds the rows with numbers in the test's range by binary search in the sorted rows. Returns
  /// nil when the sorted rows are not built or contain no suitable numbers, or when too many rows
  /// match.
  private func numberRows(_ test: CellTest, isUnique: Bool, within: RowSet?) -> RowSet? {
    let isSingle = test.integers[0].lowerBound == test.integers[0].upperBound
    if isUnique && isSingle && keyScale(isDate: false) == .integers {
      _ = indexes.wantsSorted(afterRequests: 0)
    }
    guard let sorted = indexes.sortedIfBuilt else { return nil }
    var found: ArraySlice<UInt32>
    switch sorted.index.numbers {
    case .integers: found = sorted.index.rows(test.integers[0])!
    case .doubles:
      guard test.doubles.count == 1, !test.isDate else { return nil }
      found = sorted.index.rows(test.doubles[0])!
    case .none: return nil
    }
    if found.count > filled / 32 { return nil }
    var rows = sorted.changed.isEmpty ? Array(found) : found.filter { !sorted.isChanged($0) }
    for row in sorted.changed where matches(cell(row), test) { rows.append(row) }
    return Self.set(rows, within)
  }

  private static func set(_ rows: [UInt32], _ within: RowSet?) -> RowSet {
    let set = RowSet(rows: rows.count > 1 ? rows.sorted() : rows)
    return within.map { set.intersection($0) } ?? set
  }

  func matches(_ cell: ColumnCell, _ test: CellTest) -> Bool {
    switch cell {
    case .missing, .target: false
    case .null: test.matchesNull
    case .integer(let value): test.matches(value)
    case .double(let value): test.matches(value)
    case .boolean(let value): value ? test.matchesTrue : test.matchesFalse
    case .text(let code): texts.withBytes(of: code) { bytes, _ in test.matches(bytes) }
    case .other(let value): test.matches(value)
    }
  }
}

/// Tests the texts of a column, and caches the result for each text.
private struct TextPredicateCache: ~Copyable {
  private enum Rule {
    case never
    case always
    case one(UInt32)
    case some(Set<UInt32>)
    case instants([Int64])
    case remembered
  }

  private let rule: Rule
  private let test: CellTest
  private let column: Column
  /// The cached result for each text code: 0 for not tested, 1 for false, 2 for true.
  private let verdicts: UnsafeMutableBufferPointer<UInt8>
  /// The substring to search for, if the test only asks whether a text contains it; otherwise
  /// empty.
  private let part: [UInt8]
  /// The number of texts looked up in each page so far. After several lookups, the test searches
  /// the whole page at once.
  private let lookupCounts: UnsafeMutableBufferPointer<UInt8>
  private static let minRequestsForSearch = 8

  /// Prepares a test of a column's texts.
  ///
  /// - Parameter isWhole: Whether most cells of the column will be tested.
  init(_ test: CellTest, _ column: Column, isWhole: Bool) {
    self.test = test
    self.column = column
    var part: [UInt8] = []
    if case .like(let pattern) = test.text { part = pattern.soughtPart ?? [] }
    self.part = part
    switch test.text {
    case .never: rule = .never
    case .always: rule = .always
    case .oneOf(let list):
      let codes = Set(list.texts.compactMap { column.texts.code(of: $0) })
      rule = codes.isEmpty ? .never : codes.count == 1 ? .one(codes.first!) : .some(codes)
    case .instant(let list) where list.texts.isEmpty && column.texts.count > 0:
      rule = .instants(column.indexes.instants(column.texts))
    case .ordered, .like, .matches, .longNumber, .instant: rule = .remembered
    }
    if case .remembered = rule {
      verdicts = .allocate(capacity: column.texts.count)
      if isWhole, !part.isEmpty {
        let verdicts = verdicts
        verdicts.initialize(repeating: 1)
        column.texts.forEachCode(holding: part) { verdicts[$0] = 2 }
      } else {
        verdicts.initialize(repeating: 0)
      }
      lookupCounts = .allocate(capacity: part.isEmpty ? 0 : TextPage.number(of: verdicts.count) + 1)
      lookupCounts.initialize(repeating: 0)
    } else {
      verdicts = UnsafeMutableBufferPointer(start: nil, count: 0)
      lookupCounts = UnsafeMutableBufferPointer(start: nil, count: 0)
    }
  }

  deinit {
    verdicts.deallocate()
    lookupCounts.deallocate()
  }

  func filter(_ codes: UnsafePointer<UInt32>, _ bits: UnsafeMutablePointer<UInt64>) {
    switch rule {
    case .never: bits.update(repeating: 0, count: 16)
    case .always: break
    case .one(let code): Bits.filterAll(bits) { codes[$0] == code }
    case .some(let wanted): Bits.filter(bits) { wanted.contains(codes[$0]) }
    case .instants(let instants):
      Bits.filter(bits) {
        let instant = instants[Int(codes[$0])]
        return instant != ColumnIndexes.noInstant && test.matches(instant)
      }
    case .remembered: Bits.filter(bits) { verdict(codes[$0]) }
    }
  }

  private func verdict(_ code: UInt32) -> Bool {
    let known = verdicts[Int(code)]
    if known != 0 { return known == 2 }
    if !lookupCounts.isEmpty {
      let page = TextPage.number(of: Int(code))
      // `+= 1` is avoided, because in-place arithmetic through a constant pointer breaks the thread
      // sanitizer's build.
      let times = lookupCounts[page] &+ 1
      lookupCounts[page] = times
      if times > Self.minRequestsForSearch {
        let first = page << TextPage.shift
        let last = min(first + TextPage.mask, verdicts.count - 1)
        UnsafeMutableBufferPointer(rebasing: verdicts[first...last]).update(repeating: 1)
        column.texts.forEachCode(holding: part, page: page) { verdicts[$0] = 2 }
        return verdicts[Int(code)] == 2
      }
    }
    let passes = column.texts.withBytes(of: code) { bytes, _ in test.matches(bytes) }
    verdicts[Int(code)] = passes ? 2 : 1
    return passes
  }
}
