import Stores

/// Puts a new file or folder in the place of an old one in one step: the old one stays until the new one
/// is complete.
struct Replacement {
  let path: String

  init(_ path: String) { self.path = path }

  /// Makes the new one under another name and gives it the old one's.
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

  /// Whether what stands at the path may be replaced: a file, or a folder that holds an export and
  /// nothing else.
  static func isReplaceable(_ path: String) -> Bool {
    switch Files.kind(of: path) {
    case .file: return true
    case .other, nil: return false
    case .folder:
      // What cannot be listed is nothing that an export wrote.
      guard let names = try? Files.names(in: path) else { return false }
      return names.contains("schema.json")
        && names.allSatisfy {
          !$0.hasPrefix(".") && [".json", ".jsonl", ".csv"].contains(where: $0.hasSuffix)
            && Files.kind(of: path + "/" + $0) == .file
        }
    }
  }
}
