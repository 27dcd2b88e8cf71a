import Stores
import TerminalUI

/// The themes that lie in the themes folder, each a file of its name; read when they are asked for.
struct Themes {
  static let standard = "sonde-dark"
  /// For terminals that say that their background is light.
  static let light = "sonde-light"
  private static let ending = ".toml"

  private let folder: String?
  /// In alphabetic order.
  let names: [String]

  init() {
    folder = ResourceFinder.folder("themes")
    // A folder that cannot be listed has no themes to offer; the built-in one remains.
    let files = folder.flatMap { try? Files.files(in: $0) } ?? []
    names = files.filter { $0.hasSuffix(Self.ending) }
      .map { String(Files.name(of: $0).dropLast(Self.ending.count)) }
  }

  /// The theme of that name.
  ///
  /// A file that is broken is a warning and the built-in theme; the program still starts.
  /// - Throws: When there is no such theme, with the names that there are.
  func theme(_ name: String) throws(Failure) -> Theme {
    guard names.contains(name) else {
      if name == Self.standard { return .plain }
      let known = names.isEmpty ? "none was found" : names.joined(separator: ", ")
      throw Failure(
        message: "There is no theme '\(name)'. Themes: \(known).", status: ExitStatus.usage)
    }
    do throws(ThemeError) {
      return try read(name) ?? .plain
    } catch {
      StandardError.write("sonde: " + error.message)
      return .plain
    }
  }

  /// The theme after the one of that name; broken ones are passed over.
  func theme(after name: String) -> Theme? {
    guard let index = names.firstIndex(of: name) else { return nil }
    for step in 1...names.count {
      // A broken theme cannot be shown, and while the screen is open nothing may be printed.
      if let theme = try? read(names[(index + step) % names.count]) { return theme }
    }
    return nil
  }

  /// Nil when the file cannot be read.
  private func read(_ name: String) throws(ThemeError) -> Theme? {
    guard let folder else { return nil }
    let path = folder + "/" + name + Self.ending
    guard let bytes = try? Files.bytes(of: path) else { return nil }
    return try Theme(toml: String(decoding: bytes, as: UTF8.self), file: path)
  }
}
