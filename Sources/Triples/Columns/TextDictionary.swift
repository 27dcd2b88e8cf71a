/// The distinct texts of a column and their codes, which are assigned in order of arrival.
///
/// Copies share all pages except the pages written after copying.
struct TextDictionary: Sendable {
  private(set) var pages = PersistentArray<TextPage>(blank: TextPage())
  private var slots = HashTable()
  /// The hash table of loaded texts, built on first use. It replaces `slots` until a text is added.
  private var lazyTable: LazyHashTable?
  private(set) var count = 0

  init() {}

  /// Creates a dictionary from loaded pages. All pages except the last must be full.
  init(pages: PersistentArray<TextPage>, count: Int) {
    (self.pages, self.count) = (pages, count)
    if count > 0 { lazyTable = LazyHashTable() }
  }

  /// Returns the hash table of loaded texts; the first call builds it.
  @inline(never)
  private func builtTable(_ lazyTable: LazyHashTable) -> HashTable {
    lazyTable.table {
      var slots = HashTable()
      slots.reserve(count)
      for code in 0..<UInt32(count) {
        slots.insert(code, hash: withBytes(of: code) { bytes, _ in KeyHash.of(bytes) })
      }
      return slots
    }
  }

  private mutating func buildTable() {
    guard let lazyTable else { return }
    slots = builtTable(lazyTable)
    self.lazyTable = nil
  }

  /// Returns the code of a text; nil when the dictionary does not contain the text.
  func code(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    if let lazyTable {
      return builtTable(lazyTable).find(KeyHash.of(bytes)) { holds(bytes, at: $0) }
    }
    return slots.find(KeyHash.of(bytes)) { holds(bytes, at: $0) }
  }

  func code(of text: String) -> UInt32? {
    var text = text
    return text.withUTF8 { code(of: $0) }
  }

  /// Returns the code of a text, and adds the text if it is new.
  mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    if lazyTable != nil { buildTable() }
    let hash = KeyHash.of(bytes)
    if let code = slots.find(hash, { holds(bytes, at: $0) }) { return code }
    let code = UInt32(count)
    pages[count >> TextPage.shift].append(bytes)
    slots.insert(code, hash: hash)
    count += 1
    return code
  }

  mutating func intern(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { intern($0) }
  }

  mutating func reserve(_ texts: Int) {
    buildTable()
    slots.reserve(texts)
  }

  /// Calls `body` with the UTF-8 of a text, and whether the text needs no JSON escapes.
  @inline(__always)
  func withBytes<Result>(
    of code: UInt32, _ body: (UnsafeBufferPointer<UInt8>, _ isPlain: Bool) -> Result
  ) -> Result {
    pages.with(Int(code) >> TextPage.shift) {
      $0.pointee.withBytes(at: Int(code) & TextPage.mask, body)
    }
  }

  @inline(__always)
  func text(_ code: UInt32) -> String {
    withBytes(of: code) { bytes, _ in String(decoding: bytes, as: UTF8.self) }
  }

  /// Returns a pointer to a page, which is valid while the dictionary is retained.
  func pin(_ page: Int) -> PagePin { pages.with(page) { $0.pointee.pin(page) } }

  /// Compares the texts that two codes stand for, by collation.
  func compare(_ a: UInt32, _ b: UInt32) -> Int {
    if a == b { return 0 }
    return withBytes(of: a) { a, _ in withBytes(of: b) { b, _ in Collation.compare(a, b) } }
  }

  /// Calls `body` with the code of each text that contains `part`, page by page.
  func forEachCode(holding part: [UInt8], _ body: (Int) -> Void) {
    for page in 0..<TextPage.number(of: count + TextPage.mask) {
      forEachCode(holding: part, page: page, body)
    }
  }

  func forEachCode(holding part: [UInt8], page: Int, _ body: (Int) -> Void) {
    pages.with(page) { texts in
      texts.pointee.forEachSlot(holding: part) { body(page << TextPage.shift | $0) }
    }
  }

  @inline(__always)
  private func holds(_ bytes: UnsafeBufferPointer<UInt8>, at code: UInt32) -> Bool {
    withBytes(of: code) { own, _ in Bytes.equal(own, bytes) }
  }
}

/// A page of up to 256 texts in one byte array.
///
/// A long text is stored separately, so that changing a page that a snapshot shares copies little.
/// `bytes` is a slice, so that a loaded page can refer to the loaded bytes; appending a text copies
/// them.
struct TextPage: Sendable {
  static let shift = 8
  static let mask = 255

  /// Returns the index of the page that contains the text of a code.
  static func number(of code: Int) -> Int { code >> shift }

  private static let longText = 512
  static let apartFlag: UInt32 = 0x8000_0000

  private(set) var bytes: ArraySlice<UInt8> = []
  /// The end of each text in `bytes`. For a long text, this is its index in `apart`, marked by
  /// `apartFlag`.
  private(set) var ends: [UInt32] = []
  private(set) var apart: [[UInt8]] = []
  /// Whether no text needs JSON escapes.
  private var isPlain = true

  init() {}

  /// Creates a page from loaded parts; see the properties.
  init(bytes: ArraySlice<UInt8>, ends: [UInt32], apart: [[UInt8]]) {
    (self.bytes, self.ends, self.apart) = (bytes, ends, apart)
    isPlain =
      bytes.withUnsafeBufferPointer { Bytes.isPlain($0) }
      && apart.allSatisfy { $0.withUnsafeBufferPointer { Bytes.isPlain($0) } }
  }

  var count: Int { ends.count }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    if isPlain { isPlain = Bytes.isPlain(text) }
    if text.count > Self.longText {
      ends.append(UInt32(apart.count) | Self.apartFlag)
      apart.append(Array(text))
      // A text that is stored separately does not move the start of the next text.
    } else {
      bytes.append(contentsOf: text)
      ends.append(UInt32(bytes.count))
    }
  }

  @inline(__always)
  func withBytes<Result>(
    at slot: Int, _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Result
  ) -> Result {
    let end = ends[slot]
    if end & Self.apartFlag != 0 {
      return apart[Int(end & ~Self.apartFlag)].withUnsafeBufferPointer { body($0, isPlain) }
    }
    let start = slot == 0 ? 0 : start(before: slot)
    return bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[start..<Int(end)]), isPlain)
    }
  }

  func pin(_ page: Int) -> PagePin {
    var pin = PagePin()
    pin.page = page
    pin.isPlain = isPlain
    guard apart.isEmpty, !bytes.isEmpty else { return pin }
    bytes.withUnsafeBufferPointer { pin.bytes = $0.baseAddress! }
    pin.count = bytes.count
    pin.ends = ends.withUnsafeBufferPointer { $0.baseAddress }
    return pin
  }

  /// Calls `body` with the slot of each text that contains `part`. It searches all texts in `bytes`
  /// in one pass.
  func forEachSlot(holding part: [UInt8], _ body: (Int) -> Void) {
    part.withUnsafeBufferPointer { part in
      for (number, text) in apart.enumerated() {
        let found = text.withUnsafeBufferPointer { Bytes.find(part, in: $0) }
        if found != nil { body(ends.firstIndex(of: UInt32(number) | Self.apartFlag)!) }
      }
      bytes.withUnsafeBufferPointer { bytes in
        var position = 0
        var slot = 0
        while let hit = Bytes.find(part, in: bytes, from: position) {
          while ends[slot] & Self.apartFlag != 0 || Int(ends[slot]) <= hit { slot += 1 }
          if hit + part.count <= Int(ends[slot]) {
            body(slot)
            position = Int(ends[slot])
          } else {
            position = hit + 1
          }
        }
      }
    }
  }

  /// Returns where a text starts in `bytes`: at the end of the nearest earlier text that `bytes`
  /// contains.
  @inline(__always)
  private func start(before slot: Int) -> Int {
    var previous = slot - 1
    while ends[previous] & Self.apartFlag != 0 {
      if previous == 0 { return 0 }
      previous -= 1
    }
    return Int(ends[previous])
  }
}
