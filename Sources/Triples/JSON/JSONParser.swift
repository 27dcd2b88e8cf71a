#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Parses JSON to a flat tape, one value at a time.
///
/// It follows RFC 8259 strictly: no comments, no trailing commas, no leading zeros, and only valid
/// UTF-8 and surrogates. The source bytes must outlive the parser. A loader calls ``parseValue()``
/// for each part of a large text, so that the tape stays small.
package struct JSONParser: ~Copyable {
  let source: UnsafePointer<UInt8>
  let length: Int
  package let options: JSONOptions
  package var position = 0
  /// The numbers that the parser could represent only approximately.
  package internal(set) var inexact = InexactNumbers()
  var words: UnsafeMutablePointer<UInt64>
  var count = 0
  private var capacity = 256
  /// The tape indexes of open arrays and objects.
  private var open: [Int] = []

  package init(_ source: UnsafeBufferPointer<UInt8>, options: JSONOptions = JSONOptions()) {
    // The memory comes from the C library, because `realloc` grows large blocks without copying.
    guard let memory = malloc(capacity * MemoryLayout<UInt64>.stride) else {
      fatalError("There is not enough memory to parse the JSON: it needs \(capacity * 8) bytes.")
    }
    words = memory.bindMemory(to: UInt64.self, capacity: capacity)
    // An empty buffer may have no address; it is never read.
    self.source =
      source.baseAddress
      ?? UnsafePointer(UnsafeRawPointer(words).assumingMemoryBound(to: UInt8.self))
    length = source.count
    self.options = options
    if length >= 3, source[0] == 0xEF, source[1] == 0xBB, source[2] == 0xBF { position = 3 }
  }

  deinit { free(words) }

  /// The last parsed value.
  package var root: JSONNode { JSONNode(words: words, source: source, index: 0) }

  /// Parses one value and stops at its end.
  ///
  /// - Throws: `JSONError` at the first invalid byte.
  /// - Complexity: O(bytes), without recursion.
  package mutating func parseValue() throws(JSONError) {
    count = 0
    open.removeAll(keepingCapacity: true)
    var awaitsKey = false
    while true {
      skipSpace()
      if awaitsKey { try parseKey() }
      guard position < length else { throw fault(.ends(expected: "a value")) }
      reserve()
      var opened = false
      switch source[position] {
      case UInt8(ascii: "\""): try parseText()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
      case UInt8(ascii: "{"): opened = try openContainer(.object, closing: UInt8(ascii: "}"))
      case UInt8(ascii: "["): opened = try openContainer(.array, closing: UInt8(ascii: "]"))
      case UInt8(ascii: "t"): try parseWord("true", JSONNode.word(.bool, 1))
      case UInt8(ascii: "f"): try parseWord("false", JSONNode.word(.bool, 0))
      case UInt8(ascii: "n"): try parseWord("null", JSONNode.word(.null))
      default: throw unexpected("a value")
      }
      if opened {
        awaitsKey = isInObject
        continue
      }
      guard try !closeContainers() else { return }
      awaitsKey = isInObject
    }
  }

  /// Parses a text that contains exactly one value.
  package mutating func parseDocument() throws(JSONError) {
    if length > options.maximumBytes {
      throw JSONError(.tooLarge(limit: options.maximumBytes), offset: 0, line: 1, column: 1)
    }
    try parseValue()
    skipSpace()
    if position < length { throw unexpected("the end of the text") }
  }

  @inline(__always)
  package mutating func skipSpace() {
    while position < length {
      let byte = source[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      position += 1
    }
  }

  /// Skips white space, and then `byte` if it is next. Returns whether it was.
  @inline(__always)
  package mutating func consume(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < length, source[position] == byte else { return false }
    position += 1
    return true
  }

  package var isAtEnd: Bool { position >= length }

  // MARK: Arrays and objects

  @inline(__always)
  private var isInObject: Bool {
    guard let index = open.last else { return false }
    return words[index] >> 60 == JSONNode.Kind.object.rawValue
  }

  /// Opens an array or object. Returns false if it is empty, and therefore already closed.
  private mutating func openContainer(
    _ kind: JSONNode.Kind, closing: UInt8
  ) throws(JSONError) -> Bool {
    if open.count >= options.maximumDepth {
      throw fault(.tooDeep(limit: options.maximumDepth))
    }
    let index = count
    append(JSONNode.word(kind))
    append(0)
    position += 1
    if consume(closing) {
      words[index] = JSONNode.word(kind, UInt64(count))
      return false
    }
    open.append(index)
    return true
  }

  /// After a value, skips a comma, or closes the arrays and objects that end there. Returns true at
  /// the end of the document.
  @inline(__always)
  private mutating func closeContainers() throws(JSONError) -> Bool {
    while let index = open.last {
      words[index + 1] += 1
      skipSpace()
      let isObject = words[index] >> 60 == JSONNode.Kind.object.rawValue
      let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard position < length else {
        throw fault(.ends(expected: isObject ? "',' or '}'" : "',' or ']'"))
      }
      let byte = source[position]
      if byte == UInt8(ascii: ",") {
        position += 1
        return false
      }
      guard byte == closing else { throw unexpected(isObject ? "',' or '}'" : "',' or ']'") }
      position += 1
      words[index] = JSONNode.word(isObject ? .object : .array, UInt64(count))
      if isObject && options.duplicateKeys == .refused { try refuseDuplicateKeys(index) }
      open.removeLast()
    }
    return true
  }

  @inline(__always)
  private mutating func parseKey() throws(JSONError) {
    guard position < length else { throw fault(.ends(expected: "a key in quotes")) }
    guard source[position] == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    reserve()
    try parseText()
    skipSpace()
    guard position < length else { throw fault(.ends(expected: "':'")) }
    guard source[position] == UInt8(ascii: ":") else { throw unexpected("':'") }
    position += 1
    skipSpace()
  }

  private func refuseDuplicateKeys(_ index: Int) throws(JSONError) {
    let object = JSONNode(words: words, source: source, index: index)
    guard object.count > 1 else { return }
    if object.count <= 12, let duplicate = duplicateAmongFew(object) {
      throw fault(.duplicateKey(duplicate.text), at: duplicate.textOffset - 1)
    }
    guard object.count > 12 else { return }
    var seen = Set<ExactText>(minimumCapacity: object.count)
    var key = object.first
    for _ in 0..<object.count {
      if !seen.insert(ExactText(key.text)).inserted {
        throw fault(.duplicateKey(key.text), at: key.textOffset - 1)
      }
      key = key.next.next
    }
  }

  private func duplicateAmongFew(_ object: JSONNode) -> JSONNode? {
    var later = object.first.next.next
    for place in 1..<object.count {
      var earlier = object.first
      for _ in 0..<place {
        if earlier.hasSameText(as: later) { return later }
        earlier = earlier.next.next
      }
      later = later.next.next
    }
    return nil
  }

  // MARK: The tape

  /// Reserves space on the tape for one more node.
  @inline(__always)
  private mutating func reserve() {
    if count + 4 > capacity { grow() }
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    let larger = realloc(words, capacity * MemoryLayout<UInt64>.stride)
    guard let larger else {
      fatalError("There is not enough memory to parse the JSON: it needs \(capacity * 8) bytes.")
    }
    words = larger.bindMemory(to: UInt64.self, capacity: capacity)
  }

  @inline(__always)
  mutating func append(_ word: UInt64) {
    words[count] = word
    count += 1
  }

  private mutating func parseWord(_ text: StaticString, _ word: UInt64) throws(JSONError) {
    for place in 0..<text.utf8CodeUnitCount {
      guard position + place < length else {
        throw fault(.ends(expected: "'\(text)'"), at: length)
      }
      guard source[position + place] == text.utf8Start[place] else {
        throw unexpected("'\(text)'")
      }
    }
    position += text.utf8CodeUnitCount
    append(word)
  }

  // MARK: Errors

  @inline(never)
  package func fault(_ problem: JSONError.Problem, at offset: Int? = nil) -> JSONError {
    JSONError(
      problem, at: offset ?? position, in: UnsafeBufferPointer(start: source, count: length))
  }

  /// Creates the error of an unexpected token at the position.
  @inline(never)
  package func unexpected(_ expected: String) -> JSONError {
    guard position < length else { return fault(.ends(expected: expected)) }
    return fault(.expected(expected, found: found))
  }

  /// A short description of the token at the position.
  private var found: String {
    let byte = source[position]
    if byte < 0x20 || byte == 0x7F { return "byte \(byte)" }
    if byte == UInt8(ascii: "'") { return "a single quote" }
    var end = position + 1
    while end < length, end < position + 12, Self.isWordByte(source[position]),
      Self.isWordByte(source[end])
    {
      end += 1
    }
    while end < length, end < position + 4, source[end] & 0xC0 == 0x80 { end += 1 }
    let bytes = UnsafeBufferPointer(start: source + position, count: end - position)
    return "'\(String(decoding: bytes, as: UTF8.self))'"
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension JSONNode {
  fileprivate func hasSameText(as other: JSONNode) -> Bool {
    if isEscaped || other.isEscaped { return text.utf8.elementsEqual(other.text.utf8) }
    let (a, b) = (rawText, other.rawText)
    guard a.count == b.count else { return false }
    for place in 0..<a.count where a[place] != b[place] { return false }
    return true
  }
}
