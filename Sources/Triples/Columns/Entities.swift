/// Maps the ids of a store to rows, and rows to ids.
///
/// A row is assigned permanently: an entity that is deleted and created again has the same row.
/// Rows are allocated in blocks of 1,024. Each block is for one namespace, so that columns are
/// densely filled.
struct Entities: Sendable {
  struct Block: Sendable {
    var high = [UInt64](repeating: 0, count: Chunk.slots)
    var low = [UInt64](repeating: 0, count: Chunk.slots)
    var births = [Int64](repeating: Entities.unborn, count: Chunk.slots)
    /// One bit per slot, set if the id is not a UUID. For such a slot, `low` contains the code of
    /// the id in `texts`.
    var isText: [UInt64] = []
    var used = 0
    var home = ""

    init() {}

    /// A block without rows and arrays, which stands for all unused blocks.
    static let absent: Block = {
      var block = Block()
      block.high = []
      block.low = []
      block.births = []
      return block
    }()
  }

  static let unborn = Int64.min

  private(set) var blocks = PersistentArray<Block>(blank: .absent)
  private(set) var blockCount = 0
  private var slots = HashTable()
  /// The hash table of loaded ids, built on first use. It replaces `slots` until an id is added.
  private var lazyTable: LazyHashTable?
  /// The number of ids with a row.
  private(set) var count = 0
  private(set) var texts = TextDictionary()
  /// The index of the block in which each namespace still has free rows, keyed by namespace.
  private var open: [String: Int] = [:]
  /// The namespace of the row allocated last. The next row usually belongs to the same namespace.
  private var lastHome = ""
  /// The index of the block that contains the row allocated last; -1 before the first row.
  private var lastPlace = -1

  init() {}

  /// Creates the ids from loaded blocks. Returns nil when an id refers to a missing text.
  init?(blocks: PersistentArray<Block>, blockCount: Int, texts: TextDictionary) {
    (self.blocks, self.blockCount, self.texts) = (blocks, blockCount, texts)
    for place in 0..<blockCount {
      let block = blocks[place]
      // Only the last block of a namespace has free rows.
      open[block.home] = place
      count += block.used
      if block.isText.isEmpty { continue }
      for slot in 0..<block.used where isText(block, slot) {
        if block.low[slot] >= UInt64(texts.count) { return nil }
      }
    }
    lastPlace = open[lastHome] ?? -1
    if count > 0 { lazyTable = LazyHashTable() }
  }

  /// Returns the hash table of loaded ids; the first call builds it.
  @inline(never)
  private func builtTable(_ lazyTable: LazyHashTable) -> HashTable {
    lazyTable.table {
      var slots = HashTable()
      slots.reserve(count)
      for place in 0..<blockCount {
        let block = blocks[place]
        for slot in 0..<block.used {
          let (high, low) = (block.high[slot], block.low[slot])
          let hash =
            isText(block, slot) ? Self.hash(textCode: UInt32(low)) : KeyHash.of(high, low)
          slots.insert(UInt32(place << 10 | slot), hash: hash)
        }
      }
      return slots
    }
  }

  private mutating func buildTable() {
    guard let lazyTable else { return }
    slots = builtTable(lazyTable)
    self.lazyTable = nil
  }

  @inline(__always)
  private func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    if let lazyTable { return builtTable(lazyTable).find(hash, matches) }
    return slots.find(hash, matches)
  }

  func row(of id: EntityID) -> UInt32? {
    if let bits = id.uuidBits { return row(high: bits.high, low: bits.low) }
    guard let code = texts.code(of: id.text) else { return nil }
    return row(textCode: code)
  }

  /// Returns the row of a UUID; nil if it has no row. The most significant half comes first.
  @inline(__always)
  func row(high: UInt64, low: UInt64) -> UInt32? {
    find(KeyHash.of(high, low)) {
      let slot = Int($0 & 1023)
      return blocks.with(Int($0 >> 10)) {
        $0.pointee.high[slot] == high && $0.pointee.low[slot] == low && !isText($0.pointee, slot)
      }
    }
  }

  /// Returns the row of an id. An unknown id gets a new row in a block of the namespace `home`.
  mutating func makeRow(of id: EntityID, home: String) -> UInt32 {
    if let bits = id.uuidBits { return makeRow(high: bits.high, low: bits.low, home: home) }
    let code = texts.intern(id.text)
    if let row = row(textCode: code) { return row }
    let row = append(high: 0, low: UInt64(code), home: home)
    let place = Int(row >> 10)
    if blocks[place].isText.isEmpty { blocks[place].isText = [UInt64](repeating: 0, count: 16) }
    blocks[place].isText[Int(row & 1023) >> 6] |= 1 << UInt64(row & 63)
    enter(row, hash: Self.hash(textCode: code))
    return row
  }

  mutating func makeRow(high: UInt64, low: UInt64, home: String) -> UInt32 {
    if let row = row(high: high, low: low) { return row }
    let row = append(high: high, low: low, home: home)
    enter(row, hash: KeyHash.of(high, low))
    return row
  }

  private mutating func enter(_ row: UInt32, hash: UInt64) {
    buildTable()
    slots.insert(row, hash: hash)
    count += 1
  }

  @inline(__always)
  func id(_ row: UInt32) -> EntityID {
    let slot = Int(row & 1023)
    return blocks.with(Int(row >> 10)) { block in
      let low = block.pointee.low[slot]
      if isText(block.pointee, slot) { return EntityID(texts.text(UInt32(low))) }
      return EntityID(high: block.pointee.high[slot], low: low)
    }
  }

  /// Returns the two halves of the row's UUID; nil when its id is not a UUID.
  @inline(__always)
  func uuidBits(_ row: UInt32) -> (high: UInt64, low: UInt64)? {
    let slot = Int(row & 1023)
    return blocks.with(Int(row >> 10)) {
      isText($0.pointee, slot) ? nil : ($0.pointee.high[slot], $0.pointee.low[slot])
    }
  }

  /// Returns pointers to the high and low halves of a block's UUIDs. Nil when some id of the block
  /// is not a UUID. The pointers are valid while the blocks are retained.
  func halves(
    ofBlock place: Int
  ) -> (high: UnsafePointer<UInt64>, low: UnsafePointer<UInt64>)? {
    blocks.with(place) { block in
      guard block.pointee.isText.isEmpty,
        let high = block.pointee.high.withUnsafeBufferPointer({ $0.baseAddress }),
        let low = block.pointee.low.withUnsafeBufferPointer({ $0.baseAddress })
      else { return nil }
      return (high, low)
    }
  }

  /// Returns whether the id of one row comes before that of another. UUIDs come first, and each
  /// kind is sorted by bytes.
  @inline(__always)
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    if let x = uuidBits(a), let y = uuidBits(b) {
      return x.high != y.high ? x.high < y.high : x.low < y.low
    }
    return id(a) < id(b)
  }

  /// Passes the creation times of all rows of a block to `body`.
  @inline(__always)
  func withBirths(_ place: Int, _ body: (UnsafeBufferPointer<Int64>) -> Void) {
    blocks[place].births.withUnsafeBufferPointer(body)
  }

  func birth(_ row: UInt32) -> Int64 {
    blocks.with(Int(row >> 10)) { $0.pointee.births[Int(row & 1023)] }
  }

  mutating func setBirth(_ row: UInt32, _ time: Int64) {
    blocks[Int(row >> 10)].births[Int(row & 1023)] = time
  }

  func contains(row: UInt32) -> Bool { Int(row & 1023) < blocks[Int(row >> 10)].used }

  func forEachRow(_ body: (UInt32) -> Void) {
    for place in 0..<blockCount {
      for slot in 0..<blocks[place].used { body(UInt32(place << 10 | slot)) }
    }
  }

  mutating func reserve(_ count: Int) {
    buildTable()
    slots.reserve(count)
  }

  @inline(__always)
  private func isText(_ block: Block, _ slot: Int) -> Bool {
    !block.isText.isEmpty && block.isText[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  private static func hash(textCode code: UInt32) -> UInt64 { KeyHash.of(.max, UInt64(code)) }

  private func row(textCode code: UInt32) -> UInt32? {
    find(Self.hash(textCode: code)) {
      let block = blocks[Int($0 >> 10)]
      let slot = Int($0 & 1023)
      return isText(block, slot) && block.low[slot] == UInt64(code)
    }
  }

  /// Returns the number of used rows of a block. This reads the block in place, because copying it
  /// would retain five references.
  private func used(_ place: Int) -> Int { blocks.with(place) { $0.pointee.used } }

  private static func fill(_ block: inout Block, _ slot: Int, _ high: UInt64, _ low: UInt64) {
    block.high[slot] = high
    block.low[slot] = low
    block.used = slot + 1
  }

  private mutating func append(high: UInt64, low: UInt64, home: String) -> UInt32 {
    var place = home == lastHome ? lastPlace : open[home] ?? -1
    if place < 0 || used(place) == Chunk.slots {
      place = blockCount
      blockCount += 1
      blocks[place] = Block()
      blocks[place].home = home
      open[home] = place
    }
    (lastHome, lastPlace) = (home, place)
    let slot = used(place)
    Self.fill(&blocks[place], slot, high, low)
    return UInt32(place << 10 | slot)
  }
}
