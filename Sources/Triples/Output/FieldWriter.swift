/// Writes the attributes of many entities as members of JSON objects.
///
/// It caches pointers to chunks and pages, so that a cell needs no lookup in its column and no
/// reference counting. The pointers stay valid because the writer retains the store: content of a
/// snapshot is copied before it is changed.
package final class FieldWriter {
  private let store: TripleStore
  private let keys: FieldKeys
  /// The column of each key; -1 for a key without a column.
  private let columns: UnsafeMutablePointer<Int>
  /// The cached chunks of each field; `pages` contains the cached pages of texts.
  private let chunks: UnsafeMutablePointer<ChunkPin>
  private let pages: UnsafeMutablePointer<PagePin>
  private let chunkMask: Int
  private let pageMask: Int

  /// Creates a writer for the attributes of `keys`.
  ///
  /// - Parameter entities: The approximate number of entities to write.
  package init(_ store: TripleStore, _ keys: FieldKeys, entities: Int) {
    self.store = store
    self.keys = keys
    let count = keys.attributes.count
    columns = .allocate(capacity: count)
    for (number, attribute) in keys.attributes.enumerated() {
      columns[number] = store.column(of: attribute) ?? -1
    }
    chunkMask = Self.width(min(entities / 4, 64)) - 1
    pageMask = Self.width(min(entities / 2, 256)) - 1
    chunks = .allocate(capacity: count * (chunkMask + 1))
    chunks.initialize(repeating: ChunkPin(), count: count * (chunkMask + 1))
    pages = .allocate(capacity: count * (pageMask + 1))
    pages.initialize(repeating: PagePin(), count: count * (pageMask + 1))
  }

  /// Returns the smallest power of two that is not less than `wanted`.
  private static func width(_ wanted: Int) -> Int {
    var width = 1
    while width < wanted { width *= 2 }
    return width
  }

  deinit {
    columns.deallocate()
    chunks.deallocate()
    pages.deallocate()
  }

  /// Writes `"label":value,` for each attribute that the entity has. For missing values it writes
  /// null, if the keys specify that.
  package func write(_ entity: EntityHandle, into output: inout JSONOutput) {
    let chunk = Int(entity.row >> 10)
    let slot = Int(entity.row & 1023)
    let place = chunk & chunkMask
    keys.places.withUnsafeBufferPointer { places in
      for number in 0..<places.count {
        let column = columns[number]
        if column < 0 {
          writeMissing(places[number], into: &output)
          continue
        }
        let pin = chunks + (number &* (chunkMask &+ 1) &+ place)
        if pin.pointee.chunk != chunk { repin(pin, column, chunk) }
        guard let present = pin.pointee.present, Self.bit(slot, of: present) else {
          writeMissing(places[number], into: &output)
          continue
        }
        output.append(padded: keys.bytes + places[number].start, count: places[number].count)
        if let nulls = pin.pointee.nulls, Self.bit(slot, of: nulls) {
          output.append("null")
        } else {
          write(slot, entity, number, column, pin, into: &output)
        }
        output.append(UInt8(ascii: ","))
      }
    }
  }

  @inline(__always)
  private func writeMissing(_ key: FieldKeys.Place, into output: inout JSONOutput) {
    guard key.isShownMissing else { return }
    output.append(padded: keys.bytes + key.start, count: key.count)
    output.append("null,")
  }

  @inline(__always)
  private func write(
    _ slot: Int, _ entity: EntityHandle, _ number: Int, _ column: Int,
    _ pin: UnsafeMutablePointer<ChunkPin>, into output: inout JSONOutput
  ) {
    let values = pin.pointee.values
    switch pin.pointee.form {
    case .integers: output.write(values.load(fromByteOffset: slot &* 8, as: Int64.self))
    case .doubles: output.write(values.load(fromByteOffset: slot &* 8, as: Double.self))
    case .booleans:
      output.write(Self.bit(slot, of: values.assumingMemoryBound(to: UInt64.self)))
    case .texts:
      write(
        text: values.load(fromByteOffset: slot &* 4, as: UInt32.self), number, column,
        into: &output)
    case .ids:
      output.writeUUID(
        high: values.load(fromByteOffset: slot &* 8, as: UInt64.self),
        low: pin.pointee.more.load(fromByteOffset: slot &* 8, as: UInt64.self))
    case .others: _ = store.write(entity, column: column, into: &output)
    }
  }

  @inline(__always)
  private func write(
    text code: UInt32, _ number: Int, _ column: Int, into output: inout JSONOutput
  ) {
    let page = Int(code) >> TextPage.shift
    let pin = pages + (number &* (pageMask &+ 1) &+ page & pageMask)
    if pin.pointee.page != page { repin(pin, column, page: page) }
    guard let ends = pin.pointee.ends else {
      store.with(column) { column in
        column.pointee.texts.withBytes(of: code) { output.write($0, isPlain: $1) }
      }
      return
    }
    let slot = Int(code) & TextPage.mask
    let start = slot == 0 ? 0 : Int(ends[slot &- 1])
    output.write(
      pin.pointee.bytes + start, count: Int(ends[slot]) &- start,
      room: pin.pointee.count &- start, isPlain: pin.pointee.isPlain)
  }

  @inline(__always)
  private static func bit(_ slot: Int, of words: UnsafePointer<UInt64>) -> Bool {
    words[slot >> 6] >> UInt64(slot & 63) & 1 != 0
  }

  // MARK: Caching positions

  @inline(never)
  private func repin(_ pin: UnsafeMutablePointer<ChunkPin>, _ number: Int, _ chunk: Int) {
    pin.pointee = store.with(number) { column in
      var found = column.pointee.chunks.with(chunk) { ChunkPin($0, chunk) }
      if column.pointee.kind == .membership {
        found.nulls = nil
        found.form = .others
        if let halves = store.entities.content.halves(ofBlock: chunk) {
          found.form = .ids
          found.values = UnsafeRawPointer(halves.high)
          found.more = UnsafeRawPointer(halves.low)
        }
      }
      return found
    }
  }

  @inline(never)
  private func repin(_ pin: UnsafeMutablePointer<PagePin>, _ number: Int, page: Int) {
    pin.pointee = store.with(number) { $0.pointee.texts.pin(page) }
  }
}

/// Pointers to the cells of a chunk.
private struct ChunkPin {
  enum Form: UInt8 { case integers, doubles, booleans, texts, ids, others }

  var chunk = -1
  var present: UnsafePointer<UInt64>?
  var nulls: UnsafePointer<UInt64>?
  /// The start of the values. It is always set before it is read.
  var values = UnsafeRawPointer(bitPattern: 8)!
  var more = UnsafeRawPointer(bitPattern: 8)!
  var form = Form.others

  init() {}

  @inline(__always)
  init(_ cells: UnsafePointer<Chunk>, _ chunk: Int) {
    self.chunk = chunk
    present = Self.start(of: cells.pointee.present)
    nulls = Self.start(of: cells.pointee.nulls)
    switch cells.pointee.cells {
    case .integers(let values): pin(values, .integers)
    case .doubles(let values, let whole) where whole.isEmpty: pin(values, .doubles)
    case .booleans(let words): pin(words, .booleans)
    case .texts(let codes): pin(codes, .texts)
    case .none, .doubles, .targets, .mixed, .targetLists, .valueLists: break
    }
  }

  @inline(__always)
  private mutating func pin<Element>(_ list: [Element], _ form: Form) {
    guard let start = Self.start(of: list) else { return }
    values = UnsafeRawPointer(start)
    self.form = form
  }

  @inline(__always)
  private static func start<Element>(of list: [Element]) -> UnsafePointer<Element>? {
    list.isEmpty ? nil : list.withUnsafeBufferPointer { $0.baseAddress }
  }
}

/// Pointers to the texts of a page. If `ends` is nil, the texts must be read one at a time.
struct PagePin {
  var page = -1
  var bytes = UnsafePointer<UInt8>(bitPattern: 8)!
  var count = 0
  var ends: UnsafePointer<UInt32>?
  var isPlain = false
}
