import Notebooks
import Stores
import TerminalUI

/// The user's settings file and its contents.
struct SettingsFile {
  /// The path of the file; nil if the home folder is unknown.
  let path: String?
  let settings: Settings
  /// The errors in the file; empty if the file is valid. They do not prevent the start.
  let warnings: [String]

  static func path(in folders: Folders) -> String { folders.config + "/config.toml" }

  /// Reads `config.toml` in the configuration folder. A missing file counts as empty.
  init(folders: Folders? = Folders()) {
    path = folders.map(Self.path)
    guard let path, Files.kind(of: path) != nil else {
      (settings, warnings) = (Settings(), [])
      return
    }
    guard Files.kind(of: path) != .other else {
      (settings, warnings) = (Settings(), ["\(path) is not a file and is ignored."])
      return
    }
    do throws(SystemError) {
      let text = String(
        decoding: try Files.bytes(of: path, limit: TOMLTable.maxBytes + 1), as: UTF8.self)
      let (read, faults) = Settings.read(text, file: path)
      (settings, warnings) = (read, faults.map(\.message))
    } catch {
      settings = Settings()
      warnings = ["\(path) cannot be read: \(error.reason)."]
    }
  }
}
