#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Files {
  /// Removes what programs that were killed left in the folder of `path`: drafts by the name that
  /// ``draft(beside:)`` gives, of processes that are no more.
  ///
  /// Nothing else is touched, nothing of another user's, and nothing behind a link. What cannot be listed or removed stays: it is in nobody's way.
  package static func sweepDrafts(beside path: String) {
    let folder = folder(of: path)
    // A folder that cannot be listed is told of by whoever writes into it.
    for name in (try? names(in: folder)) ?? [] {
      guard let owner = ownerOfDraft(name), kill(owner, 0) != 0, errno == ESRCH else { continue }
      let draft = folder + "/" + name
      var status = stat()
      guard lstat(draft, &status) == 0, status.st_uid == geteuid(),
        [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
      else { continue }
      removeTree(draft)
    }
  }

  /// The process in the name `.NAME.PROCESS-NUMBER.draft`; nil of any other name.
  private static func ownerOfDraft(_ name: String) -> pid_t? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.first == "", parts.last == "draft" else { return nil }
    let numbers = parts[parts.count - 2].split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, UInt32(numbers[1]) != nil, let owner = pid_t(numbers[0]), owner > 0
    else { return nil }
    return owner
  }
}
