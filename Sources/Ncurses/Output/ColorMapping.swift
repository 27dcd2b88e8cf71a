package import TerminalUI

/// Maps a theme's colors to ncurses' color numbers.
package enum ColorMapping {
  /// The terminal's default color.
  package static let standard: Int32 = -1

  /// Returns the ncurses number of a color.
  /// - Complexity: O(1).
  package static func number(of color: Color, depth: ColorDepth, appearance: Theme.Appearance)
    -> Int32
  {
    switch color {
    case .standard: return standard
    case .ansi(let index):
      // With only eight colors, bright colors map to the normal colors.
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

  /// Returns the ncurses number of a 24-bit color.
  ///
  /// To ncurses, numbers below 16 are ANSI colors, so the 15 darkest blues become 16 (`#000010`).
  private static func direct(_ value: Int32) -> Int32 { value < 16 && value > 0 ? 16 : value }

  /// Returns the nearest color of the 256-color palette, among its color cube and grays. The first
  /// 16 colors are not used, because users redefine them.
  private static func nearestOf256(_ red: Int, _ green: Int, _ blue: Int) -> Int32 {
    let steps = [0, 95, 135, 175, 215, 255]
    func step(_ value: Int) -> Int {
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    let (r, g, b) = (step(red), step(green), step(blue))
    let gray = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + gray * 10
    let toCube = distance(red - steps[r], green - steps[g], blue - steps[b])
    let toGray = distance(red - level, green - level, blue - level)
    return Int32(toGray < toCube ? 232 + gray : 16 + 36 * r + 6 * g + b)
  }

  /// Returns the squared distance of two colors, weighted by the eye's sensitivity.
  private static func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    3 * red * red + 6 * green * green + blue * blue
  }

  /// Returns the nearest color of a palette with few colors. The hue, which carries meaning, is
  /// more important than the brightness.
  private static func byHue(
    _ red: Int, _ green: Int, _ blue: Int, _ depth: ColorDepth, _ appearance: Theme.Appearance
  ) -> Int32 {
    let high = max(red, green, blue)
    let low = min(red, green, blue)
    if high - low < 48 {
      // Grays that would be invisible on the background become the default color.
      if depth == .eight { return standard }
      switch appearance {
      case .dark: return high < 160 ? 8 : standard
      case .light: return low > 110 ? 8 : standard
      }
    }
    // A color channel is on if it exceeds a threshold between the lowest and the highest channel.
    // On a dark background, blue becomes cyan; on a light background, yellow becomes red and cyan
    // becomes blue. The results are readable there.
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
  /// Returns the style of a paint for a terminal with this color depth.
  ///
  /// With 16 colors or fewer, shades of backgrounds are indistinguishable. They are omitted, and
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
    // Text on the plain ground has the background of its own role.
    let giver = paint.ground == .text ? paint.ink : paint.ground
    // Within a highlight, ink colors are ignored, because several colors would fragment it.
    if giver.isHighlight { style.foreground = .standard }
    if giver.isHighlight || paint.ground == .text {
      style.attributes.formUnion(Theme.plain.style(giver).attributes.subtracting(.dim))
    }
    return style
  }
}
