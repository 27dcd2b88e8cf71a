#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A new file that is written from beginning to end.
package struct FileOutput: ~Copyable {
  private let file: Int32

  package init(_ path: String) throws(SystemError) {
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw SystemError(errno: errno) }
  }

  deinit { close(file) }

  package mutating func write(_ bytes: [UInt8]) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(file, buffer.baseAddress! + sent, buffer.count - sent)
        #else
          Darwin.write(file, buffer.baseAddress! + sent, buffer.count - sent)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemError(errno: errno) }
      sent += count
    }
  }

  /// Sees that all that was written is on the disk.
  package mutating func sync() throws(SystemError) {
    if fsync(file) != 0 { throw SystemError(errno: errno) }
  }
}

extension Files {
  static func makeFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o755) != 0 { throw SystemError(errno: errno) }
  }

  /// Removes a file, or a folder and the plain files in it; what is not there is no fault.
  package static func removeTree(_ path: String) {
    guard kind(of: path) == .folder else {
      unlink(path)
      return
    }
    for file in (try? files(in: path)) ?? [] { unlink(file) }
    rmdir(path)
  }

  /// Whether a text can be the name of a file that is not hidden, and stays in its folder.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix(".")
      && !text.utf8.contains { $0 == 0x2F || $0 == 0 }
  }
}
