package import TerminalUI

/// The properties of the terminal according to environment variables.
package struct TerminalProfile: Hashable, Sendable {
  /// The terminal type (TERM).
  package let type: String
  /// Whether COLORTERM announces 24-bit colors.
  package let claimsDirectColor: Bool
  /// Whether the user disabled colors (NO_COLOR).
  ///
  /// - Source: no-color.org.
  package let wantsNoColor: Bool
  /// Whether the terminal is tmux.
  package let isInsideTmux: Bool
  /// Whether the terminal is GNU screen.
  package let isInsideScreen: Bool
  /// Whether the terminal ignores unknown private modes and titles, as terminals of the last twenty
  /// years do. Private modes and titles are not sent to hardware terminals and consoles.
  package let isModern: Bool

  /// Whether the terminal is the Linux console, whose fonts have few glyphs.
  package let hasConsoleFont: Bool

  /// The appearance that fits the background according to COLORFGBG, which some terminals set.
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
    hasConsoleFont = type == "linux" || type.hasPrefix("linux-")
    // GNU screen passes COLORTERM on, but does not support 24-bit colors.
    claimsDirectColor = (color == "truecolor" || color == "24bit") && isModern && !isInsideScreen
    appearance = variable("COLORFGBG")?.split(separator: ";").last.flatMap { Int($0) }
      .map { $0 == 7 || $0 >= 9 ? .light : .dark }
    wantsNoColor = !(variable("NO_COLOR") ?? "").isEmpty
  }

  /// The types to try if the terminal's own type is unknown.
  ///
  /// Servers often lack the entries of new terminals. Such terminals use type names that begin with
  /// xterm.
  package var substitutes: [String] {
    type.hasPrefix("xterm-") ? ["xterm-256color", "xterm"] : []
  }

  /// Returns the color depth for a terminal whose terminfo entry has `colors` colors.
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
