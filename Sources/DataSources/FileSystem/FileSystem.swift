#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A step of a file operation that can fail. Tests can inject an error before each step.
package enum FileSystemStep: Sendable, Hashable, CaseIterable {
  case makeFolder, open, write, sync, rename, remove
}

/// File operations by system calls: reading and writing bytes, and replacing a file atomically.
package struct FileSystem: Sendable {
  /// A function that runs before each step. If it throws, the step fails as if the system call had
  /// failed.
  package var before: @Sendable (FileSystemStep, _ path: String) throws(DataSourceError) -> Void
  /// Whether a write waits for `fsync`. The wait takes almost all of a write's time.
  private let isDurable: Bool

  package init(
    isDurable: Bool = true,
    before: @escaping @Sendable (FileSystemStep, _ path: String) throws(DataSourceError) -> Void = {
      _, _ throws(DataSourceError) in
    }
  ) {
    self.isDurable = isDurable
    self.before = before
  }

  /// Atomically replaces the file at `path` with `bytes`. After a crash or power failure, and for
  /// every reader, the file has either its old or its new content.
  package func replace(_ path: String, with bytes: [UInt8]) throws(DataSourceError) {
    let draft = try write(draftOf: path, bytes)
    try publish(draft, as: path)
    try syncFolder(of: path)
  }

  /// Writes `bytes` durably to a draft file next to `path`, and returns the draft's path. Readers
  /// ignore files with such names.
  package func write(draftOf path: String, _ bytes: [UInt8]) throws(DataSourceError) -> String {
    let draft = Self.draftName(of: path)
    try before(.open, path)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw refusal("write", path) }
    do throws(DataSourceError) {
      try write(bytes, to: file, path)
      try before(.sync, path)
      if isDurable, fsync(file) != 0 { throw refusal("write", path) }
    } catch {
      close(file)
      unlink(draft)
      throw error
    }
    close(file)
    return draft
  }

  /// Renames a draft to `path`, and replaces an existing file. Removes the draft when that fails.
  package func publish(_ draft: String, as path: String) throws(DataSourceError) {
    do throws(DataSourceError) {
      try rename(draft, to: path)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Renames a file, and replaces an existing file with that name.
  func rename(_ path: String, to other: String) throws(DataSourceError) {
    try before(.rename, other)
    #if canImport(Glibc)
      let outcome = Glibc.rename(path, other)
    #elseif canImport(Musl)
      let outcome = Musl.rename(path, other)
    #else
      let outcome = Darwin.rename(path, other)
    #endif
    if outcome != 0 { throw refusal("replace", other) }
  }

  /// Renames the file at `path` to a name that must not exist yet.
  package func move(_ path: String, to other: String) throws(DataSourceError) {
    try before(.rename, path)
    // `link` fails when the name exists, while `rename` would replace that file.
    guard link(path, other) == 0 else { throw refusal("rename", path) }
    try remove(path)
    try syncFolder(of: path)
  }

  /// Creates a second name for a file, as a hard link or else as a copy, and returns its path.
  /// Returns nil when the file does not exist.
  func secondName(of path: String) throws(DataSourceError) -> String? {
    let draft = Self.draftName(of: path)
    if link(path, draft) == 0 { return draft }
    guard errno != ENOENT else { return nil }
    // Some file systems do not support hard links, so a copy takes its place.
    return try read(path).map { bytes throws(DataSourceError) in try write(draftOf: path, bytes) }
  }

  private static func draftName(of path: String) -> String {
    path + ".\(getpid())-\(UInt32.random(in: 0 ... .max)).draft"
  }

  /// Syncs the folder that contains `path`, so that the names in it are durable.
  package func syncFolder(of path: String) throws(DataSourceError) {
    guard isDurable else { return }
    let folder = open(path.folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems cannot sync folders. The file itself is already durable.
    _ = fsync(folder)
  }

  private func write(
    _ bytes: [UInt8], to file: Int32, _ path: String
  ) throws(DataSourceError) {
    try before(.write, path)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(file, buffer.baseAddress! + written, buffer.count - written)
        #elseif canImport(Musl)
          Musl.write(file, buffer.baseAddress! + written, buffer.count - written)
        #else
          Darwin.write(file, buffer.baseAddress! + written, buffer.count - written)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw refusal("write", path)
      }
      written += count
    }
  }
}

extension FileSystem {
  /// Returns the bytes of the file; nil when it does not exist.
  /// - Throws: `system` with `EFBIG` when there are more than `limit` bytes.
  package func read(
    _ path: String, upTo limit: Int = .max
  ) throws(DataSourceError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw refusal("read", path)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
        #if canImport(Glibc)
          count = Glibc.read(file, buffer.baseAddress!, 65_536)
        #elseif canImport(Musl)
          count = Musl.read(file, buffer.baseAddress!, 65_536)
        #else
          count = Darwin.read(file, buffer.baseAddress!, 65_536)
        #endif
        initialized = max(0, count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw refusal("read", path)
      }
      if count == 0 { return bytes }
      bytes += part
      guard bytes.count <= limit else {
        throw .system(errno: EFBIG, "Cannot read \(path): it is larger than \(limit) bytes.")
      }
    }
  }

  /// Removes the file. Succeeds when the file does not exist.
  package func remove(_ path: String) throws(DataSourceError) {
    try before(.remove, path)
    if unlink(path) != 0, errno != ENOENT { throw refusal("remove", path) }
  }

  /// Creates the folder and its missing parent folders, with mode 0700.
  package func makeFolder(_ path: String) throws(DataSourceError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/", !path.isEmpty else {
      throw refusal("create the folder", path)
    }
    try before(.makeFolder, path)
    try makeFolder(path.folder)
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw refusal("create the folder", path) }
  }

  /// Returns the names in a folder, without `.` and `..`; nil when the folder does not exist.
  package func names(in folder: String) throws(DataSourceError) -> [String]? {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return nil }
      throw refusal("list", folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)
        ) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the file's identity, size, times and mode; nil when it does not exist.
  package func stamp(of path: String) throws(DataSourceError) -> FileStamp? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw refusal("read", path)
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return FileStamp(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Duration.seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)),
      mode: UInt32(status.st_mode) & 0o777, owner: UInt32(status.st_uid))
  }

  /// Returns the current `errno` as an error.
  private func refusal(_ action: String, _ path: String) -> DataSourceError {
    let number = errno
    return .system(errno: number, "Cannot \(action) \(path): \(String(cString: strerror(number))).")
  }
}

/// A fingerprint of the state of a file. If two fingerprints differ, the file was changed in
/// between.
package struct FileStamp: Sendable, Hashable {
  package var inode: UInt64
  package var size: Int64
  package var modified: Duration
  package var mode: UInt32
  package var owner: UInt32

  /// Checks that only the current user can read a file, as ssh does with key files.
  /// - Parameter things: What the file contains, as a word for the error message.
  /// - Throws: `secretStore` when other users can read the file.
  package func checkPrivate(_ path: String, holding things: String) throws(DataSourceError) {
    guard mode & 0o077 == 0 else {
      throw DataSourceError(
        .secretStore(status: EACCES),
        "Other users can read the \(things) in \(path). Run: chmod 600 \(path)")
    }
    guard owner == geteuid() else {
      throw DataSourceError(
        .secretStore(status: EPERM), "The file \(path) with the \(things) belongs to another user.")
    }
  }
}

extension String {
  /// The folder of a path. It is `.` if the path has no slash.
  package var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
