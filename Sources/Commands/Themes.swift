import Explorer
import Notebooks
import Stores
import TerminalUI

/// The user's themes and the bundled ones, read from files on demand. The user's themes take
/// precedence.
struct Themes {
  static let standard = "sonde-dark"
  /// The default theme for terminals with a light background.
  static let light = "sonde-light"
  private static let ending = ".toml"

  /// The names of all themes in alphabetical order.
  let names: [String]
  /// The files of each name, in order of precedence.
  private let paths: [String: [String]]
  /// The names of the user's themes.
  private let own: Set<String>

  /// Lists the themes.
  ///
  /// - Parameter folders: The user's folders; nil for none.
  init(folders: Folders? = Folders()) {
    var paths: [String: [String]] = [:]
    let own = folders.map { Self.folder(in: $0) }
    for folder in [own, ResourceFinder.folder("themes")] {
      // If a folder cannot be listed, its themes are missing; the built-in one remains.
      let files = folder.flatMap { try? Files.files(in: $0) } ?? []
      for file in files where file.hasSuffix(Self.ending) {
        paths[String(Files.name(of: file).dropLast(Self.ending.count)), default: []].append(file)
      }
    }
    self.paths = paths
    self.own = Set(
      paths.filter { _, files in own.map { files[0].hasPrefix($0 + "/") } ?? false }.keys)
    names = paths.keys.sorted()
  }

  /// The folder of the user's themes.
  static func folder(in folders: Folders) -> String { folders.config + "/themes" }

  /// The themes for a dark and for a light screen, often the same.
  struct Pair {
    let dark: String
    let light: String

    /// The default themes.
    static let standard = Pair(dark: Themes.standard, light: Themes.light)

    /// The name of the theme if both are the same; nil otherwise.
    var name: String? { dark == light ? dark : nil }

    func name(on appearance: Theme.Appearance?) -> String { appearance == .light ? light : dark }
  }

  /// The themes of a name: `sonde` is sonde-dark on a dark screen and sonde-light on a light one.
  ///
  /// - Throws: A failure that lists the existing themes if there is no such theme.
  func pair(_ name: String) throws(Failure) -> Pair {
    if names.contains(name) || name == Self.standard { return Pair(dark: name, light: name) }
    let pair = Pair(dark: name + "-dark", light: name + "-light")
    if names.contains(pair.dark), names.contains(pair.light) { return pair }
    throw unknown(name)
  }

  /// The theme of a name.
  ///
  /// An invalid file yields a warning and the built-in theme, so that the program starts.
  ///
  /// - Throws: A failure that lists the existing themes if there is no such theme.
  func theme(_ name: String) throws(Failure) -> (theme: Theme, warning: String?) {
    guard names.contains(name) else {
      if name == Self.standard { return (Theme.plain.named(name), nil) }
      throw unknown(name)
    }
    do throws(ThemeError) {
      if let theme = try read(name) { return (theme, nil) }
      return (Theme.plain.named(name), "The theme \(paths[name]?.first ?? name) cannot be read.")
    } catch {
      return (Theme.plain.named(name), error.message)
    }
  }

  /// The errors of invalid files, a sentence each.
  var warnings: [String] {
    // These names exist, so only invalid files can fail.
    names.compactMap { try? theme($0).warning }
  }

  /// All themes, read from their files.
  var listings: [ThemeListing] {
    names.map { name in
      ThemeListing(name: name, isOwn: own.contains(name), reading: reading(of: name))
    }
  }

  private func reading(of name: String) -> ThemeReading {
    do throws(ThemeError) {
      if let theme = try read(name) { return .theme(theme) }
      return .broken("\(Folders.inShort(paths[name]?.first ?? name)) cannot be read.")
    } catch {
      return .broken(Folders.inShort(error.message))
    }
  }

  /// The theme after the one of this name, skipping invalid files.
  func theme(after name: String) -> Theme? {
    guard let index = names.firstIndex(of: name) else { return nil }
    for step in 1...names.count {
      // Invalid themes are skipped, since nothing may be printed while the screen is open.
      if let theme = try? read(names[(index + step) % names.count]) { return theme }
    }
    return nil
  }

  private func unknown(_ name: String) -> Failure {
    let known = names.isEmpty ? "none found" : names.joined(separator: ", ")
    let hint = NearestWord.find(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return Failure.unknownTheme(name, hint: hint, known: known)
  }

  /// Reads the theme of a name; nil if its file cannot be read.
  private func read(_ name: String) throws(ThemeError) -> Theme? {
    guard let file = file(name, but: []) else { return nil }
    // The name of the file counts, not the name inside.
    return try Theme(toml: file.toml, file: file.path, inheriting: file(_:but:)).named(name)
  }

  /// Another file of the same name, since a user's theme may inherit from the bundled theme of its
  /// name.
  private func file(_ name: String, but others: [String]) -> Theme.File? {
    guard let path = paths[name]?.first(where: { !others.contains($0) }),
      let bytes = try? Files.bytes(of: path, limit: TOMLTable.maxBytes + 1)
    else { return nil }
    return Theme.File(path: path, toml: String(decoding: bytes, as: UTF8.self))
  }
}
