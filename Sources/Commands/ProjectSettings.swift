import Explorer
import Notebooks
import Stores
import TerminalUI

/// The settings file of a project: `.sonde.toml` in the folder of the data.
///
/// Its commands run only after the user allowed this version of the file.
struct ProjectSettings {
  static let fileName = ".sonde.toml"

  static func path(in folder: String) -> String {
    (folder == "/" ? "" : folder) + "/" + fileName
  }

  private(set) var file: ProjectFile
  let settings: Settings
  /// The errors in the file; empty if the file is valid. The file's valid settings still apply.
  let warnings: [String]

  /// Reads the file in the folder of a store; nil if there is none.
  ///
  /// - Parameters:
  ///   - folder: The folder of the data; nil for a store without a folder.
  ///   - user: The user's settings, whose keys the commands may not use.
  init?(folder: String?, user: Settings) {
    self.init(untrusted: folder, user: user)
    guard !settings.commands.isEmpty else { return }
    let trusted = TrustedFile(path: file.path, text: file.text)
    trust((try? waiting { () async throws(Failure) in await Self.isTrusted(trusted) }) ?? false)
  }

  /// Reads the file like `init(folder:user:)`, without blocking the calling thread.
  static func read(folder: String?, user: Settings) async -> ProjectSettings? {
    guard var project = ProjectSettings(untrusted: folder, user: user) else { return nil }
    guard !project.settings.commands.isEmpty else { return project }
    let trusted = TrustedFile(path: project.file.path, text: project.file.text)
    project.trust(await isTrusted(trusted))
    return project
  }

  /// Reads the file without finding out whether its commands are allowed.
  private init?(untrusted folder: String?, user: Settings) {
    guard let folder else { return nil }
    let path = Self.path(in: folder)
    guard let kind = Files.kind(of: path) else { return nil }
    var (text, settings, warnings) = ([UInt8](), Settings(), [String]())
    do throws(SystemError) {
      text = kind == .file ? try Files.bytes(of: path, limit: TOMLTable.maxBytes + 1) : []
      let (read, faults) = Settings.read(
        String(decoding: text, as: UTF8.self), file: path, project: folder, keys: user.keys)
      (settings, warnings) = (read, faults.map(\.message))
    } catch {
      warnings = ["\(path) cannot be read: \(error.reason)."]
    }
    if kind != .file { warnings = ["\(path) is not a file and is ignored."] }
    file = ProjectFile(path: path, text: String(decoding: text, as: UTF8.self))
    self.settings = settings
    self.warnings = warnings
  }

  /// Returns whether the user allowed the commands of a file.
  private static func isTrusted(_ file: TrustedFile) async -> Bool {
    guard let folders = Folders() else { return false }
    return await NotebookFile(path: folders.state + "/notebook").trusts(file)
  }

  private mutating func trust(_ isTrusted: Bool) {
    file = ProjectFile(path: file.path, text: file.text, isTrusted: isTrusted)
  }

  /// The notice about commands that are not allowed yet; nil for none.
  var notice: Notice? {
    let count = settings.commands.count
    return count == 0 || file.isTrusted ? nil : .projectCommands(count, in: Self.fileName)
  }
}

extension Settings {
  /// The names of the settings that a project's file may contain. Others are allowed only in the
  /// user's file.
  static let projectNames = ["theme", "label", "queries", "columns", "command"]

  /// Returns these settings combined with a project's settings, which take precedence.
  func overridden(by project: ProjectSettings?) -> Settings {
    guard let project else { return self }
    var all = self
    all.projectTheme = project.settings.theme
    all.label = project.settings.label
    all.queries = project.settings.queries
    all.columns = project.settings.columns
    all.project = project.file
    let theirs = project.settings.commands
    all.commands =
      theirs
      + commands.map { command in
        var command = command
        if theirs.contains(where: { $0.key == command.key && $0.scope.overlaps(command.scope) }) {
          command.key = nil
        }
        return command
      }
    return all
  }

  /// The commands of the user and of the project.
  var customCommands: CustomCommands { CustomCommands(commands, project: project) }

  /// The saved queries and columns of the project.
  var projectDefaults: ProjectDefaults {
    ProjectDefaults(file: ProjectSettings.fileName, queries: queries, columns: columns)
  }
}

extension StoreLocation {
  /// The folder of the data, which may contain a project's settings file; nil for a store without
  /// files.
  var projectFolder: String? {
    switch self {
    case .demo, .standardInput, .postgres, .server, .unsupported: return nil
    case .folder(let path), .storeFile(let path), .tripleDump(let path), .backup(let path),
      .database(let path):
      let resolved = Files.resolved(path)
      if case .folder = self, Files.kind(of: resolved) == .folder { return resolved }
      return resolved.hasPrefix("/") ? Files.folder(of: resolved) : nil
    }
  }
}
