#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines of standard input, as they come, each without its line end.
struct LineReader: IteratorProtocol, Sequence {
  /// Longer lines are cut to this many bytes; what is left of them is read and dropped.
  let longest: Int

  private var waiting: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The system's number for why no more could be read; 0 when the input has ended.
  private(set) var failure: Int32 = 0

  init(longest: Int) {
    self.longest = longest
  }

  /// The next line; the last one may lack its end. Waits for input.
  mutating func next() -> [UInt8]? {
    var line: [UInt8] = []
    var hasLine = false
    while position < waiting.count || refill() {
      hasLine = true
      let rest = waiting[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // One byte more than is allowed, so that the reader can see that it is too long.
      line += rest[..<(end ?? rest.endIndex)].prefix(longest + 1 - line.count)
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
