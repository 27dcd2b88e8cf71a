import CZlib

/// Compresses bytes incrementally.
struct Deflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var compressed: [UInt8] = []
  /// The total size of the uncompressed input in bytes.
  private(set) var size = 0
  private(set) var checksum: UInt32 = 0

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // zlib fails here only without memory, and then the process cannot continue anyway.
    precondition(sonde_deflate_begin(stream) == Z_OK, "zlib cannot begin")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  mutating func append(_ bytes: [UInt8]) {
    size += bytes.count
    bytes.withUnsafeBufferPointer { bytes in
      checksum = UInt32(
        truncatingIfNeeded: crc32_z(UInt(checksum), bytes.baseAddress, bytes.count))
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      // zlib counts at most four gigabytes of input, but inputs are far smaller.
      stream.pointee.avail_in = UInt32(bytes.count)
      run(Z_NO_FLUSH)
    }
  }

  /// Finishes the stream and returns the rest of the output. Nothing may be appended afterward.
  mutating func finish() -> [UInt8] {
    stream.pointee.avail_in = 0
    run(Z_FINISH)
    return compressed
  }

  /// Removes and returns the output that is complete so far.
  mutating func removeCompressed() -> [UInt8] {
    defer { compressed = [] }
    return compressed
  }

  private mutating func run(_ flush: Int32) {
    let room = 1 << 16
    repeat {
      let start = compressed.count
      compressed.append(contentsOf: repeatElement(0, count: room))
      compressed.withUnsafeMutableBufferPointer { buffer in
        stream.pointee.next_out = buffer.baseAddress! + start
        stream.pointee.avail_out = UInt32(room)
        _ = deflate(stream, flush)
      }
      compressed.removeLast(Int(stream.pointee.avail_out))
    } while stream.pointee.avail_out == 0
  }
}

/// Decompresses bytes incrementally.
struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var isAtEnd = false
  /// The total size of the decompressed output in bytes.
  private(set) var size = 0
  private(set) var checksum: UInt32 = 0

  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard sonde_inflate_begin(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses a part of the stream. Returns nil if the stream is damaged or has already ended.
  mutating func bytes(of compressed: [UInt8]) -> [UInt8]? {
    if isAtEnd { return compressed.isEmpty ? [] : nil }
    var result: [UInt8] = []
    let room = 1 << 18
    let isSound = compressed.withUnsafeBufferPointer { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      // zlib counts at most four gigabytes of input, but inputs are far smaller.
      stream.pointee.avail_in = UInt32(input.count)
      while true {
        let start = result.count
        result.append(contentsOf: repeatElement(0, count: room))
        let code = result.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_out = buffer.baseAddress! + start
          stream.pointee.avail_out = UInt32(room)
          return inflate(stream, Z_NO_FLUSH)
        }
        result.removeLast(Int(stream.pointee.avail_out))
        if code == Z_STREAM_END {
          isAtEnd = true
          return stream.pointee.avail_in == 0
        }
        guard code == Z_OK || code == Z_BUF_ERROR else { return false }
        if stream.pointee.avail_out > 0 { return true }
      }
    }
    guard isSound else { return nil }
    count(result)
    return result
  }

  /// Adds output bytes to ``size`` and ``checksum``, for entries that are stored without
  /// compression.
  mutating func count(_ bytes: [UInt8]) {
    size += bytes.count
    bytes.withUnsafeBufferPointer {
      checksum = UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), $0.baseAddress, $0.count))
    }
  }
}

enum Inflate {
  /// Decompresses a whole stream.
  ///
  /// - Parameter size: The expected size of the output in bytes.
  /// - Returns: Nil if the stream is damaged or its output has another size.
  static func bytes(of compressed: [UInt8], size: Int) -> [UInt8]? {
    var stream = z_stream()
    guard sonde_inflate_begin(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { output, count in
      compressed.withUnsafeBufferPointer { input in
        isWhole = run(&stream, input, output, size)
      }
      count = isWhole ? size : 0
    }
    return isWhole ? bytes : nil
  }

  /// Calls zlib with parts of the input and output, since zlib's counters have only 32 bits.
  private static func run(
    _ stream: inout z_stream, _ input: UnsafeBufferPointer<UInt8>,
    _ output: UnsafeMutableBufferPointer<UInt8>, _ size: Int
  ) -> Bool {
    let most = 1 << 30
    var (read, written) = (0, 0)
    while true {
      let (given, room) = (min(most, input.count - read), min(most, size - written))
      // An empty input has no address.
      guard let start = input.baseAddress, let end = output.baseAddress else { return false }
      stream.next_in = UnsafeMutablePointer(mutating: start + read)
      stream.avail_in = UInt32(given)
      stream.next_out = end + written
      stream.avail_out = UInt32(room)
      let result = inflate(&stream, Z_NO_FLUSH)
      read += given - Int(stream.avail_in)
      written += room - Int(stream.avail_out)
      if result == Z_STREAM_END { return written == size && read == input.count }
      let isStuck = given == Int(stream.avail_in) && room == Int(stream.avail_out)
      guard result == Z_OK, !isStuck else { return false }
    }
  }

  static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer {
      UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count))
    }
  }
}
