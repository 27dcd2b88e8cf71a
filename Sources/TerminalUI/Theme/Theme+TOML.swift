/// Reads theme files:
///
///     name = "midnight"
///     inherits = "nord"       # the base for everything not set here
///     appearance = "dark"
///     [palette]
///     sky = "#7dcfff"
///     [roles]
///     title = { fg = "sky", bold = true }
///     dim = "#8a8f98"
extension Theme {
  /// The text of a theme file, and its name in error messages.
  package struct File: Sendable, Equatable {
    package let path: String
    package let toml: String

    package init(path: String, toml: String) {
      self.path = path
      self.toml = toml
    }
  }

  /// Parses a theme.
  ///
  /// A theme that inherits from another theme adopts the palette and the roles that it does not
  /// define itself. If it overrides a palette color, inherited roles that use the color change,
  /// too.
  ///
  /// - Parameters:
  ///   - file: The name of the file in error messages.
  ///   - find: Returns the file of the named theme, ignoring the files at the given paths. Nil if
  ///     there is no other file for the theme.
  /// - Throws: `ThemeError` with the first error of the file or of an inherited one.
  package init(
    toml text: String, file: String,
    inheriting find: (_ name: String, _ but: [String]) -> File? = { _, _ in nil }
  ) throws(ThemeError) {
    var sheets = [try ThemeSheet(File(path: file, toml: text))]
    while let name = try sheets[0].base {
      guard let next = find(name, sheets.map(\.file)) else {
        throw sheets[0].error(.noBase(name), "inherits", in: "")
      }
      sheets.insert(try ThemeSheet(next), at: 0)
    }
    var (name, appearance) = (file, Appearance.dark)
    var palette: [String: Color] = [:]
    for sheet in sheets {
      palette.merge(try sheet.palette()) { $1 }
      name = try sheet.name ?? name
      appearance = try sheet.appearance ?? appearance
      try sheet.checkKeys()
    }
    var styles: [Role: Style] = [:]
    for sheet in sheets { styles.merge(try sheet.roles(palette)) { $1 } }
    self = Theme(name: name, appearance: appearance, styles: styles)
  }
}

/// A single theme file, without the theme from which it inherits.
private struct ThemeSheet {
  private let table: TOMLTable
  let file: String

  init(_ file: Theme.File) throws(ThemeError) {
    do throws(TOMLError) {
      table = try TOMLTable(toml: file.toml)
    } catch {
      throw ThemeError(file: file.path, line: error.line, reason: .syntax(error.reason))
    }
    self.file = file.path
  }

  var name: String? { get throws(ThemeError) { try word("name") } }
  /// The name of the theme that this theme inherits from; nil if it inherits from no theme.
  var base: String? { get throws(ThemeError) { try word("inherits") } }

  var appearance: Theme.Appearance? {
    get throws(ThemeError) {
      guard let word = try word("appearance") else { return nil }
      guard let known = Theme.Appearance(rawValue: word) else {
        throw error(.unknownAppearance(word), "appearance", in: "")
      }
      return known
    }
  }

  private static let keys = ["name", "inherits", "appearance", "palette", "roles"]

  func checkKeys() throws(ThemeError) {
    for key in table.keys where !Self.keys.contains(key) {
      let nearest = NearestWord.find(key, among: Self.keys)
      throw error(.unknownKey(key, nearest: nearest), key, in: "")
    }
  }

  private func word(_ key: String) throws(ThemeError) -> String? {
    guard let value = table[key] else { return nil }
    return try text(value, key, in: "")
  }

  func palette() throws(ThemeError) -> [String: Color] {
    guard let value = table["palette"] else { return [:] }
    guard let table = value.table else {
      throw error(.wrongType("palette", expected: "a TOML table of colors"), "palette", in: "")
    }
    var palette: [String: Color] = [:]
    for key in table.keys {
      guard let value = table[key] else { continue }
      let word = try text(value, key, in: "palette")
      palette[key] = try color(word, [:], key, "palette")
    }
    return palette
  }

  func roles(_ palette: [String: Color]) throws(ThemeError) -> [Role: Style] {
    guard let value = table["roles"] else { return [:] }
    guard let table = value.table else {
      throw error(.wrongType("roles", expected: "a TOML table of roles"), "roles", in: "")
    }
    var styles: [Role: Style] = [:]
    for key in table.keys {
      guard let value = table[key] else { continue }
      guard let role = Role(named: key) else {
        let nearest = NearestWord.find(key, among: Role.allCases.map(\.name))
        throw error(.unknownRole(key, nearest: nearest), key, in: "roles")
      }
      styles[role] = try style(value, key, palette)
    }
    return styles
  }

  private func style(
    _ value: TOMLValue, _ role: String, _ palette: [String: Color]
  ) throws(ThemeError) -> Style {
    if let word = value.text {
      return Style(foreground: try color(word, palette, role, "roles"))
    }
    guard let table = value.table else {
      throw error(
        .wrongType(role, expected: "a color or a TOML table such as { fg = \"#rrggbb\" }"), role)
    }
    var style = Style()
    for key in table.keys {
      guard let value = table[key] else { continue }
      if key == "fg" || key == "bg" {
        guard let word = value.text else {
          throw error(.wrongType("\(role).\(key)", expected: "a color in quotes"), role)
        }
        let color = try color(word, palette, role, "roles")
        if key == "fg" { style.foreground = color } else { style.background = color }
      } else if let known = Attributes.names.first(where: { $0.name == key }) {
        guard let isOn = value.boolean else {
          throw error(.wrongType("\(role).\(key)", expected: "true or false"), role)
        }
        if isOn { style.attributes.insert(known.attribute) }
      } else {
        let nearest = NearestWord.find(key, among: ["fg", "bg"] + Attributes.names.map(\.name))
        throw error(.unknownProperty(key, nearest: nearest), role)
      }
    }
    return style
  }

  private func color(
    _ word: String, _ palette: [String: Color], _ key: String, _ section: String
  ) throws(ThemeError) -> Color {
    if let color = palette[word] ?? Color(word) { return color }
    let nearest = NearestWord.find(word, among: Array(palette.keys).sorted() + Color.ansiNames)
    throw error(.unknownColor(word, nearest: nearest), key, in: section)
  }

  private func text(
    _ value: TOMLValue, _ key: String, in section: String
  ) throws(ThemeError) -> String {
    guard let text = value.text else {
      throw error(.wrongType(key, expected: "a string in quotes"), key, in: section)
    }
    return text
  }

  func error(
    _ reason: ThemeError.Reason, _ key: String, in section: String = "roles"
  ) -> ThemeError {
    ThemeError(
      file: file, line: table.line(of: (section.isEmpty ? [] : [section]) + [key]), reason: reason)
  }
}
