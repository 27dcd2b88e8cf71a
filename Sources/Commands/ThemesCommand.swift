import ArgumentParser
import Ncurses
import Notebooks
import TerminalUI

/// `sonde themes`: lists the themes, and the roles to which they give colors.
struct ThemesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes",
    abstract: "List the themes. On a terminal, each has a sample.")

  @Flag(help: "List the parts of the screen (roles) that a theme can style, instead of the themes.")
  var roles = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let lines =
      roles
      ? Role.allCases.map(\.name)
      : previews(of: Themes(), depth: common.color ?? ThemeSample.depth())
    _ = try Output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func previews(of themes: Themes, depth: ColorDepth) -> [String] {
    guard Output.isTerminal, depth > .none else {
      for warning in themes.warnings { StandardError.write(warning) }
      return themes.names
    }
    let width = themes.names.map(\.count).max() ?? 0
    return themes.names.map { name in
      let padded = name + String(repeating: " ", count: width - name.count + 2)
      // The theme is in the list, so it exists.
      guard let (theme, warning) = try? themes.theme(name) else { return name }
      return padded + (warning ?? ThemeSample(theme: theme, depth: depth).text)
    }
  }
}

/// A line that shows a sample of a theme, with control sequences.
private struct ThemeSample {
  let theme: Theme
  let depth: ColorDepth

  /// Returns the color depth that environment variables indicate, without querying the terminal.
  static func depth() -> ColorDepth {
    let profile = TerminalProfile(variable: Folders.variable)
    if profile.wantsNoColor || ["", "dumb"].contains(profile.type) { return .none }
    if profile.claimsDirectColor { return .direct }
    return profile.type.contains("256") ? .palette : .sixteen
  }

  var text: String {
    Theme.sample.map { role, word in
      let style = theme[Paint(role, on: role == .selection ? .selection : .text)]
      let codes = codes(style)
      return "\u{1B}[0\(codes)m \(word) "
    }.joined() + "\u{1B}[0m"
  }

  private func codes(_ style: Style) -> String {
    var codes = ""
    let attributes: [(Attributes, Int)] = [
      (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
    ]
    for (attribute, code) in attributes where style.attributes.contains(attribute) {
      codes += ";\(code)"
    }
    return codes + code(style.foreground, 30) + code(style.background, 40)
  }

  private func code(_ color: Color?, _ base: Int) -> String {
    guard let color else { return "" }
    if case .rgb(let red, let green, let blue) = color, depth == .direct {
      return ";\(base + 8);2;\(red);\(green);\(blue)"
    }
    let number = Int(
      ColorMapping.number(of: color, depth: min(depth, .palette), appearance: theme.appearance))
    switch number {
    case ..<0: return ""
    case ..<8: return ";\(base + number)"
    case ..<16: return ";\(base + 52 + number)"
    default: return ";\(base + 8);5;\(number)"
    }
  }
}
