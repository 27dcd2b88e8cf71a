/// A value that was parsed but not stored yet. It refers to bytes of the source.
enum DatasetScalar {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  /// A text in valid UTF-8.
  case text(UnsafeBufferPointer<UInt8>)
  /// An array or an object.
  case json(JSONNode)

  /// Whether the value can identify an entity.
  @inline(__always)
  var isKey: Bool {
    switch self {
    case .text, .integer, .double: true
    case .null, .boolean, .json: false
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  @inline(__always)
  var seen: SeenKinds {
    switch self {
    case .null: []
    case .boolean: .boolean
    case .integer, .double: .number
    case .text: .string
    case .json: .json
    }
  }

  /// The name of the value's type in messages.
  var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .double: "a number"
    case .text: "a string"
    case .json(let node): node.kind == .array ? "an array" : "an object"
    }
  }

  /// The text of a value that is a key.
  var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): value.description
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .json(let node): JSONWriter.text(node.value)
    }
  }

  /// Returns the id that the value identifies. A UUID is the id itself; any other value has a
  /// derived id.
  @inline(__always)
  func identity(after prefix: DerivedID) -> UUIDBits {
    if case .text(let bytes) = self {
      if bytes.count == UUIDText.length,
        let bits = UUIDText.bits(of: UnsafeRawBufferPointer(bytes))
      {
        return UUIDBits(high: bits.high, low: bits.low)
      }
      var hash = prefix
      hash.add(bytes)
      return hash.bits
    }
    var hash = prefix
    for byte in text.utf8 { hash.add(byte) }
    return hash.bits
  }

  /// Adds the text of the value to the hash of its row.
  func add(to hash: inout ContentHash, under seed: UInt64) {
    switch self {
    case .null: return
    case .text(let bytes): hash.add(bytes, under: seed)
    case .boolean, .integer, .double, .json:
      var text = text
      text.withUTF8 { hash.add($0, under: seed) }
    }
  }

  /// Whether the value is the text of a UUID.
  var isUUID: Bool {
    guard case .text(let bytes) = self else { return false }
    return UUIDText.bits(of: UnsafeRawBufferPointer(bytes)) != nil
  }

  /// Returns whether the value is valid for a type. Null is valid for every type.
  @inline(__always)
  func passes(_ type: CheckedType) -> Bool {
    switch (type, self) {
    case (_, .null), (.string, .text), (.number, .integer), (.number, .double),
      (.boolean, .boolean):
      true
    case (.date, .text): Instant(text) != nil
    case (.date, .integer(let value)): Instant(milliseconds: value) != nil
    case (.date, .double(let value)): Instant(milliseconds: value) != nil
    default: false
    }
  }
}

/// A file being loaded.
struct SourceFile {
  let number: Int
  let name: String
  let source: UnsafeBufferPointer<UInt8>

  func fault(_ problem: DatasetError.Problem, at offset: Int) -> DatasetError {
    DatasetError(problem, file: name, at: offset, in: source)
  }
}

/// A buffer for a decoded text, which is valid until the next text is decoded.
final class TextScratch {
  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private var capacity = 256
  private var buffer: [UInt8] = []

  deinit { bytes.deallocate() }

  func hold(_ fill: (inout [UInt8]) -> Void) -> UnsafeBufferPointer<UInt8> {
    buffer.removeAll(keepingCapacity: true)
    fill(&buffer)
    if buffer.count > capacity {
      bytes.deallocate()
      capacity = buffer.count * 2
      bytes = .allocate(capacity: capacity)
    }
    for (place, byte) in buffer.enumerated() { bytes[place] = byte }
    return UnsafeBufferPointer(start: bytes, count: buffer.count)
  }
}
