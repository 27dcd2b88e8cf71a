private import TOMLKit

/// The file format of themes:
///
///     name = "midnight"
///     appearance = "dark"
///     [palette]
///     sky = "#7dcfff"
///     [roles]
///     title = { fg = "sky", bold = true }
///     dim = "#8a8f98"
extension Theme {
  /// Reads a theme.
  ///
  /// - Parameter file: the name that errors speak of.
  /// - Throws: `ThemeError` with the first fault of the file.
  package init(toml text: String, file: String) throws(ThemeError) {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ThemeError(
        file: file, line: error.source.begin.line, reason: .syntax(error.description))
    } catch {
      throw ThemeError(file: file, line: 1, reason: .syntax("\(error)"))
    }
    let reader = ThemeReader(lines: TOMLLines(text), file: file)
    self = try reader.theme(table)
  }
}

private struct ThemeReader {
  let lines: TOMLLines
  let file: String

  func theme(_ table: TOMLTable) throws(ThemeError) -> Theme {
    var name = file
    var appearance = Theme.Appearance.dark
    var palette: [String: Color] = [:]
    var styles: [Role: Style] = [:]
    // [palette] first, as [roles] speaks of it.
    if let value = table["palette"] { palette = try self.palette(value) }
    for key in table.keys {
      guard let value = table[key] else { continue }
      switch key {
      case "name": name = try text(value, key, in: "")
      case "appearance":
        let word = try text(value, key, in: "")
        guard let known = Theme.Appearance(rawValue: word) else {
          throw error(.unknownAppearance(word), key, in: "")
        }
        appearance = known
      case "palette": break
      case "roles": styles = try roles(value, palette)
      default:
        let nearest = NearestWord.find(key, among: ["name", "appearance", "palette", "roles"])
        throw error(.unknownKey(key, nearest: nearest), key, in: "")
      }
    }
    return Theme(name: name, appearance: appearance, styles: styles)
  }

  private func palette(_ value: any TOMLValueConvertible) throws(ThemeError) -> [String: Color] {
    guard let table = value.table else {
      throw error(.wrongType("palette", expected: "a table of colours"), "palette", in: "")
    }
    var palette: [String: Color] = [:]
    for key in inOrder(table, "palette") {
      guard let value = table[key] else { continue }
      let word = try text(value, key, in: "palette")
      palette[key] = try color(word, [:], key, "palette")
    }
    return palette
  }

  private func roles(
    _ value: any TOMLValueConvertible, _ palette: [String: Color]
  ) throws(ThemeError) -> [Role: Style] {
    guard let table = value.table else {
      throw error(.wrongType("roles", expected: "a table of roles"), "roles", in: "")
    }
    var styles: [Role: Style] = [:]
    for key in inOrder(table, "roles") {
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
    _ value: any TOMLValueConvertible, _ role: String, _ palette: [String: Color]
  ) throws(ThemeError) -> Style {
    if let word = value.string {
      return Style(foreground: try color(word, palette, role, "roles"))
    }
    guard let table = value.table else {
      throw error(
        .wrongType(role, expected: "a colour or a table such as { fg = \"#rrggbb\" }"), role)
    }
    var style = Style()
    for key in table.keys {
      guard let value = table[key] else { continue }
      if key == "fg" || key == "bg" {
        guard let word = value.string else {
          throw error(.wrongType("\(role).\(key)", expected: "a colour in quotes"), role)
        }
        let color = try color(word, palette, role, "roles")
        if key == "fg" { style.foreground = color } else { style.background = color }
      } else if let known = Attributes.names.first(where: { $0.name == key }) {
        guard let isOn = value.bool else {
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
    _ value: any TOMLValueConvertible, _ key: String, in section: String
  ) throws(ThemeError) -> String {
    guard let text = value.string else {
      throw error(.wrongType(key, expected: "text in quotes"), key, in: section)
    }
    return text
  }

  /// The keys as the file has them, so that the first fault is the one that is told.
  private func inOrder(_ table: TOMLTable, _ section: String) -> [String] {
    table.keys.sorted { lines.line(of: $0, in: section) < lines.line(of: $1, in: section) }
  }

  private func error(
    _ reason: ThemeError.Reason, _ key: String, in section: String = "roles"
  ) -> ThemeError {
    ThemeError(file: file, line: lines.line(of: key, in: section), reason: reason)
  }
}
