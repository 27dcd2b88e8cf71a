#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A new file that is written sequentially.
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

  /// Overwrites bytes that were written earlier, beginning at an offset.
  package mutating func rewrite(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(file, buffer.baseAddress! + sent, buffer.count - sent, off_t(offset + sent))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemError(errno: errno) }
      sent += count
    }
  }

  /// Flushes the file to disk.
  package mutating func sync() throws(SystemError) {
    if fsync(file) != 0 { throw SystemError(errno: errno) }
  }
}

extension Files {
  package static func makeFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o755) != 0 { throw SystemError(errno: errno) }
  }

  /// Removes a file or a folder tree without following links. A missing file is no error.
  package static func removeTree(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
    // If a folder cannot be listed, it cannot be removed either. This is not reported.
    for name in (try? names(in: path)) ?? [] { removeTree(path + "/" + name) }
    rmdir(path)
  }

  /// Returns whether a text can be the name of a visible file in its folder.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 200 && !text.hasPrefix(".")
      && !text.utf8.contains { $0 == 0x2F || $0 == 0 }
  }
}
