#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes lines to standard error by system calls.
enum StandardError {
  /// Writes a line that may contain untrusted data; errors are ignored.
  static func write(_ line: String) {
    // There is no other place to report the failure.
    _ = try? Output.write(
      Array((TerminalSanitizer.text(line) + "\n").utf8), to: STDERR_FILENO)
  }
}

enum StandardStreams {
  /// Opens /dev/null for standard streams that were closed at the start.
  ///
  /// Otherwise a file could get their number and be written to by accident. Reading and writing
  /// still fail.
  static func holdPlaces() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

enum Output {
  /// Writes all bytes.
  ///
  /// - Returns: False if the reader closed the pipe, which ends the program silently.
  /// - Throws: Any other error of writing.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO
  ) throws(Failure) -> Bool {
    let failure = send(bytes, to: descriptor)
    if failure == 0 { return true }
    if failure == EPIPE { return false }
    throw Failure.answerNotWritten(errno: failure)
  }

  /// Writes data, on a terminal without control characters.
  ///
  /// - Returns: False if the reader closed the pipe, which ends the program silently.
  static func show(_ bytes: [UInt8]) throws(Failure) -> Bool {
    try write(isTerminal ? TerminalSanitizer.bytes(bytes) : bytes)
  }

  /// Writes all bytes and returns the `errno`, 0 for success.
  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, buffer.baseAddress! + sent, buffer.count - sent)
        #else
          let count = Darwin.write(descriptor, buffer.baseAddress! + sent, buffer.count - sent)
        #endif
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        sent += count
      }
      return 0
    }
  }

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
