/// Converts columns, texts and ids to and from their binary form. A segment contains one branch of
/// 64 chunks, pages or blocks.
extension PersistentArray<Chunk> {
  func write(_ branch: Int, to writer: inout SegmentWriter) {
    for chunk in branches[branch] { chunk.write(to: &writer) }
  }
}

extension PersistentArray<TextPage> {
  func write(_ branch: Int, to writer: inout SegmentWriter) {
    for page in branches[branch] {
      writer.write(page.bytes)
      writer.write(page.ends)
      writer.write(UInt32(page.apart.count))
      for text in page.apart { writer.write(text) }
    }
  }
}

extension PersistentArray<Entities.Block> {
  func write(_ branch: Int, to writer: inout SegmentWriter) {
    for block in branches[branch] {
      writer.write(UInt32(block.used))
      writer.write(block.home)
      writer.write(block.high)
      writer.write(block.low)
      writer.write(block.births)
      writer.write(block.isText)
    }
  }
}

extension PersistentArray {
  /// Reads one branch from each of `parts`; an empty part is a branch that was never written to.
  init(
    _ parts: [[UInt8]], blank: Element,
    _ read: (inout SegmentReader) throws(SegmentFault) -> Element
  ) throws(SegmentFault) {
    var branches: [[Element]] = []
    branches.reserveCapacity(parts.count)
    for part in parts {
      try branches.append(Self.branch(part, read))
    }
    self.init(branches: branches, blank: blank)
  }

  private static func branch(
    _ part: [UInt8], _ read: (inout SegmentReader) throws(SegmentFault) -> Element
  ) throws(SegmentFault) -> [Element] {
    if part.isEmpty { return [] }
    return try part.withUnsafeBufferPointer { bytes throws(SegmentFault) in
      var reader = SegmentReader(part, at: UnsafeRawBufferPointer(bytes))
      var elements: [Element] = []
      elements.reserveCapacity(width)
      for _ in 0..<width { elements.append(try read(&reader)) }
      try reader.end()
      return elements
    }
  }
}

extension TextDictionary {
  init(parts: [[UInt8]], count: Int) throws(SegmentFault) {
    let pages = try PersistentArray<TextPage>(parts, blank: TextPage()) {
      reader throws(SegmentFault) in
      try TextPage(reading: &reader)
    }
    guard count >= 0, count <= pages.end << TextPage.shift else {
      throw SegmentFault("strings are missing")
    }
    for page in 0..<pages.end {
      let first = page << TextPage.shift
      let expected = min(max(0, count - first), TextPage.mask + 1)
      if pages.with(page, { $0.pointee.count }) != expected {
        throw SegmentFault("a block of strings is incomplete")
      }
    }
    self.init(pages: pages, count: count)
  }
}

extension TextPage {
  init(reading reader: inout SegmentReader) throws(SegmentFault) {
    let bytes = try reader.slice()
    let ends = try reader.array(of: UInt32.self)
    let apartCount = try reader.number()
    var apart: [[UInt8]] = []
    for _ in 0..<min(Int(apartCount), Self.mask + 1) {
      apart.append(try reader.array(of: UInt8.self))
    }
    guard Int(apartCount) == apart.count, ends.count <= Self.mask + 1,
      Self.areTexts(bytes, ends: ends, apart: apart)
    else { throw SegmentFault("strings overlap or are not valid UTF-8") }
    self.init(bytes: bytes, ends: ends, apart: apart)
  }

  /// Returns whether `ends` and `apart` divide the bytes completely into valid UTF-8 texts.
  private static func areTexts(
    _ bytes: ArraySlice<UInt8>, ends: [UInt32], apart: [[UInt8]]
  ) -> Bool {
    guard bytes.withUnsafeBufferPointer({ UTF8Check.isValid($0) }),
      apart.allSatisfy({ $0.withUnsafeBufferPointer { UTF8Check.isValid($0) } })
    else { return false }
    var last = 0
    var nextApart: UInt32 = 0
    for end in ends {
      if end & apartFlag != 0 {
        if end & ~apartFlag != nextApart || Int(nextApart) >= apart.count { return false }
        nextApart += 1
        continue
      }
      let end = Int(end)
      if end < last || end > bytes.count { return false }
      if end < bytes.count, bytes[bytes.startIndex + end] & 0xC0 == 0x80 { return false }
      last = end
    }
    return last == bytes.count && Int(nextApart) == apart.count
  }
}

extension Entities {
  init(parts: [[UInt8]], blockCount: Int, texts: TextDictionary) throws(SegmentFault) {
    let blocks = try PersistentArray<Block>(parts, blank: .absent) { reader throws(SegmentFault) in
      try Block(reading: &reader)
    }
    guard blockCount >= 0, blockCount <= blocks.end, blockCount <= 1 << 22 else {
      throw SegmentFault("ids are missing")
    }
    for place in 0..<blockCount where blocks.with(place, { $0.pointee.high.isEmpty }) {
      throw SegmentFault("a block of ids is empty")
    }
    guard let entities = Entities(blocks: blocks, blockCount: blockCount, texts: texts) else {
      throw SegmentFault("the string of an id is missing")
    }
    self = entities
  }
}

extension Entities.Block {
  init(reading reader: inout SegmentReader) throws(SegmentFault) {
    self.init()
    used = Int(try reader.number())
    home = try reader.text()
    high = try reader.array(of: UInt64.self, count: Chunk.slots)
    low = try reader.array(of: UInt64.self, count: Chunk.slots)
    births = try reader.array(of: Int64.self, count: Chunk.slots)
    isText = try reader.array(of: UInt64.self, count: 16)
    guard used <= high.count, low.count == high.count, births.count == high.count else {
      throw SegmentFault("a block of ids is incomplete")
    }
  }
}

extension Column {
  init(
    _ kind: Kind, chunks parts: [[UInt8]], texts: TextDictionary, entities: Int
  ) throws(SegmentFault) {
    let chunks = try PersistentArray<Chunk>(parts, blank: Chunk()) { reader throws(SegmentFault) in
      try Chunk(reading: &reader)
    }
    var filled = 0
    for place in 0..<chunks.end {
      let chunk = chunks[place]
      try chunk.check(kind, texts: texts.count, rows: entities)
      for word in chunk.present { filled += word.nonzeroBitCount }
    }
    self.init(kind, chunks: chunks, texts: texts, filled: filled)
  }
}
