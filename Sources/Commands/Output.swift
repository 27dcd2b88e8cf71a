#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes lines to standard error by system calls.
enum StandardError {
  /// Writes a line, which may contain untrusted data. Errors are ignored.
  static func write(_ line: String) {
    // A failure to write an error message cannot be reported anywhere else.
    _ = try? Output.write(
      Array((TerminalSanitizer.text(line) + "\n").utf8), to: STDERR_FILENO)
  }
}

enum StandardStreams {
  /// Opens /dev/null in place of standard streams that were closed when the program started.
  ///
  /// Otherwise a file that is opened later could get the stream's number, and output would be
  /// written to that file by accident. Reading from and writing to such a stream still fail.
  static func holdPlaces() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

enum Output {
  /// Writes all bytes.
  ///
  /// - Returns: False if the reader closed the pipe, which should end the program silently.
  /// - Throws: A failure for any other write error.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO
  ) throws(Failure) -> Bool {
    let failure = send(bytes, to: descriptor)
    if failure == 0 { return true }
    if failure == EPIPE { return false }
    throw Failure.answerNotWritten(errno: failure)
  }

  /// Writes data. On a terminal, control characters are removed.
  ///
  /// - Returns: False if the reader closed the pipe, which should end the program silently.
  static func show(_ bytes: [UInt8]) throws(Failure) -> Bool {
    try write(isTerminal ? TerminalSanitizer.bytes(bytes) : bytes)
  }

  /// Writes all bytes. Returns 0 on success, otherwise the `errno` of the failure.
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
