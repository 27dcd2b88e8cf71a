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

  /// Returns the path itself if no file has it, or else one with a number, such as `a-2.csv`.
  @concurrent
  static func free(_ path: String) async -> String {
    let name = Files.name(of: path)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let start = path.dropLast(name.count) + name[..<dot]
    let numbered = (2...maxNumber).lazy.map { "\(start)-\($0)\(name[dot...])" }
    func isFree(_ path: String) -> Bool { Files.kind(of: FileExporter.absolute(path)) == nil }
    return isFree(path) ? path : numbered.first(where: isFree) ?? path
  }

  /// The largest number that is added to a name.
  private static let maxNumber = 1_000
  /// The maximum number of names to read in a folder.
  private static let maxNames = 10_000
}
