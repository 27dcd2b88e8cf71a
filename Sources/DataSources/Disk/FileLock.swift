#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An advisory lock on a file beside the one that it guards, held against other processes and
/// other holders in this one.
package struct FileLock: ~Copyable {
  private let file: Int32

  /// Takes the lock if nobody has it.
  package init?(beside path: String) throws(DataSourceError) {
    let file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      let number = errno
      throw .system(
        errno: number, "Cannot lock \(path): \(String(cString: strerror(number))).")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
    self.file = file
  }

  deinit {
    // Closing gives the lock back, also when the process dies.
    close(file)
  }
}
