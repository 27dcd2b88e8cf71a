/// The content of a cell, without creating a `Value`.
package enum ColumnCell: Sendable {
  case missing
  case null
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// A code in the column's text dictionary.
  case text(UInt32)
  /// The row of a linked entity.
  case target(UInt32)
  /// An array or object, or any value in a chunk with mixed types.
  case other(Value)
}

/// The cells of 1,024 rows of one column.
///
/// As long as all cells have one type, a chunk stores them as numbers, bits or codes. The first
/// cell of another type makes it `mixed`, so that `1` and `1.0` stay different.
struct Chunk: Sendable {
  static let shift: UInt32 = 10
  static let slots = 1024

  enum Cells: Sendable {
    /// The chunk stores no cells: every entry is null, or the column only records which rows have
    /// an entry.
    case none
    case integers([Int64])
    /// Numbers stored as doubles. `whole` has one bit per slot, set if the number was written as an
    /// integer; it is empty if no number was.
    case doubles([Double], whole: [UInt64])
    case booleans([UInt64])
    case texts([UInt32])
    case targets([UInt32])
    case mixed([Value])
    case targetLists(TargetLists)
    case valueLists(ValueLists)
  }

  /// One bit per slot, set if the slot has an entry: 16 words, or empty if no slot has an entry.
  private(set) var present: [UInt64] = []
  /// One bit per slot, set if the slot stores a null: 16 words, or empty if no slot stores a null.
  private(set) var nulls: [UInt64] = []
  private(set) var cells = Cells.none
  /// The creation time of each slot's triple; `asEntity` stands for the creation time of the
  /// entity. The array is empty if all triples are as old as their entities.
  private(set) var times: [Int64] = []

  static let asEntity = Int64.min

  @inline(__always)
  func isPresent(_ slot: Int) -> Bool {
    !present.isEmpty && present[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  @inline(__always)
  func isNull(_ slot: Int) -> Bool {
    !nulls.isEmpty && nulls[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  var isEmpty: Bool { present.allSatisfy { $0 == 0 } }

  var isMixed: Bool {
    if case .mixed = cells { return true }
    return false
  }

  /// Returns the cell of a slot; for a list, its last value.
  @inline(__always)
  func cell(_ slot: Int) -> ColumnCell {
    guard isPresent(slot) else { return .missing }
    if isNull(slot) { return .null }
    switch cells {
    case .none: return .null
    case .integers(let values): return .integer(values[slot])
    case .doubles(let values, let whole):
      if !whole.isEmpty, whole[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
        return .integer(Int64(values[slot]))
      }
      return .double(values[slot])
    case .booleans(let words): return .boolean(words[slot >> 6] >> UInt64(slot & 63) & 1 != 0)
    case .texts(let codes): return .text(codes[slot])
    case .targets(let rows): return .target(rows[slot])
    case .mixed(let values): return .other(values[slot])
    case .targetLists(let lists): return .target(lists.items(slot).last!)
    case .valueLists(let lists): return .other(lists.items[slot].last!)
    }
  }

  /// One bit per slot, set if the slot has a value other than null, in 16 words.
  var valueBits: [UInt64] {
    if present.isEmpty { return [UInt64](repeating: 0, count: 16) }
    if nulls.isEmpty { return present }
    var bits = present
    for index in 0..<16 { bits[index] &= ~nulls[index] }
    return bits
  }

  /// Calls `body` with each slot that contains a value other than null, in ascending order.
  @inline(__always)
  func forEachValueSlot(_ body: (Int) -> Void) {
    if present.isEmpty { return }
    for index in 0..<16 {
      var word = present[index]
      if !nulls.isEmpty { word &= ~nulls[index] }
      while word != 0 {
        body(index &* 64 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }

  /// Returns the creation time of a slot's triple; `asEntity` stands for the creation time of the
  /// entity.
  func time(_ slot: Int) -> Int64 { times.isEmpty ? Self.asEntity : times[slot] }

  // MARK: Writing single values

  mutating func markPresent(_ slot: Int, time: Int64) {
    if present.isEmpty { present = [UInt64](repeating: 0, count: 16) }
    present[slot >> 6] |= 1 << UInt64(slot & 63)
    if time != Self.asEntity && times.isEmpty {
      times = [Int64](repeating: Self.asEntity, count: Self.slots)
    }
    if !times.isEmpty { times[slot] = time }
  }

  /// Clears a slot. A chunk without cells releases its memory.
  mutating func clear(_ slot: Int) {
    guard isPresent(slot) else { return }
    present[slot >> 6] &= ~(1 << UInt64(slot & 63))
    clearNull(slot)
    if isEmpty { self = Chunk() }
  }

  mutating func setNull(_ slot: Int) {
    if nulls.isEmpty { nulls = [UInt64](repeating: 0, count: 16) }
    nulls[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  @inline(__always)
  private mutating func clearNull(_ slot: Int) {
    if !nulls.isEmpty { nulls[slot >> 6] &= ~(1 << UInt64(slot & 63)) }
  }

  /// Removes the cells from the chunk and returns them, so that the caller can change them in
  /// place.
  ///
  /// The caller then has the only reference to the arrays, so that a write does not copy them.
  /// Binding an array in a `switch` over `cells` would add a second reference.
  @inline(__always)
  private mutating func removeCells() -> Cells {
    var taken = Cells.none
    swap(&taken, &cells)
    return taken
  }

  mutating func setInteger(_ value: Int64, at slot: Int, texts: borrowing TextDictionary) {
    clearNull(slot)
    if case .integers = cells, case .integers(var values) = removeCells() {
      values[slot] = value
      cells = .integers(values)
      return
    }
    if case .doubles = cells, value.magnitude <= Self.exactInDouble,
      case .doubles(var values, var whole) = removeCells()
    {
      if whole.isEmpty { whole = [UInt64](repeating: 0, count: 16) }
      values[slot] = Double(value)
      whole[slot >> 6] |= 1 << UInt64(slot & 63)
      cells = .doubles(values, whole: whole)
      return
    }
    switch cells {
    case .none:
      var values = [Int64](repeating: 0, count: Self.slots)
      values[slot] = value
      cells = .integers(values)
    default: setMixed(.integer(value), at: slot, texts: texts)
    }
  }

  /// The magnitude up to which a double represents every integer exactly.
  static let exactInDouble: UInt64 = 1 << 53

  mutating func setDouble(_ value: Double, at slot: Int, texts: borrowing TextDictionary) {
    clearNull(slot)
    if case .doubles = cells, case .doubles(var values, var whole) = removeCells() {
      values[slot] = value
      if !whole.isEmpty { whole[slot >> 6] &= ~(1 << UInt64(slot & 63)) }
      cells = .doubles(values, whole: whole)
      return
    }
    switch cells {
    case .none:
      var values = [Double](repeating: 0, count: Self.slots)
      values[slot] = value
      cells = .doubles(values, whole: [])
    case .integers(let integers) where canBeDoubles(integers):
      cells = .doubles(integers.map { Double($0) }, whole: valueBits)
      setDouble(value, at: slot, texts: texts)
    default: setMixed(.double(value), at: slot, texts: texts)
    }
  }

  private func canBeDoubles(_ integers: [Int64]) -> Bool {
    var fit = true
    forEachValueSlot { if integers[$0].magnitude > Self.exactInDouble { fit = false } }
    return fit
  }

  mutating func setBoolean(_ value: Bool, at slot: Int, texts: borrowing TextDictionary) {
    clearNull(slot)
    if case .booleans = cells, case .booleans(var words) = removeCells() {
      let bit: UInt64 = 1 << UInt64(slot & 63)
      if value { words[slot >> 6] |= bit } else { words[slot >> 6] &= ~bit }
      cells = .booleans(words)
      return
    }
    switch cells {
    case .none:
      cells = .booleans([UInt64](repeating: 0, count: 16))
      setBoolean(value, at: slot, texts: texts)
    default: setMixed(.bool(value), at: slot, texts: texts)
    }
  }

  mutating func setText(_ code: UInt32, at slot: Int, texts: borrowing TextDictionary) {
    clearNull(slot)
    if case .texts = cells, case .texts(var codes) = removeCells() {
      codes[slot] = code
      cells = .texts(codes)
      return
    }
    switch cells {
    case .none:
      var codes = [UInt32](repeating: 0, count: Self.slots)
      codes[slot] = code
      cells = .texts(codes)
    default: setMixed(.text(texts.text(code)), at: slot, texts: texts)
    }
  }

  /// Replaces each text code with the code that `code` returns for it.
  mutating func mapTexts(_ code: (UInt32) -> UInt32) {
    guard case .texts(let old) = cells else { return }
    var codes = [UInt32](repeating: 0, count: Self.slots)
    forEachValueSlot { codes[$0] = code(old[$0]) }
    cells = .texts(codes)
  }

  mutating func setTarget(_ row: UInt32, at slot: Int) {
    if case .targets = cells, case .targets(var rows) = removeCells() {
      rows[slot] = row
      cells = .targets(rows)
      return
    }
    var rows = [UInt32](repeating: 0, count: Self.slots)
    rows[slot] = row
    cells = .targets(rows)
  }

  mutating func setMixed(_ value: Value, at slot: Int, texts: borrowing TextDictionary) {
    clearNull(slot)
    var values = removeMixed(texts: texts)
    values[slot] = value
    cells = .mixed(values)
  }

  /// Removes the cells from the chunk and returns them as values, so that the caller can change
  /// them in place.
  private mutating func removeMixed(texts: borrowing TextDictionary) -> [Value] {
    if case .mixed(let values) = cells {
      cells = .none
      return values
    }
    var values = [Value](repeating: .null, count: Self.slots)
    for slot in 0..<Self.slots where isPresent(slot) {
      switch cell(slot) {
      case .integer(let value): values[slot] = .integer(value)
      case .double(let value): values[slot] = .double(value)
      case .boolean(let value): values[slot] = .bool(value)
      case .text(let code): values[slot] = .text(texts.text(code))
      case .other(let value): values[slot] = value
      case .missing, .null, .target: break
      }
    }
    cells = .none
    return values
  }

  // MARK: Writing lists

  /// Passes the target lists to `body`, which may change the list of `slot`. A slot whose list
  /// becomes empty is cleared.
  mutating func updateTargets<Result>(
    _ slot: Int, _ body: (inout TargetLists) -> Result
  ) -> Result {
    var lists: TargetLists
    if case .targetLists(let own) = removeCells() { lists = own } else { lists = TargetLists() }
    let result = body(&lists)
    let isEmpty = lists.items(slot).isEmpty
    cells = .targetLists(lists)
    if isEmpty { clear(slot) } else { markPresent(slot, time: Self.asEntity) }
    return result
  }

  /// Passes the value lists to `body`, which may change the list of `slot`. A slot whose list
  /// becomes empty is cleared.
  mutating func updateValues<Result>(
    _ slot: Int, _ body: (inout ValueLists) -> Result
  ) -> Result {
    var lists: ValueLists
    if case .valueLists(let own) = removeCells() { lists = own } else { lists = ValueLists() }
    let result = body(&lists)
    let isEmpty = lists.items[slot].isEmpty
    cells = .valueLists(lists)
    if isEmpty { clear(slot) } else { markPresent(slot, time: Self.asEntity) }
    return result
  }
}
