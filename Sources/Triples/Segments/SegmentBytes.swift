/// The error for a segment whose bytes are damaged.
package struct SegmentFault: Error, Hashable, CustomStringConvertible {
  package let reason: String

  package var description: String { reason }

  package init(_ reason: String) { self.reason = reason }
}

extension JSONOptions {
  /// The options for parsing stored values, which may be nested within other JSON.
  static let kept = JSONOptions(maximumDepth: 300)
}

/// Writes numbers and arrays in their memory layout, little-endian.
struct SegmentWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: UInt8) { bytes.append(value) }

  mutating func write(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ values: [UInt8]) { write(raw: values) }
  mutating func write(_ values: ArraySlice<UInt8>) { write(raw: values) }
  mutating func write(_ values: [UInt32]) { write(raw: values) }
  mutating func write(_ values: [UInt64]) { write(raw: values) }
  mutating func write(_ values: [Int64]) { write(raw: values) }
  mutating func write(_ values: [Double]) { write(raw: values) }

  /// Writes the number of bytes, then the bytes.
  private mutating func write<Values: Collection>(raw values: Values)
  where Values.Element: BitwiseCopyable {
    #if _endian(big)
      #error("segments are written with the lowest byte first")
    #endif
    write(UInt32(values.count))
    values.withContiguousStorageIfAvailable {
      bytes.append(contentsOf: UnsafeRawBufferPointer($0))
    }
  }

  /// Writes a text as UTF-8.
  mutating func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes values as JSON.
  mutating func write(_ values: [Value]) { write(JSONWriter.bytes(.array(values))) }
}

/// Reads the output of a ``SegmentWriter`` with bounds checks.
struct SegmentReader {
  private let part: [UInt8]
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Creates a reader for a part of a store.
  ///
  /// - Parameter bytes: The bytes of the part, which must stay valid while it is read.
  init(_ part: [UInt8], at bytes: UnsafeRawBufferPointer) {
    (self.part, self.bytes) = (part, bytes)
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(SegmentFault) -> UInt8 {
    guard position < bytes.count else { throw SegmentFault("a block of data ends too early") }
    position += 1
    return bytes[position - 1]
  }

  mutating func number() throws(SegmentFault) -> UInt32 {
    guard bytes.count - position >= 4 else { throw SegmentFault("a block of data ends too early") }
    position += 4
    return UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position - 4, as: UInt32.self))
  }

  /// Reads an array. If a length is expected, the array must have that length or be empty.
  mutating func array<Element: BitwiseCopyable>(
    of type: Element.Type, count expected: Int? = nil
  ) throws(SegmentFault) -> [Element] {
    let count = Int(try number())
    let size = count * MemoryLayout<Element>.stride
    guard size <= bytes.count - position else {
      throw SegmentFault("a block of data ends too early")
    }
    if let expected, count != expected, count != 0 {
      throw SegmentFault("an array has \(count) elements instead of \(expected)")
    }
    if count == 0 { return [] }
    let part = UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
    position += size
    return [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: part)
      initialized = count
    }
  }

  /// Reads a byte array as a slice of the part.
  mutating func slice() throws(SegmentFault) -> ArraySlice<UInt8> {
    let count = Int(try number())
    guard count <= bytes.count - position else {
      throw SegmentFault("a block of data ends too early")
    }
    defer { position += count }
    return part[position..<position + count]
  }

  mutating func text() throws(SegmentFault) -> String {
    let bytes = try array(of: UInt8.self)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SegmentFault("a string is not valid UTF-8")
    }
    return text
  }

  mutating func values() throws(SegmentFault) -> [Value] {
    let bytes = try array(of: UInt8.self)
    do throws(JSONError) {
      if case .array(let values) = try JSONReader.value(of: bytes, options: .kept) { return values }
    } catch {
      throw SegmentFault("values cannot be read: \(error)")
    }
    throw SegmentFault("values are not a list")
  }

  func end() throws(SegmentFault) {
    if !isAtEnd { throw SegmentFault("a block of data has extra bytes at its end") }
  }
}
