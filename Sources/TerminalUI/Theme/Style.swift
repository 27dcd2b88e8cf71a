/// A color in a theme.
package enum Color: Hashable, Sendable {
  /// The terminal's default foreground or background.
  case standard
  /// One of the terminal's 16 ANSI colors: 0 (black) to 7 (white), and 8 to 15 for the bright ones.
  case ansi(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  /// The names of the 16 ANSI colors, in order.
  package static let ansiNames = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright-black",
    "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
  ]

  /// Parses `#rrggbb`, `#rgb`, the name of an ANSI color, or `default`.
  package init?(_ text: String) {
    if text == "default" {
      self = .standard
    } else if let index = Self.ansiNames.firstIndex(of: text) {
      self = .ansi(UInt8(index))
    } else if let (red, green, blue) = Self.channels(text) {
      self = .rgb(red: red, green: green, blue: blue)
    } else {
      return nil
    }
  }

  private static func channels(_ text: String) -> (UInt8, UInt8, UInt8)? {
    guard text.first == "#" else { return nil }
    let digits = text.dropFirst().compactMap(\.hexDigitValue)
    guard digits.count == text.count - 1, digits.count == 3 || digits.count == 6 else { return nil }
    let wide = digits.count == 6 ? digits : digits.flatMap { [$0, $0] }
    let bytes = stride(from: 0, to: 6, by: 2).map { UInt8(wide[$0] * 16 + wide[$0 + 1]) }
    return (bytes[0], bytes[1], bytes[2])
  }
}

/// The attributes of text, such as bold.
package struct Attributes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = Attributes(rawValue: 1)
  package static let dim = Attributes(rawValue: 2)
  package static let italic = Attributes(rawValue: 4)
  package static let underline = Attributes(rawValue: 8)
  package static let reverse = Attributes(rawValue: 16)

  static let names: [(name: String, attribute: Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse),
  ]
}

/// The style of a role.
///
/// A nil color stands for the color of the role `text`.
package struct Style: Hashable, Sendable {
  package var foreground: Color?
  package var background: Color?
  package var attributes: Attributes

  package init(
    foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}
