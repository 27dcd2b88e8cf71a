/// A growing byte buffer for writing an answer as JSON.
///
/// It adds only necessary escapes; the caller writes separators.
package struct JSONOutput: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Removes the content but keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// Removes the last bytes, such as a trailing comma.
  package mutating func removeLast(_ bytes: Int = 1) { count -= min(bytes, count) }

  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// Copies the content to `target`, which must be large enough.
  package func copy(to target: UnsafeMutablePointer<UInt8>) {
    target.update(from: base, count: count)
  }

  package var bytes: [UInt8] { withBytes { Array($0) } }

  package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  // MARK: Raw bytes

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    base[count] = byte
    count &+= 1
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if capacity &- count < bytes.count { grow(bytes.count) }
    (base + count).update(from: source, count: bytes.count)
    count &+= bytes.count
  }

  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  package mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The number of bytes that are copied in one step if source and target have room.
  package static let block = 32

  /// Appends bytes by copying whole blocks. This may read up to one block beyond the bytes, so that
  /// memory must be readable.
  @inline(__always)
  package mutating func append(padded bytes: UnsafePointer<UInt8>, count added: Int) {
    if capacity &- count < added &+ Self.block { grow(added &+ Self.block) }
    copy(bytes, added)
    count &+= added
  }

  /// Copies whole blocks to the end. Source and target must have room for whole blocks.
  @inline(__always)
  private func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let source = UnsafeRawPointer(bytes)
    let target = UnsafeMutableRawPointer(base + self.count)
    var place = 0
    repeat {
      let words = source.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self)
      target.storeBytes(of: words, toByteOffset: place, as: SIMD4<UInt64>.self)
      place &+= Self.block
    } while place < count
  }

  // MARK: JSON values

  /// Writes a string in quotes. The arguments are its start, its length, and the number of readable
  /// bytes from its start.
  @inline(__always)
  package mutating func write(
    _ text: UnsafePointer<UInt8>, count length: Int, room: Int, isPlain: Bool
  ) {
    if isPlain, length <= 8 * Self.block, room >= length &+ Self.block {
      if capacity &- count < length &+ Self.block &+ 2 { grow(length &+ Self.block &+ 2) }
      base[count] = UInt8(ascii: "\"")
      count &+= 1
      copy(text, length)
      base[count &+ length] = UInt8(ascii: "\"")
      count &+= length &+ 1
    } else {
      write(UnsafeBufferPointer(start: text, count: length), isPlain: isPlain)
    }
  }

  package mutating func write(null: Void) { append("null") }

  package mutating func write(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  package mutating func write(_ value: Int64) {
    if capacity &- count < 32 { grow(32) }
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count &+= 1
    }
    let magnitude = value.magnitude
    if magnitude < 100_000_000 {
      writeFirst(magnitude)
    } else if magnitude < 10_000_000_000_000_000 {
      let (upper, lower) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
      writeFirst(upper)
      store(Self.digits(lower) | Self.zeros)
      count &+= 8
    } else {
      writeLong(magnitude)
    }
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  @inline(__always)
  private func store(_ text: UInt64) {
    UnsafeMutableRawPointer(base + count).storeBytes(of: text.littleEndian, as: UInt64.self)
  }

  /// Writes a number below 100,000,000 without leading zeros.
  @inline(__always)
  private mutating func writeFirst(_ number: UInt64) {
    let digits = Self.digits(number)
    let skipped = min(7, digits.trailingZeroBitCount >> 3)
    store((digits | Self.zeros) >> UInt64(skipped &* 8))
    count &+= 8 &- skipped
  }

  /// Returns the eight digits of a number below 100,000,000, with the first digit in the lowest
  /// byte.
  ///
  /// The number is split into halves, pairs and digits by multiplication with rounded reciprocals.
  @inline(__always)
  private static func digits(_ number: UInt64) -> UInt64 {
    let (high, low) = number.quotientAndRemainder(dividingBy: 10000)
    let halves = high | low << 32
    let upper = (halves &* 10486) >> 20 & 0x0000_007F_0000_007F
    let pairs = ((halves &- 100 &* upper) << 16) &+ upper
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens &+ ((pairs &- 10 &* tens) << 8)
  }

  private mutating func writeLong(_ number: UInt64) {
    var magnitude = number
    let digits = Self.digitCount(magnitude)
    var place = count &+ digits
    count = place
    while magnitude >= 10 {
      let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
      place &-= 1
      base[place] = 0x30 | UInt8(truncatingIfNeeded: digit)
      magnitude = rest
    }
    base[place &- 1] = 0x30 | UInt8(truncatingIfNeeded: magnitude)
  }

  private static func digitCount(_ number: UInt64) -> Int {
    var digits = 1
    var limit: UInt64 = 10
    while digits < 20, number >= limit {
      digits &+= 1
      if digits == 20 { break }
      limit &*= 10
    }
    return digits
  }

  /// Writes a string with quotes.
  @inline(__always)
  package mutating func write(_ text: UnsafeBufferPointer<UInt8>, isPlain: Bool) {
    if capacity &- count < text.count &+ 2 { grow(text.count &+ 2) }
    if isPlain {
      base[count] = UInt8(ascii: "\"")
      if let source = text.baseAddress {
        (base + count + 1).update(from: source, count: text.count)
      }
      base[count &+ text.count &+ 1] = UInt8(ascii: "\"")
      count &+= text.count &+ 2
    } else {
      writeEscaped(text)
    }
  }

  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0, isPlain: Bytes.isPlain($0)) }
  }

  private mutating func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x08: append("\\b")
      case 0x09: append("\\t")
      case 0x0A: append("\\n")
      case 0x0C: append("\\f")
      case 0x0D: append("\\r")
      case 0..<0x20:
        append("\\u00")
        append(Self.hexDigits[Int(byte >> 4)])
        append(Self.hexDigits[Int(byte & 15)])
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  /// Writes a UUID with quotes.
  package mutating func writeUUID(high: UInt64, low: UInt64) {
    if capacity &- count < 38 { grow(38) }
    let start = UnsafeMutableRawPointer(base + count)
    let middle = Self.hex(UInt32(truncatingIfNeeded: high))
    let third = Self.hex(UInt32(truncatingIfNeeded: low >> 32))
    start.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    start.storeBytes(
      of: Self.hex(UInt32(truncatingIfNeeded: high >> 32)), toByteOffset: 1, as: UInt64.self)
    start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 9, as: UInt8.self)
    start.storeBytes(
      of: UInt32(truncatingIfNeeded: middle), toByteOffset: 10, as: UInt32.self)
    start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 14, as: UInt8.self)
    start.storeBytes(
      of: UInt32(truncatingIfNeeded: middle >> 32), toByteOffset: 15, as: UInt32.self)
    start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 19, as: UInt8.self)
    start.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 20, as: UInt32.self)
    start.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 24, as: UInt8.self)
    start.storeBytes(
      of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 25, as: UInt32.self)
    start.storeBytes(
      of: Self.hex(UInt32(truncatingIfNeeded: low)), toByteOffset: 29, as: UInt64.self)
    start.storeBytes(of: UInt8(ascii: "\""), toByteOffset: 37, as: UInt8.self)
    count &+= 38
  }

  /// Returns eight hexadecimal digits, computed in parallel, with the first digit in the lowest
  /// byte.
  @inline(__always)
  private static func hex(_ number: UInt32) -> UInt64 {
    var spread = UInt64(number.byteSwapped)
    spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
    spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
    let nibbles = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39).littleEndian
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let wider = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
    moved.update(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = wider
  }
}
