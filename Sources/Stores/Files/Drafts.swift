import CFiles

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file or folder that is being written and gets its name when it is complete.
///
/// It lies in a hidden folder beside its place. The process that writes it holds a lock on that folder
/// until it ends, so that the drafts of killed processes can be recognized.
package final class Draft: Sendable {
  /// Where it shall be, without symbolic links.
  package let target: String
  /// Where it is written; nothing is there yet.
  package let path: String
  private let folder: String
  private let lock: Int32

  /// Removes the drafts of killed processes and makes a place for a new one.
  package init(for path: String) throws(SystemError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    target = Files.kind(of: path) == nil ? path : Files.resolved(path)
    Draft.removeAbandoned(beside: target)
    let made = try Draft.makeFolder(beside: target)
    (folder, lock) = made
    self.path = made.folder + "/content"
  }

  deinit {
    Files.removeTree(folder)
    // Closing gives the lock back, also when the process dies.
    close(lock)
  }

  /// Gives the draft its name; refused with `EEXIST` when something has that name.
  package func publish() throws(SystemError) {
    try Files.sync(path)
    switch sonde_rename_new(path, target) {
    case 0: break
    case ENOTSUP:
      if link(path, target) == 0 { break }
      // Some file systems know no second names, and folders never have any.
      guard errno != EEXIST, Files.kind(of: target) == nil, rename(path, target) == 0 else {
        throw SystemError(errno: errno)
      }
    case let number: throw SystemError(errno: number)
    }
    try? Files.sync(Files.folder(of: target))
  }

  /// Gives the draft its name in one step, whatever had that name before.
  package func replace() throws(SystemError) {
    guard let old = Files.kind(of: target) else { return try publish() }
    try Files.sync(path)
    if old == .file, Files.kind(of: path) == .file {
      keepMode()
      guard rename(path, target) == 0 else { throw SystemError(errno: errno) }
    } else {
      try exchange()
    }
    try? Files.sync(Files.folder(of: target))
  }

  /// The new file has the permissions of the old one.
  private func keepMode() {
    var status = stat()
    // Where the mode cannot be set the file is the user's, as every new one is.
    if stat(target, &status) == 0 { chmod(path, status.st_mode & 0o7777) }
  }

  /// What was at the target is then the draft, and is removed with it.
  private func exchange() throws(SystemError) {
    let number = sonde_rename_exchange(path, target)
    if number == 0 { return }
    guard number == ENOTSUP else { throw SystemError(errno: number) }
    let old = folder + "/old"
    guard rename(target, old) == 0 else { throw SystemError(errno: errno) }
    guard rename(path, target) == 0 else {
      let failure = SystemError(errno: errno)
      rename(old, target)
      throw failure
    }
  }

  /// Takes the files that belong to what is replaced, so that they go with it.
  func takeAlong(_ paths: [String]) {
    for (number, path) in paths.enumerated() { rename(path, folder + "/along\(number)") }
  }
}

// Folders of drafts.
extension Draft {
  private static let ending = ".draft"
  /// So much of the target's name is in that of the folder, which may not be too long.
  private static let maxNameBytes = 100

  /// A new folder, and the descriptor that holds its lock.
  private static func makeFolder(
    beside path: String
  ) throws(SystemError) -> (folder: String, lock: Int32) {
    let parent = Files.folder(of: path)
    var name = Files.name(of: path)
    while name.utf8.count > maxNameBytes { name.removeLast() }
    while true {
      let number = UInt32.random(in: 0 ... .max)
      let folder = "\(parent)/.\(name).\(getpid())-\(number)\(ending)"
      guard mkdir(folder, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw SystemError(errno: errno)
      }
      let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Another process may have taken the new folder for an abandoned one.
      guard lock >= 0 else {
        if errno == ENOENT { continue }
        throw SystemError(errno: errno)
      }
      let isLocked = flock(lock, LOCK_EX | LOCK_NB) == 0
      if !isLocked && errno == EWOULDBLOCK || !isSame(lock, folder) {
        close(lock)
        continue
      }
      return (folder, lock)
    }
  }

  /// Whether the open folder is still the one at the path.
  private static func isSame(_ descriptor: Int32, _ folder: String) -> Bool {
    var (opened, found) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(folder, &found) == 0
      && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }

  /// Removes the drafts in the folder of `path` whose process was killed: those without a lock.
  ///
  /// Nothing else is touched, nothing of another user's, and nothing behind a link.
  package static func removeAbandoned(beside path: String) {
    let parent = Files.folder(of: path)
    // A folder that cannot be listed is reported when it is written to.
    for name in (try? Files.names(in: parent)) ?? [] where isDraft(name) {
      let folder = parent + "/" + name
      let descriptor = open(folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
        [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT),
        flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, folder)
      else { continue }
      Files.removeTree(folder)
    }
  }

  /// Whether a name is `.NAME.PROCESS-NUMBER.draft`.
  static func isDraft(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.first == "", name.hasSuffix(ending) else { return false }
    let numbers = parts[parts.count - 2].split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2 && numbers.allSatisfy { UInt32($0) != nil }
  }
}
