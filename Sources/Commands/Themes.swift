import Explorer
import Notebooks
import Stores
import TerminalUI

/// The user's and the bundled themes, read from files on demand. If both have a theme of the same
/// name, the user's theme is used.
struct Themes {
  static let standard = "sonde-dark"
  /// The default theme for terminals with a light background.
  static let light = "sonde-light"
  private static let ending = ".toml"

  /// The names of all themes in alphabetical order.
  let names: [String]
  /// The files of the themes, by name. The user's file precedes the bundled file.
  private let paths: [String: [String]]
  /// The names of the themes in the folder of the user.
  private let own: Set<String>

  /// Lists the themes.
  ///
  /// - Parameter folders: The user's folders; nil if there are none.
  init(folders: Folders? = Folders()) {
    var paths: [String: [String]] = [:]
    let own = folders.map { Self.folder(in: $0) }
    for folder in [own, ResourceFinder.folder("themes")] {
      // The themes in a folder that cannot be listed are missing. The built-in theme is always
      // there.
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

  /// Returns the folder of the user's themes.
  static func folder(in folders: Folders) -> String { folders.config + "/themes" }

  /// The themes for a dark and for a light screen, which are often the same theme.
  struct Pair {
    let dark: String
    let light: String

    /// The default themes.
    static let standard = Pair(dark: Themes.standard, light: Themes.light)

    /// The name of the theme if both are the same; nil if they differ.
    var name: String? { dark == light ? dark : nil }

    func name(on appearance: Theme.Appearance?) -> String { appearance == .light ? light : dark }
  }

  /// Returns the themes for a name. For example, `sonde` is sonde-dark on a dark screen and
  /// sonde-light on a light screen.
  ///
  /// - Throws: A failure that lists the existing themes if there is no such theme.
  func pair(_ name: String) throws(Failure) -> Pair {
    if names.contains(name) || name == Self.standard { return Pair(dark: name, light: name) }
    let pair = Pair(dark: name + "-dark", light: name + "-light")
    if names.contains(pair.dark), names.contains(pair.light) { return pair }
    throw unknown(name)
  }

  /// Returns the theme with the given name.
  ///
  /// If the file is invalid, returns the built-in theme and a warning, so that the program can
  /// start.
  ///
  /// - Throws: A failure that lists the existing themes if there is no such theme.
  func theme(_ name: String) throws(Failure) -> (theme: Theme, warning: String?) {
    guard names.contains(name) else {
      if name == Self.standard { return (Theme.plain.named(name), nil) }
      throw unknown(name)
    }
    do throws(ThemeError) {
      if let theme = try read(name) { return (theme, nil) }
      return (
        Theme.plain.named(name), "The theme file \(paths[name]?.first ?? name) cannot be read."
      )
    } catch {
      return (Theme.plain.named(name), error.message)
    }
  }

  /// The errors of invalid theme files, each as a sentence.
  var warnings: [String] {
    // A theme with each of these names exists, so reading it can only fail if its file is invalid.
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

  private func unknown(_ name: String) -> Failure {
    let known = names.isEmpty ? "none found" : names.joined(separator: ", ")
    let hint = NearestWord.find(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return Failure.unknownTheme(name, hint: hint, known: known)
  }

  /// Reads the theme with the given name; nil if its file cannot be read.
  private func read(_ name: String) throws(ThemeError) -> Theme? {
    guard let file = file(name, but: []) else { return nil }
    // The theme has the name of its file, not the name within the file.
    return try Theme(toml: file.toml, file: file.path, inheriting: file(_:but:)).named(name)
  }

  /// Returns a file of this theme that is not one of `others`. A user's theme may inherit from the
  /// bundled theme of the same name.
  private func file(_ name: String, but others: [String]) -> Theme.File? {
    guard let path = paths[name]?.first(where: { !others.contains($0) }),
      let bytes = try? Files.bytes(of: path, limit: TOMLTable.maxBytes + 1)
    else { return nil }
    return Theme.File(path: path, toml: String(decoding: bytes, as: UTF8.self))
  }
}
