package import TerminalUI

/// What the environment says about the terminal: a pure reading of variables.
package struct TerminalProfile: Hashable, Sendable {
  /// The type that descriptions are looked up by.
  package let type: String
  /// Whether it says that it shows 24-bit colours.
  package let claimsDirectColor: Bool
  /// Whether the person wants no colours at all.
  ///
  /// - Source: no-color.org.
  package let wantsNoColor: Bool
  /// Whether output passes through tmux.
  package let isInsideTmux: Bool
  /// Whether output passes through GNU screen.
  package let isInsideScreen: Bool
  /// Whether it drops private modes and titles that it does not know, as everything of the last twenty
  /// years does; hardware terminals and consoles are not sent any.
  package let isModern: Bool

  /// What some terminals say about their background in COLORFGBG.
  package let appearance: Theme.Appearance?

  private static let simpleTypes = [
    "linux", "vt", "ansi", "cons", "sun", "wy", "dumb", "hp", "pcansi", "cygwin", "bsdos", "h1",
  ]

  package init(variable: (String) -> String?) {
    let type = variable("TERM") ?? ""
    self.type = type
    let color = variable("COLORTERM")?.lowercased()
    isInsideTmux = variable("TMUX") != nil
    isInsideScreen = type.hasPrefix("screen") && variable("TMUX") == nil
    isModern = !Self.simpleTypes.contains { type.hasPrefix($0) }
    // GNU screen passes COLORTERM on without understanding such colours.
    claimsDirectColor = (color == "truecolor" || color == "24bit") && isModern && !isInsideScreen
    appearance = variable("COLORFGBG")?.split(separator: ";").last.flatMap { Int($0) }
      .map { $0 == 7 || $0 >= 9 ? .light : .dark }
    wantsNoColor = !(variable("NO_COLOR") ?? "").isEmpty
  }

  /// Types to look up when there is no description of this one: those of new terminals are often
  /// missing on servers, and such terminals call themselves kinds of xterm.
  package var substitutes: [String] {
    type.hasPrefix("xterm-") ? ["xterm-256color", "xterm"] : []
  }

  /// The depth to use on a terminal whose description has `colors` colours.
  package func depth(colors: Int, isDirect: Bool) -> ColorDepth {
    if isDirect { return .direct }
    switch colors {
    case 256...: return .palette
    case 16...: return .sixteen
    case 8...: return .eight
    default: return .none
    }
  }
}
