import Notebooks
import Stores
import TerminalUI

/// The user's settings file and its contents.
struct SettingsFile {
  /// The path of the file; nil if the home folder is unknown.
  let path: String?
  let settings: Settings
  /// The first error in the file; nil if the file is valid. The error does not prevent the start.
  let warning: String?

  /// Reads `config.toml` in the configuration folder. A missing file counts as empty.
  init(folders: Folders? = Folders()) {
    path = folders.map { $0.config + "/config.toml" }
    guard let path, Files.kind(of: path) != nil else {
      (settings, warning) = (Settings(), nil)
      return
    }
    guard Files.kind(of: path) != .other else {
      (settings, warning) = (Settings(), "\(path) is not a file and is ignored.")
      return
    }
    do throws(SystemError) {
      let text = String(
        decoding: try Files.bytes(of: path, limit: TOMLTable.maxBytes + 1), as: UTF8.self)
      let (read, fault) = Settings.read(text, file: path)
      (settings, warning) = (read, fault?.message)
    } catch {
      settings = Settings()
      warning = "\(path) cannot be read: \(error.reason)."
    }
  }
}
