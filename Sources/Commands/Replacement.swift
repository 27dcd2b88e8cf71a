import Stores

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Puts a new file or folder in the place of an old one, which stays until the new one is whole.
struct Replacement {
  let path: String
  private let draft: String
  private let old: String

  init(_ path: String) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = path
    draft = path + ".new-\(getpid())"
    old = path + ".old-\(getpid())"
  }

  /// Makes the new one under another name and gives it the old one's.
  func make(
    _ body: (_ draft: String) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await body(draft)
    defer { Files.removeTree(draft) }
    guard rename(path, old) == 0 else { throw refusal }
    move(Files.logs(of: path), Files.logs(of: old))
    guard rename(draft, path) == 0 else {
      let refusal = refusal
      rename(old, path)
      move(Files.logs(of: old), Files.logs(of: path))
      throw refusal
    }
    Files.removeTree(old)
    for log in Files.logs(of: old) { unlink(log) }
  }

  /// The logs of a store that was killed belong to it: the new one would be changed by them.
  private func move(_ logs: [String], _ places: [String]) {
    // Most stores have none.
    for (log, place) in zip(logs, places) { rename(log, place) }
  }

  private var refusal: StoreError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }

  /// Whether what stands at the path may be replaced: a file, or a folder that holds an export and
  /// nothing else.
  static func isReplaceable(_ path: String) -> Bool {
    switch Files.kind(of: path) {
    case .file: return true
    case .other, nil: return false
    case .folder:
      // What cannot be listed is nothing that we wrote.
      guard let names = try? Files.names(in: path) else { return false }
      return names.contains("schema.json")
        && names.allSatisfy {
          !$0.hasPrefix(".") && ($0.hasSuffix(".json") || $0.hasSuffix(".csv"))
            && Files.kind(of: path + "/" + $0) == .file
        }
    }
  }
}
