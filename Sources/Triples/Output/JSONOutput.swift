/// Where an answer is written as JSON: bytes in memory of its own, which grows.
///
/// It escapes what must be escaped and nothing else; separators are the caller's.
package struct JSONOutput: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Forgets what was written and keeps the room.
  package mutating func removeAll() { count = 0 }

  /// Takes back the last bytes, a comma too many for instance.
  package mutating func removeLast(_ bytes: Int = 1) { count -= min(bytes, count) }

  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  package var bytes: [UInt8] { withBytes { Array($0) } }

  package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  // MARK: As it is

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

  // MARK: As JSON values

  package mutating func write(null: Void) { append("null") }

  package mutating func write(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  package mutating func write(_ value: Int64) {
    if capacity &- count < 20 { grow(20) }
    var magnitude = value.magnitude
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count &+= 1
    }
    let digits = Self.digits(magnitude)
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

  private static func digits(_ number: UInt64) -> Int {
    var digits = 1
    var limit: UInt64 = 10
    while digits < 20, number >= limit {
      digits &+= 1
      if digits == 20 { break }
      limit &*= 10
    }
    return digits
  }

  /// A text in quotes.
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

  /// Two hexadecimal digits for each byte, the first in the lower half.
  private static let hexPairs: [UInt16] = (0..<256).map {
    UInt16(hexDigits[$0 >> 4]) | UInt16(hexDigits[$0 & 15]) << 8
  }

  /// A UUID in quotes.
  package mutating func writeUUID(high: UInt64, low: UInt64) {
    if capacity &- count < 38 { grow(38) }
    let start = base + count
    start[0] = UInt8(ascii: "\"")
    Self.hexPairs.withUnsafeBufferPointer { pairs in
      var place = 1
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          start[place] = UInt8(ascii: "-")
          place &+= 1
        }
        let half = index < 8 ? high : low
        let byte = half >> UInt64(56 &- 8 &* (index & 7)) & 255
        UnsafeMutableRawPointer(start + place)
          .storeBytes(of: pairs[Int(byte)].littleEndian, as: UInt16.self)
        place &+= 2
      }
    }
    start[37] = UInt8(ascii: "\"")
    count &+= 38
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
