import Stores

/// Replaces a file or folder atomically. The old content stays until the new content is complete.
struct AtomicReplacement {
  let path: String

  init(_ path: String) { self.path = path }

  /// Lets `body` write the new file under a temporary name, then renames it.
  func make(
    _ body: (_ draft: String) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let draft: Draft
    do throws(SystemError) {
      draft = try Draft(for: path)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
    try await body(draft.path)
    try draft.replaceStore()
  }

  /// Returns whether the path may be replaced. It must be a file, or a folder that only contains an
  /// export.
  static func isReplaceable(_ path: String) -> Bool {
    switch Files.kind(of: path) {
    case .file: return true
    case .other, nil: return false
    case .folder:
      // A folder that cannot be listed does not count as an export.
      guard let names = try? Files.names(in: path) else { return false }
      return names.contains("schema.json")
        && names.allSatisfy {
          !$0.hasPrefix(".") && [".json", ".jsonl", ".csv"].contains(where: $0.hasSuffix)
            && Files.kind(of: path + "/" + $0) == .file
        }
    }
  }
}
