#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A failed system call, by its error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  let errno: Int32

  package init(errno: Int32) {
    self.errno = errno
  }

  /// The error of a canceled task.
  static let cancelled = SystemError(errno: ECANCELED)

  package var description: String { reason }

  /// The system's message in lower case: "no such file or directory".
  package var reason: String {
    String(cString: strerror(errno)).lowercasedFirst
  }
}

extension String {
  fileprivate var lowercasedFirst: String {
    prefix(1).lowercased() + dropFirst()
  }
}

/// Operations on files and folders.
package enum Files {
  /// Returns the sorted paths of the regular files in `folder`, without hidden files.
  package static func files(in folder: String) throws(SystemError) -> [String] {
    try names(in: folder).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
      .filter { kind(of: $0) == .file }
  }

  /// Returns the sorted names of the entries of `folder`: of all, or of the first `limit` entries in
  /// the order of the file system.
  package static func names(
    in folder: String, limit: Int = .max
  ) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(errno: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the last part of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns a folder's path whose last part is the folder's name.
  ///
  /// Trailing slashes are removed, and a path that ends with `.` or `..` is resolved.
  static func named(_ folder: String) -> String {
    let name = name(of: folder)
    if name == "." || name == ".." { return resolved(folder) }
    let end = folder.lastIndex { $0 != "/" }
    return end.map { String(folder[...$0]) } ?? folder
  }

  /// The identity of the file at a path, by device and inode.
  struct Identity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Identifies the file at a path; nil if no accessible file is there.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Returns the path without symbolic links. If nothing exists at the path, returns the path
  /// itself.
  package static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns whether two paths lead to the same file or folder, after following links.
  package static func isSame(_ path: String, _ other: String) -> Bool {
    var (status, otherStatus) = (stat(), stat())
    guard stat(path, &status) == 0, stat(other, &otherStatus) == 0 else { return false }
    return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
  }

  package enum Kind { case file, folder, other }

  /// Returns the kind of the file at `path`, after following links; nil if no accessible file is
  /// there.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Returns whether a folder on the path denies access to what is in it.
  package static func isDenied(_ path: String) -> Bool {
    access(path, F_OK) != 0 && errno == EACCES
  }

  /// Returns whether a symbolic link is at the path.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns the size of a file in bytes; nil if no accessible file is at the path.
  package static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns whether the process may write to the file or folder.
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Creates a file that contains `bytes`.
  ///
  /// - Throws: `EEXIST` if the file exists.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { send(descriptor, $0) }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError(errno: errno)
      }
      written += count
    }
  }

  private static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Reads the regular file at `path`, up to `limit` bytes.
  ///
  /// Other kinds of files are rejected, because a pipe or device may block or never end.
  package static func bytes(
    of path: String, limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    // Opening a pipe would block, so its kind is checked first.
    if kind(of: path) == .other { throw SystemError(errno: EINVAL) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(errno: errno) }
    var failure: SystemError?
    let most = min(Int(status.st_size) + 1, limit)
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      failure = fill(buffer, count: &count, from: descriptor)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads `count` bytes from an offset. Returns fewer bytes at the end of the file.
  package static func bytes(
    of path: String, from offset: Int, count: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw SystemError(errno: errno) }
    return try bytes(from: descriptor, count: count)
  }

  private static func bytes(
    from descriptor: Int32, count: Int
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      failure = fill(buffer, count: &filled, from: descriptor)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads at most `limit` bytes from any kind of file. Waits for the bytes of a pipe or device.
  package static func bytes(
    ofAny path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    return try bytes(from: descriptor, limit: limit)
  }

  /// Reads until the end, but at most `limit` bytes; waits for the bytes of a pipe.
  package static func bytes(
    from descriptor: Int32, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var failure: SystemError?
    var isAtEnd = false
    while !isAtEnd, failure == nil, bytes.count < limit {
      bytes += [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
        failure = fill(buffer, count: &count, from: descriptor)
        isAtEnd = count < buffer.count
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until the end of the file or until the buffer is full. If the file has grown, a later
  /// call reads the appended bytes.
  private static func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int, from descriptor: Int32
  ) -> SystemError? {
    count = 0
    while count < buffer.count {
      let got = read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      if got == 0 { return nil }
      if got < 0 {
        if errno == EINTR { continue }
        return SystemError(errno: errno)
      }
      count += got
    }
    return nil
  }
}
