#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A step at which a disk can refuse.
package enum DiskStep: Sendable, Hashable, CaseIterable {
  case makeFolder, open, write, sync, rename, remove
}

/// The system's files, by its own calls: bytes in, bytes out, and a file replaced in one step.
package struct Disk: Sendable {
  /// Called before each step; what it throws is met as if the system had refused.
  package var before: @Sendable (DiskStep, _ path: String) throws(DataSourceError) -> Void
  /// Whether a write waits until it would survive a cut of power: what costs nearly all its time.
  private let isDurable: Bool

  package init(
    isDurable: Bool = true,
    before: @escaping @Sendable (DiskStep, _ path: String) throws(DataSourceError) -> Void = {
      _, _ throws(DataSourceError) in
    }
  ) {
    self.isDurable = isDurable
    self.before = before
  }

  /// Replaces the file at `path` with `bytes`: a reader, a crash or a cut of power meets the old
  /// file or the new one, never a part.
  package func replace(_ path: String, with bytes: [UInt8]) throws(DataSourceError) {
    let draft = try write(draftOf: path, bytes)
    try publish(draft, as: path)
    try syncFolder(of: path)
  }

  /// Writes `bytes` beside `path`, durably, under a name that no reader looks at.
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

  /// Gives a draft its real name, in place of what was there; a draft that gets none is removed.
  package func publish(_ draft: String, as path: String) throws(DataSourceError) {
    do throws(DataSourceError) {
      try rename(draft, to: path)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Gives a file another name, in place of what had it.
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

  /// Gives the file at `path` another name, which no file may have.
  package func move(_ path: String, to other: String) throws(DataSourceError) {
    try before(.rename, path)
    // A link fails where a file has the name already; a rename would replace it.
    guard link(path, other) == 0 else { throw refusal("rename", path) }
    try remove(path)
    try syncFolder(of: path)
  }

  /// Gives the file at `path` a second name that no reader looks at; nil when there is no file.
  func secondName(of path: String) throws(DataSourceError) -> String? {
    let draft = Self.draftName(of: path)
    if link(path, draft) == 0 { return draft }
    guard errno != ENOENT else { return nil }
    // Not every file system has links; a copy serves as well.
    return try read(path).map { bytes throws(DataSourceError) in try write(draftOf: path, bytes) }
  }

  private static func draftName(of path: String) -> String {
    path + ".\(getpid())-\(UInt32.random(in: 0 ... .max)).draft"
  }

  /// Makes the names in `path`'s folder durable.
  package func syncFolder(of path: String) throws(DataSourceError) {
    guard isDurable else { return }
    let folder = open(path.folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    defer { close(folder) }
    // Some file systems do not sync folders; the file itself is already safe.
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

extension Disk {
  /// The bytes of the file; nil when there is none.
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

  /// Removes the file; it need not exist.
  package func remove(_ path: String) throws(DataSourceError) {
    try before(.remove, path)
    if unlink(path) != 0, errno != ENOENT { throw refusal("remove", path) }
  }

  /// Makes the folder and those above it, for the owner alone.
  package func makeFolder(_ path: String) throws(DataSourceError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/", !path.isEmpty else {
      throw refusal("make the folder", path)
    }
    try before(.makeFolder, path)
    try makeFolder(path.folder)
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw refusal("make the folder", path) }
  }

  /// The names in a folder, without `.` and `..`; nil when there is no folder.
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

  /// What tells one state of a file from the next, and who may read it; nil when there is none.
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

  /// The system's last refusal as an error.
  private func refusal(_ deed: String, _ path: String) -> DataSourceError {
    let number = errno
    return .system(errno: number, "Cannot \(deed) \(path): \(String(cString: strerror(number))).")
  }
}

/// One state of a file.
package struct FileStamp: Sendable, Hashable {
  package var inode: UInt64
  package var size: Int64
  package var modified: Duration
  package var mode: UInt32
  package var owner: UInt32

  /// - Parameter things: What the file at `path` holds, in a word.
  /// - Throws: `secretStore` when others than this user could read it, as ssh does with keys.
  package func checkPrivate(_ path: String, holding things: String) throws(DataSourceError) {
    guard mode & 0o077 == 0 else {
      throw DataSourceError(
        .secretStore(status: EACCES),
        "Others can read the \(things) in \(path); run: chmod 600 \(path)")
    }
    guard owner == geteuid() else {
      throw DataSourceError(
        .secretStore(status: EPERM), "The \(things) in \(path) belong to another user.")
    }
  }
}

extension String {
  /// The folder of a path: `.` for a bare name.
  package var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
