/// The ids of all rows of a store, and the rows of all ids.
///
/// A row is given once and kept: an entity that is deleted and made again has the row it had.
/// Rows are handed out in blocks of 1,024, each for one namespace, so that columns stay dense.
struct Entities: Sendable {
  struct Block: Sendable {
    var high = [UInt64](repeating: 0, count: Chunk.slots)
    var low = [UInt64](repeating: 0, count: Chunk.slots)
    var births = [Int64](repeating: Entities.unborn, count: Chunk.slots)
    /// The slots whose id is no UUID: `low` is a code of `texts`.
    var isText: [UInt64] = []
    var used = 0
    var home = ""

    init() {}

    /// A block that is not there: no arrays.
    static let absent: Block = {
      var block = Block()
      block.high = []
      block.low = []
      block.births = []
      return block
    }()
  }

  static let unborn = Int64.min

  private(set) var blocks = Branching<Block>(blank: .absent)
  private(set) var blockCount = 0
  private var slots = HashSlots()
  /// In the place of `slots` for ids that were put together elsewhere and not added to since.
  private var late: LateSlots?
  /// How many ids have a row.
  private(set) var count = 0
  private(set) var texts = TextDictionary()
  /// The block of each namespace that has room.
  private var open: [String: Int] = [:]
  /// The namespace and block of the last row, which the next one mostly shares.
  private var lastHome = ""
  private var lastPlace = -1

  init() {}

  /// Ids that were put together elsewhere; nil when one is a text that is not there.
  init?(blocks: Branching<Block>, blockCount: Int, texts: TextDictionary) {
    (self.blocks, self.blockCount, self.texts) = (blocks, blockCount, texts)
    for place in 0..<blockCount {
      let block = blocks[place]
      // The last block of a namespace is the one that has room.
      open[block.home] = place
      count += block.used
      if block.isText.isEmpty { continue }
      for slot in 0..<block.used where isText(block, slot) {
        if block.low[slot] >= UInt64(texts.count) { return nil }
      }
    }
    lastPlace = open[lastHome] ?? -1
    if count > 0 { late = LateSlots() }
  }

  /// Makes the table that was put off.
  @inline(never)
  private func lateTable(_ late: LateSlots) -> HashSlots {
    late.table {
      var slots = HashSlots()
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

  private mutating func settle() {
    guard let late else { return }
    slots = lateTable(late)
    self.late = nil
  }

  @inline(__always)
  private func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    if let late { return lateTable(late).find(hash, matches) }
    return slots.find(hash, matches)
  }

  func row(of id: EntityID) -> UInt32? {
    if let bits = id.uuidBits { return row(high: bits.high, low: bits.low) }
    guard let code = texts.code(of: id.text) else { return nil }
    return row(textCode: code)
  }

  /// The row of a UUID, as two big-endian halves.
  @inline(__always)
  func row(high: UInt64, low: UInt64) -> UInt32? {
    find(KeyHash.of(high, low)) {
      let slot = Int($0 & 1023)
      return blocks.with(Int($0 >> 10)) {
        $0.pointee.high[slot] == high && $0.pointee.low[slot] == low && !isText($0.pointee, slot)
      }
    }
  }

  /// The row of an id, given now in a block of this namespace if it is new.
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
    settle()
    slots.insert(row, hash: hash)
    count += 1
  }

  func id(_ row: UInt32) -> EntityID {
    let block = blocks[Int(row >> 10)]
    let slot = Int(row & 1023)
    if isText(block, slot) { return EntityID(texts.text(UInt32(block.low[slot]))) }
    return EntityID(high: block.high[slot], low: block.low[slot])
  }

  /// The two halves of a UUID; nil when the id is another text.
  @inline(__always)
  func uuidBits(_ row: UInt32) -> (high: UInt64, low: UInt64)? {
    let slot = Int(row & 1023)
    return blocks.with(Int(row >> 10)) {
      isText($0.pointee, slot) ? nil : ($0.pointee.high[slot], $0.pointee.low[slot])
    }
  }

  /// Where the halves of a block's UUIDs lie, for as long as these are held; nil when an id is
  /// another text.
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

  /// Whether one id comes before another: UUIDs as bytes, then other texts as bytes.
  @inline(__always)
  func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    if let x = uuidBits(a), let y = uuidBits(b) {
      return x.high != y.high ? x.high < y.high : x.low < y.low
    }
    return id(a) < id(b)
  }

  /// Lends the moments of all rows of a block.
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
    settle()
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

  /// Asked in place: taking a block out would count five references.
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
