#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output and standard error, by the system's own write.
enum StandardError {
  /// Writes a line, whatever of it comes from data; an error stream that is closed hears nothing.
  static func write(_ line: String) {
    // A complaint that cannot be written has nobody else to be told to.
    _ = try? Output.write(
      Array((HarmlessText.text(line) + "\n").utf8), to: STDERR_FILENO)
  }
}

enum StandardStreams {
  /// Takes the numbers of streams that were closed before the program began, so that no file of ours
  /// gets one and is written to as if it were standard output. Using them still fails, as it should.
  static func holdPlaces() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

enum Output {
  /// Writes all bytes.
  /// - Returns: False when nobody reads any more, which ends the program quietly.
  /// - Throws: When the bytes cannot be written for any other reason.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO
  ) throws(Failure) -> Bool {
    let failure = send(bytes, to: descriptor)
    if failure == 0 { return true }
    if failure == EPIPE { return false }
    throw Failure(
      message: "The answer could not be written: \(String(cString: strerror(failure))).",
      status: ExitStatus.question)
  }

  /// Writes data: as it is, but on a terminal nothing that it would obey.
  /// - Returns: False when nobody reads any more, which ends the program quietly.
  static func show(_ bytes: [UInt8]) throws(Failure) -> Bool {
    try write(isTerminal ? HarmlessText.bytes(bytes) : bytes)
  }

  /// Writes all bytes; answers with the system's error number, 0 for none.
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
