#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An advisory lock for a file, which excludes other processes and other holders in this process.
/// It locks a separate `.lock` file next to the file.
package struct FileLock: ~Copyable {
  private let file: Int32

  /// Acquires the lock. Returns nil when another process or another instance holds it.
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
    // A child process that is being started has a copy of the file, which keeps the lock until the
    // child executes its program. The system unlocks the file when the process dies.
    _ = flock(file, LOCK_UN)
    close(file)
  }
}
