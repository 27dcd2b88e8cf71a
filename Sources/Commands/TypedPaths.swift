import Notebooks
import Stores

/// Paths as users type them: absolute, relative to the current folder, or from `~`.
enum TypedPaths {
  /// The path of the current folder, with `~` for the home folder.
  static var currentFolder: String {
    let folder = Files.resolved(".")
    guard let home = Folders.variable("HOME"), folder == home || folder.hasPrefix(home + "/") else {
      return folder
    }
    return "~" + folder.dropFirst(home.count)
  }

  /// Returns the files and folders whose path begins with a typed text, in alphabetical order. The
  /// paths of folders end with a slash. Hidden ones need a typed dot.
  @concurrent
  static func completions(of typed: String) async -> [String] {
    if typed == "~" { return ["~/"] }
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let start = typed.dropFirst(folder.count)
    let place = FileExporter.absolute(folder.isEmpty ? "." : folder)
    let names = (try? Files.names(in: place, limit: maxNames)) ?? []
    return names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }
      .map { folder + $0 + (Files.kind(of: place + "/" + $0) == .folder ? "/" : "") }
  }

  /// The maximum number of names to read in a folder.
  private static let maxNames = 10_000
}
