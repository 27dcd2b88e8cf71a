import Explorer
import Notebooks
import Stores
import TerminalUI

/// The themes of the user's own folder and those that come with the program, each a file of its name;
/// read when they are asked for. Of two with one name the user's is taken.
struct Themes {
  static let standard = "sonde-dark"
  /// For terminals that say that their background is light.
  static let light = "sonde-light"
  private static let ending = ".toml"

  /// In alphabetic order.
  let names: [String]
  /// The files of each name, the one that is taken first.
  private let paths: [String: [String]]
  /// The names of those that the user has.
  private let own: Set<String>

  /// - Parameter folders: Where the user's own are; nil for none.
  init(folders: Folders? = Folders()) {
    var paths: [String: [String]] = [:]
    let own = folders.map { Self.folder(in: $0) }
    for folder in [own, ResourceFinder.folder("themes")] {
      // A folder that cannot be listed has no themes to offer; the built-in one remains.
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

  /// Where a person's own lie.
  static func folder(in folders: Folders) -> String { folders.config + "/themes" }

  /// The theme for a dark screen and the one for a light one; often the same.
  struct Pair {
    let dark: String
    let light: String

    /// The standard one where nobody asks for another.
    static let standard = Pair(dark: Themes.standard, light: Themes.light)

    /// The name where the background makes no difference.
    var name: String? { dark == light ? dark : nil }

    func name(on appearance: Theme.Appearance?) -> String { appearance == .light ? light : dark }
  }

  /// The themes that a name means: `sonde` is sonde-dark on a dark screen and sonde-light on a light one.
  ///
  /// - Throws: When there is no such theme, with the names that there are.
  func pair(_ name: String) throws(Failure) -> Pair {
    if names.contains(name) || name == Self.standard { return Pair(dark: name, light: name) }
    let pair = Pair(dark: name + "-dark", light: name + "-light")
    if names.contains(pair.dark), names.contains(pair.light) { return pair }
    throw unknown(name)
  }

  /// The theme of that name.
  ///
  /// A file that is broken is a warning and the built-in theme; the program still starts.
  /// - Throws: When there is no such theme, with the names that there are.
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

  /// What is wrong with the files, a sentence each.
  var warnings: [String] {
    // All names are known, so none is refused.
    names.compactMap { try? theme($0).warning }
  }

  /// All of them, each as its file is now.
  var listings: [ThemeListing] {
    names.map { name in
      ThemeListing(name: name, isOwn: own.contains(name), reading: reading(of: name))
    }
  }

  private func reading(of name: String) -> ThemeChoice.Reading {
    do throws(ThemeError) {
      if let theme = try read(name) { return .theme(theme) }
      return .broken("\(Folders.inShort(paths[name]?.first ?? name)) cannot be read.")
    } catch {
      return .broken(Folders.inShort(error.message))
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

  private func unknown(_ name: String) -> Failure {
    let known = names.isEmpty ? "none was found" : names.joined(separator: ", ")
    let hint = NearestWord.find(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return Failure(
      message: "There is no theme '\(name)'.\(hint) Themes: \(known).",
      status: ExitStatus.usage)
  }

  /// Nil when the file cannot be read.
  private func read(_ name: String) throws(ThemeError) -> Theme? {
    guard let file = file(name, but: []) else { return nil }
    // A theme is asked for by the name of its file, whatever it calls itself.
    return try Theme(toml: file.toml, file: file.path, inheriting: file(_:but:)).named(name)
  }

  /// The file of that name other than those; a theme of one's own may inherit from the bundled one
  /// that it is called after.
  private func file(_ name: String, but others: [String]) -> Theme.File? {
    guard let path = paths[name]?.first(where: { !others.contains($0) }),
      let bytes = try? Files.bytes(of: path, limit: TOMLTable.maxBytes + 1)
    else { return nil }
    return Theme.File(path: path, toml: String(decoding: bytes, as: UTF8.self))
  }
}
