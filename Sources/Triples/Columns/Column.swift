/// All values of one attribute: a cell for each row of the store, in chunks.
struct Column: Sendable {
  enum Kind: Sendable {
    /// The `id` attribute of a namespace. A cell only records that the entity belongs to the
    /// namespace.
    case membership
    case value
    case target
    case valueList
    case targetList
  }

  let kind: Kind
  private(set) var chunks = PersistentArray<Chunk>(blank: Chunk())
  private(set) var texts = TextDictionary()
  /// The number of rows that have an entry. A row with a list counts once.
  private(set) var filled = 0
  var indexes = ColumnIndexes()

  init(_ kind: Kind) { self.kind = kind }

  /// Creates a column from loaded chunks and texts; `filled` is the number of rows with an entry.
  init(_ kind: Kind, chunks: PersistentArray<Chunk>, texts: TextDictionary, filled: Int) {
    (self.kind, self.chunks, self.texts, self.filled) = (kind, chunks, texts, filled)
  }

  @inline(__always)
  func cell(_ row: UInt32) -> ColumnCell {
    chunks.with(Int(row >> 10)) { $0.pointee.cell(Int(row & 1023)) }
  }

  @inline(__always)
  func isPresent(_ row: UInt32) -> Bool {
    chunks.with(Int(row >> 10)) { $0.pointee.isPresent(Int(row & 1023)) }
  }

  /// Returns the creation time of a row's triple; for a list, of its last value. `Chunk.asEntity`
  /// stands for the creation time of the entity.
  func time(_ row: UInt32) -> Int64 {
    chunks.with(Int(row >> 10)) { chunk in
      let slot = Int(row & 1023)
      switch chunk.pointee.cells {
      case .targetLists(let lists):
        return lists.items(slot).last.flatMap { lists.time($0, of: slot) } ?? Chunk.asEntity
      case .valueLists(let lists): return lists.times[slot].last ?? Chunk.asEntity
      default: return chunk.pointee.time(slot)
      }
    }
  }

  func targets(_ row: UInt32) -> [UInt32] {
    chunks.with(Int(row >> 10)) { chunk in
      let slot = Int(row & 1023)
      guard chunk.pointee.isPresent(slot) else { return [] }
      switch chunk.pointee.cells {
      case .targets(let rows): return [rows[slot]]
      case .targetLists(let lists): return Array(lists.items(slot))
      default: return []
      }
    }
  }

  func value(_ row: UInt32) -> Value? { value(of: cell(row)) }

  func values(_ row: UInt32) -> [Value] {
    let chunk = chunks[Int(row >> 10)]
    let slot = Int(row & 1023)
    guard chunk.isPresent(slot) else { return [] }
    if case .valueLists(let lists) = chunk.cells { return lists.items[slot] }
    return value(of: chunk.cell(slot)).map { [$0] } ?? []
  }

  /// Returns the value of a cell that is not a link.
  @inline(__always)
  func value(of cell: ColumnCell) -> Value? {
    switch cell {
    case .missing, .target: nil
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .boolean(let value): .bool(value)
    case .text(let code): .text(texts.text(code))
    case .other(let value): value
    }
  }

  // MARK: Writing

  mutating func set(_ value: Value, at row: UInt32, time: Int64) {
    switch value {
    case .null: setNull(at: row, time: time)
    case .bool(let value): setBoolean(value, at: row, time: time)
    case .integer(let value): setInteger(value, at: row, time: time)
    case .double(let value): setDouble(value, at: row, time: time)
    case .text(var text): text.withUTF8 { setText($0, at: row, time: time) }
    case .array, .object:
      begin(row, time)
      chunks[Int(row >> 10)].setMixed(value, at: Int(row & 1023), texts: texts)
    }
  }

  mutating func mark(_ row: UInt32, time: Int64) { begin(row, time) }

  mutating func setNull(at row: UInt32, time: Int64) {
    begin(row, time)
    chunks[Int(row >> 10)].setNull(Int(row & 1023))
  }

  mutating func setBoolean(_ value: Bool, at row: UInt32, time: Int64) {
    begin(row, time)
    chunks[Int(row >> 10)].setBoolean(value, at: Int(row & 1023), texts: texts)
  }

  mutating func setInteger(_ value: Int64, at row: UInt32, time: Int64) {
    begin(row, time)
    chunks[Int(row >> 10)].setInteger(value, at: Int(row & 1023), texts: texts)
  }

  mutating func setDouble(_ value: Double, at row: UInt32, time: Int64) {
    begin(row, time)
    chunks[Int(row >> 10)].setDouble(value, at: Int(row & 1023), texts: texts)
  }

  mutating func setText(_ bytes: UnsafeBufferPointer<UInt8>, at row: UInt32, time: Int64) {
    begin(row, time)
    if chunks[Int(row >> 10)].isMixed {
      let text = Value.text(String(decoding: bytes, as: UTF8.self))
      chunks[Int(row >> 10)].setMixed(text, at: Int(row & 1023), texts: texts)
    } else {
      let code = texts.intern(bytes)
      chunks[Int(row >> 10)].setText(code, at: Int(row & 1023), texts: texts)
      if texts.count > 2 * filled + Self.minUnusedTexts { forgetUnusedTexts() }
    }
  }

  /// The minimum number of unused texts that are worth removing.
  private static let minUnusedTexts = 4096

  /// Assigns new codes to the texts that are in use, so that unused texts take no memory.
  ///
  /// This takes time proportional to the column, but runs only when most texts are unused.
  private mutating func forgetUnusedTexts() {
    let old = texts
    var used = TextDictionary()
    used.reserve(min(filled, old.count))
    for place in 0..<chunks.end {
      guard case .texts = chunks[place].cells else { continue }
      chunks[place].mapTexts { code in old.withBytes(of: code) { bytes, _ in used.intern(bytes) } }
    }
    texts = used
    indexes = ColumnIndexes()
  }

  mutating func setTarget(_ target: UInt32, at row: UInt32, time: Int64) {
    begin(row, time)
    chunks[Int(row >> 10)].setTarget(target, at: Int(row & 1023))
  }

  /// Adds a target to a list. Returns false when the list already contains it.
  mutating func addTarget(_ target: UInt32, at row: UInt32, time: Int64) -> Bool {
    let wasThere = touch(row)
    let isNew = chunks[Int(row >> 10)].updateTargets(Int(row & 1023)) {
      $0.insert(target, at: Int(row & 1023), time: time)
    }
    if !wasThere { filled += 1 }
    return isNew
  }

  mutating func removeTarget(_ target: UInt32, at row: UInt32) -> Bool {
    guard touch(row) else { return false }
    let wasThere = chunks[Int(row >> 10)].updateTargets(Int(row & 1023)) {
      $0.remove(target, at: Int(row & 1023))
    }
    if !isPresent(row) { filled -= 1 }
    return wasThere
  }

  mutating func addValue(_ value: Value, at row: UInt32, time: Int64) -> Bool {
    let wasThere = touch(row)
    let isNew = chunks[Int(row >> 10)].updateValues(Int(row & 1023)) {
      $0.insert(value, at: Int(row & 1023), time: time)
    }
    if !wasThere { filled += 1 }
    return isNew
  }

  mutating func removeValue(_ value: Value, at row: UInt32) -> Bool {
    guard touch(row) else { return false }
    let wasThere = chunks[Int(row >> 10)].updateValues(Int(row & 1023)) {
      $0.remove(value, at: Int(row & 1023))
    }
    if !isPresent(row) { filled -= 1 }
    return wasThere
  }

  /// Clears the row's cell, including lists. Returns false when it was already empty.
  mutating func clear(_ row: UInt32) -> Bool {
    guard isPresent(row) else { return false }
    _ = touch(row)
    let slot = Int(row & 1023)
    switch kind {
    case .targetList:
      for target in targets(row) {
        _ = chunks[Int(row >> 10)].updateTargets(slot) { $0.remove(target, at: slot) }
      }
    case .valueList:
      for value in values(row) {
        _ = chunks[Int(row >> 10)].updateValues(slot) { $0.remove(value, at: slot) }
      }
    case .membership, .value, .target: chunks[Int(row >> 10)].clear(slot)
    }
    filled -= 1
    return true
  }

  mutating func reserve(texts count: Int) { texts.reserve(count) }

  /// Marks a row as changed and present, before its only value is written. The time has no effect
  /// if the row already has a value.
  @inline(__always)
  private mutating func begin(_ row: UInt32, _ time: Int64) {
    if touch(row) { return }
    chunks[Int(row >> 10)].markPresent(Int(row & 1023), time: time)
    filled += 1
  }

  mutating func forgetIndexes() { indexes = ColumnIndexes() }

  /// Records in the indexes that a row is about to change. Returns whether the row has an entry.
  @inline(__always)
  private mutating func touch(_ row: UInt32) -> Bool {
    indexes.touch(row, of: filled)
    return isPresent(row)
  }
}
