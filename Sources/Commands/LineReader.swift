#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads the lines of standard input, without their line ends.
struct LineReader: IteratorProtocol, Sequence {
  /// The maximum length of a line in bytes. A longer line is cut to `maxBytes` + 1 bytes, so that
  /// the caller can reject it.
  let maxBytes: Int

  private var waiting: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The `errno` of a failed read; 0 at the end of the input.
  private(set) var failure: Int32 = 0

  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// Waits for the next line and returns it; nil at the end of the input. The last line need not
  /// have a line end.
  mutating func next() -> [UInt8]? {
    var line: [UInt8] = []
    var hasLine = false
    while position < waiting.count || refill() {
      hasLine = true
      let rest = waiting[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // One byte beyond the limit is kept, so that the caller notices a line that is too long.
      line += rest[..<(end ?? rest.endIndex)].prefix(maxBytes + 1 - line.count)
      position = end.map { $0 + 1 } ?? waiting.count
      if end != nil { break }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return hasLine ? line : nil
  }

  private mutating func refill() -> Bool {
    guard !isAtEnd else { return false }
    position = 0
    waiting = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var got = 0
      repeat {
        got = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      } while got < 0 && errno == EINTR
      if got < 0 { failure = errno }
      count = Swift.max(0, got)
    }
    isAtEnd = waiting.isEmpty
    return !isAtEnd
  }
}
