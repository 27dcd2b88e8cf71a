import CFiles

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file or folder that is being written, and renamed when it is complete.
///
/// The draft is in a hidden folder next to its target. The writing process locks that folder, so
/// that drafts of killed processes can be recognized.
package final class Draft: Sendable {
  /// The target path without symbolic links.
  package let target: String
  /// The path to write to; nothing exists there yet.
  package let path: String
  private let folder: String
  private let lock: Int32

  /// Removes the drafts of killed processes and creates a folder for a new draft.
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
    // Closing the descriptor releases the lock. The end of the process releases it, too.
    close(lock)
  }

  /// Renames the draft to its target.
  ///
  /// - Throws: `EEXIST` if the target exists.
  package func publish() throws(SystemError) {
    try Files.sync(path)
    switch sonde_rename_new(path, target) {
    case 0: break
    case ENOTSUP:
      if link(path, target) == 0 { break }
      // Some file systems do not support hard links, and folders never have them.
      guard errno != EEXIST, Files.kind(of: target) == nil, rename(path, target) == 0 else {
        throw SystemError(errno: errno)
      }
    case let number: throw SystemError(errno: number)
    }
    try? Files.sync(Files.folder(of: target))
  }

  /// Renames the draft to its target atomically, replacing an existing file or folder.
  package func replace() throws(SystemError) {
    guard let old = Files.kind(of: target) else { return try publish() }
    try Files.sync(path)
    if old == .file, Files.kind(of: path) == .file {
      copyMode()
      guard rename(path, target) == 0 else { throw SystemError(errno: errno) }
    } else {
      try exchange()
    }
    try? Files.sync(Files.folder(of: target))
  }

  /// Copies the permissions of the old file.
  private func copyMode() {
    var status = stat()
    // If this fails, the file has the default permissions.
    if stat(target, &status) == 0 { chmod(path, status.st_mode & 0o7777) }
  }

  /// Exchanges the draft and its target, so that the old file is removed with the draft.
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

  /// Moves files that belong to the replaced file into the draft, so that they are removed with it.
  func includeFiles(_ paths: [String]) {
    for (number, path) in paths.enumerated() { rename(path, folder + "/along\(number)") }
  }
}

// Folders of drafts.
extension Draft {
  private static let ending = ".draft"
  /// The maximum number of bytes that the name of the draft's folder takes from the target's name.
  private static let maxNameBytes = 100

  /// Creates a folder for a draft and locks it. Returns the folder and the descriptor of the lock.
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
      // Another process may have taken the new folder for an abandoned one and removed it.
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

  /// Returns whether `folder` is still the path of the folder that `descriptor` has open.
  private static func isSame(_ descriptor: Int32, _ folder: String) -> Bool {
    var (opened, found) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(folder, &found) == 0
      && opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }

  /// Removes the drafts next to `path` whose process was killed, recognized by their unlocked
  /// folders.
  ///
  /// Other files, files of other users and targets of links are not touched.
  package static func removeAbandoned(beside path: String) {
    let parent = Files.folder(of: path)
    // If a folder cannot be listed, a later write to it reports the error.
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

  /// Returns whether a name has the form `.NAME.PROCESS-NUMBER.draft`.
  static func isDraft(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.first == "", name.hasSuffix(ending) else { return false }
    let numbers = parts[parts.count - 2].split(separator: "-", omittingEmptySubsequences: false)
    return numbers.count == 2 && numbers.allSatisfy { UInt32($0) != nil }
  }
}
