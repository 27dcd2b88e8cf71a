package import TerminalUI

/// Which number ncurses is given for a theme's colour.
package enum ColorMapping {
  /// What the terminal has by itself.
  package static let standard: Int32 = -1

  /// - Complexity: O(1).
  package static func number(of color: Color, depth: ColorDepth, appearance: Theme.Appearance)
    -> Int32
  {
    switch color {
    case .standard: return standard
    case .ansi(let index):
      // With eight colours the bright ones are their plain sisters.
      return Int32(depth == .eight ? index % 8 : index % 16)
    case .rgb(let red, let green, let blue):
      switch depth {
      case .none: return standard
      case .direct: return direct(Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
      case .palette: return nearestOf256(Int(red), Int(green), Int(blue))
      case .sixteen, .eight: return byHue(Int(red), Int(green), Int(blue), depth, appearance)
      }
    }
  }

  /// Below 16 a number means the terminal's own colour, so the darkest blues are a shade lighter.
  private static func direct(_ value: Int32) -> Int32 { value < 16 && value > 0 ? 16 : value }

  /// The nearest of the colour cube and the greys; the first sixteen differ from user to user.
  private static func nearestOf256(_ red: Int, _ green: Int, _ blue: Int) -> Int32 {
    let steps = [0, 95, 135, 175, 215, 255]
    func step(_ value: Int) -> Int {
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    let (r, g, b) = (step(red), step(green), step(blue))
    let grey = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + grey * 10
    let toCube = distance(red - steps[r], green - steps[g], blue - steps[b])
    let toGrey = distance(red - level, green - level, blue - level)
    return Int32(toGrey < toCube ? 232 + grey : 16 + 36 * r + 6 * g + b)
  }

  /// Squared, with the eye's weights.
  private static func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    3 * red * red + 6 * green * green + blue * blue
  }

  /// Few colours keep the hue, which carries meaning, and let go of the shade.
  private static func byHue(
    _ red: Int, _ green: Int, _ blue: Int, _ depth: ColorDepth, _ appearance: Theme.Appearance
  ) -> Int32 {
    let high = max(red, green, blue)
    let low = min(red, green, blue)
    if high - low < 48 {
      // Greys: what would vanish on the screen is written in the terminal's own colour.
      if depth == .eight { return standard }
      switch appearance {
      case .dark: return high < 160 ? 8 : standard
      case .light: return low > 110 ? 8 : standard
      }
    }
    // A channel counts from so far up between the weakest and the strongest: blues on dark screens
    // become cyan, ambers on light ones red, which can be read there.
    let threshold = low + (high - low) * (appearance == .dark ? 4 : 6) / 10
    var index: Int32 = 0
    if red > threshold { index |= 1 }
    if green > threshold { index |= 2 }
    if blue > threshold { index |= 4 }
    switch appearance {
    case .dark: return depth == .sixteen ? index + 8 : index == 4 ? 6 : index
    case .light: return index == 3 ? 1 : index == 6 ? 4 : index
    }
  }
}

extension Theme {
  /// The style of a paint as a terminal of this depth can show it.
  ///
  /// With 16 colours or fewer, grounds that are shades would all be the same: they are left out, and
  /// highlights become attributes.
  package func style(of paint: Paint, depth: ColorDepth) -> Style {
    var style = self[paint]
    if depth >= .palette { return style }
    if depth == .none {
      style.foreground = .standard
      style.background = .standard
      style.attributes.formUnion(Theme.plain[paint].attributes)
      return style
    }
    guard case .rgb? = style.background else { return style }
    style.background = .standard
    // What lies on the plain screen brings its own ground.
    let giver = paint.ground == .text ? paint.ink : paint.ground
    // Inks of several colours would make patches of a highlight.
    if giver.isHighlight { style.foreground = .standard }
    if giver.isHighlight || paint.ground == .text {
      style.attributes.formUnion(Theme.plain.style(giver).attributes.subtracting(.dim))
    }
    return style
  }
}
