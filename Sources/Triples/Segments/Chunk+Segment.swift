/// Converts a chunk to and from its binary form: a tag that says which arrays it has, then the
/// arrays.
extension Chunk {
  private enum Tag {
    static let none: UInt8 = 0
    static let integers: UInt8 = 1
    static let doubles: UInt8 = 2
    static let booleans: UInt8 = 3
    static let texts: UInt8 = 4
    static let targets: UInt8 = 5
    static let mixed: UInt8 = 6
    static let targetLists: UInt8 = 7
    static let valueLists: UInt8 = 8
    /// A chunk that was never written to.
    static let blank: UInt8 = 255
  }

  func write(to writer: inout SegmentWriter) {
    if isEmpty { return writer.write(Tag.blank) }
    switch cells {
    case .none: writer.write(Tag.none)
    case .integers(let values):
      writer.write(Tag.integers)
      writer.write(values)
    case .doubles(let values, let whole):
      writer.write(Tag.doubles)
      writer.write(values)
      writer.write(whole)
    case .booleans(let words):
      writer.write(Tag.booleans)
      writer.write(words)
    case .texts(let codes):
      writer.write(Tag.texts)
      writer.write(codes)
    case .targets(let rows):
      writer.write(Tag.targets)
      writer.write(rows)
    case .mixed(let values):
      writer.write(Tag.mixed)
      writer.write(values)
    case .targetLists(let lists):
      writer.write(Tag.targetLists)
      lists.write(to: &writer)
    case .valueLists(let lists):
      writer.write(Tag.valueLists)
      lists.write(to: &writer)
    }
    writer.write(present)
    writer.write(nulls)
    writer.write(times)
  }

  init(reading reader: inout SegmentReader) throws(SegmentFault) {
    let tag = try reader.byte()
    if tag == Tag.blank {
      self.init()
      return
    }
    let cells = try Self.cells(tag, &reader)
    let present = try reader.array(of: UInt64.self, count: 16)
    let nulls = try reader.array(of: UInt64.self, count: 16)
    let times = try reader.array(of: Int64.self, count: Self.slots)
    self.init(present: present, nulls: nulls, cells: cells, times: times)
    if isEmpty { throw SegmentFault("a block of cells is empty") }
  }

  private static func cells(
    _ tag: UInt8, _ reader: inout SegmentReader
  ) throws(SegmentFault) -> Cells {
    switch tag {
    case Tag.none: return .none
    case Tag.integers: return .integers(try full(&reader, of: Int64.self))
    case Tag.doubles:
      let values = try full(&reader, of: Double.self)
      return .doubles(values, whole: try reader.array(of: UInt64.self, count: 16))
    case Tag.booleans:
      let words = try reader.array(of: UInt64.self, count: 16)
      if words.isEmpty { throw SegmentFault("booleans are missing") }
      return .booleans(words)
    case Tag.texts: return .texts(try full(&reader, of: UInt32.self))
    case Tag.targets: return .targets(try full(&reader, of: UInt32.self))
    case Tag.mixed:
      let values = try reader.values()
      guard values.count == slots else { throw SegmentFault("values are missing") }
      return .mixed(values)
    case Tag.targetLists: return .targetLists(try TargetLists(reading: &reader))
    case Tag.valueLists: return .valueLists(try ValueLists(reading: &reader))
    default: throw SegmentFault("unknown cell type \(tag)")
    }
  }

  private static func full<Element: BitwiseCopyable>(
    _ reader: inout SegmentReader, of type: Element.Type
  ) throws(SegmentFault) -> [Element] {
    let values = try reader.array(of: type, count: slots)
    if values.isEmpty { throw SegmentFault("cells are missing") }
    return values
  }

  /// Checks that the cells are valid for a column of this kind.
  func check(_ kind: Column.Kind, texts: Int, rows: Int) throws(SegmentFault) {
    switch (kind, cells) {
    case (.membership, .none), (.value, .none), (.value, .integers), (.value, .booleans),
      (.value, .mixed):
      return
    case (.value, .doubles(let values, let whole)):
      if !whole.isEmpty { try checkWhole(values, whole) }
    case (.value, .texts(let codes)):
      if codes.max().map({ Int($0) < texts }) == true { return }
      var isSound = true
      forEachValueSlot { if Int(codes[$0]) >= texts { isSound = false } }
      if !isSound { throw SegmentFault("a cell refers to a string that is missing") }
    case (.target, .targets(let targets)):
      if targets.max().map({ Int($0) < rows }) != true {
        throw SegmentFault("a link refers to a row that is missing")
      }
    case (.targetList, .targetLists(let lists)):
      try checkLists { lists.items($0).isEmpty }
      if let most = lists.items.max(), Int(most) >= rows {
        throw SegmentFault("a link refers to a row that is missing")
      }
    case (.valueList, .valueLists(let lists)): try checkLists { lists.items[$0].isEmpty }
    case (.membership, _), (.value, _), (.target, _), (.targetList, _), (.valueList, _):
      // A chunk that was never written to is always valid.
      if !isEmpty { throw SegmentFault("cells have another type than their column") }
    }
  }

  private func checkWhole(_ values: [Double], _ whole: [UInt64]) throws(SegmentFault) {
    var isSound = true
    forEachValueSlot { slot in
      if whole[slot >> 6] >> UInt64(slot & 63) & 1 != 0, Int64(exactly: values[slot]) == nil {
        isSound = false
      }
    }
    if !isSound { throw SegmentFault("an integer is invalid") }
  }

  private func checkLists(isEmpty: (Int) -> Bool) throws(SegmentFault) {
    for slot in 0..<Self.slots where isPresent(slot) == isEmpty(slot) {
      throw SegmentFault("a cell is marked as filled but has no list, or the reverse")
    }
    if !nulls.isEmpty { throw SegmentFault("a column of lists contains a null") }
  }
}

extension TargetLists {
  func write(to writer: inout SegmentWriter) {
    writer.write(starts)
    writer.write(items)
    writer.write(times)
  }

  init(reading reader: inout SegmentReader) throws(SegmentFault) {
    let starts = try reader.array(of: UInt32.self, count: Chunk.slots + 1)
    let items = try reader.array(of: UInt32.self)
    let times = try reader.array(of: Int64.self, count: items.count)
    guard starts.first == 0, Int(starts[Chunk.slots]) == items.count,
      zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })
    else { throw SegmentFault("lists overlap") }
    self.init(starts: starts, items: items, times: times)
  }
}

extension ValueLists {
  func write(to writer: inout SegmentWriter) {
    writer.write(items.map { .array($0) })
    for slot in 0..<Chunk.slots where !items[slot].isEmpty { writer.write(times[slot]) }
  }

  init(reading reader: inout SegmentReader) throws(SegmentFault) {
    let lists = try reader.values()
    guard lists.count == Chunk.slots else { throw SegmentFault("lists are missing") }
    var items = [[Value]](repeating: [], count: Chunk.slots)
    var times = [[Int64]](repeating: [], count: Chunk.slots)
    for slot in 0..<Chunk.slots {
      guard case .array(let list) = lists[slot] else { throw SegmentFault("a list is invalid") }
      if list.isEmpty { continue }
      items[slot] = list
      times[slot] = try reader.array(of: Int64.self)
      if times[slot].count != list.count { throw SegmentFault("the times of values are missing") }
    }
    self.init(items: items, times: times)
  }
}
