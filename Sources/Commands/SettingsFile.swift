import Notebooks
import Stores
import TerminalUI

/// Where a person's settings lie, and what they say.
struct SettingsFile {
  /// Nil when the system knows no home.
  let path: String?
  let settings: Settings
  /// What is wrong with the file, as a sentence; the program starts all the same.
  let warning: String?

  /// Reads `config.toml` in the folder for settings; a file that is not there says nothing.
  init(folders: Folders? = Folders()) {
    path = folders.map { $0.config + "/config.toml" }
    guard let path, Files.kind(of: path) != nil else {
      (settings, warning) = (Settings(), nil)
      return
    }
    guard Files.kind(of: path) != .other else {
      (settings, warning) = (Settings(), "\(path) is no file: nothing of it is used.")
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
