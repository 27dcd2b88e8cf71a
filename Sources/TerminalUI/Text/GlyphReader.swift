/// Converts scalars to displayed glyphs, one at a time. It follows the rules of `TextWidth`.
struct GlyphReader {
  /// What a scalar does to the displayed cells.
  enum Step: Equatable {
    /// The terminal does not display the scalar.
    case nothing
    /// The scalar starts a new cell of one or two columns.
    case glyph(Unicode.Scalar, columns: Int)
    /// The scalar combines with the preceding cell.
    case mark(Unicode.Scalar)

    var columnsAdded: Int { if case .glyph(_, let columns) = self { columns } else { 0 } }
  }

  private var followsGlyph: Bool
  private var followsEmoji = false

  /// Creates a reader for the scalars of a text.
  ///
  /// - Parameter followsGlyph: Whether ASCII text precedes the scalars, so that a leading mark
  ///   combines with it.
  init(followsGlyph: Bool = false) {
    self.followsGlyph = followsGlyph
  }

  mutating func read(_ scalar: Unicode.Scalar) -> Step {
    let value = scalar.value
    if value >= 0x20, value < 0x7F { return glyph(scalar, 1) }
    if value < 0xA0 { return glyph(scalar.controlPicture, 1) }
    if value == 0xAD { return glyph("-", 1) }
    if scalar.isRegionalIndicator { return glyph(scalar.indicatorLetter, 1) }
    switch TextWidth.columns(of: scalar) {
    case nil: return glyph(scalar.value == 0x2028 || scalar.value == 0x2029 ? "␤" : "\u{FFFD}", 1)
    case 0?: return zeroWidth(scalar)
    case let columns?:
      if followsEmoji, let shade = scalar.skinToneShade { return glyph(shade, 1) }
      return glyph(scalar, columns)
    }
  }

  private mutating func glyph(_ scalar: Unicode.Scalar, _ columns: Int) -> Step {
    followsGlyph = true
    followsEmoji = scalar.value >= 0x2190 && scalar.isEmoji
    return .glyph(scalar, columns: columns)
  }

  private mutating func zeroWidth(_ scalar: Unicode.Scalar) -> Step {
    if scalar.changesDirection { return glyph("\u{FFFD}", 1) }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    {
      return .nothing
    }
    if followsGlyph { return .mark(scalar) }
    _ = glyph(" ", 1)
    return .glyph("\u{FFFD}", columns: 1)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has the Unicode property Emoji.
  ///
  /// For common arrows and box-drawing lines, the result is known without a lookup.
  var isEmoji: Bool {
    switch value {
    case 0x2190..<0x2194, 0x21AB..<0x231A, 0x2500..<0x25AA: false
    default: properties.isEmoji
    }
  }

  var isRegionalIndicator: Bool { value >= 0x1F1E6 && value <= 0x1F1FF }

  /// The shade that stands for a skin tone after an emoji, from light to dark; nil for any other
  /// scalar.
  var skinToneShade: Unicode.Scalar? {
    switch value {
    case 0x1F3FB: "□"
    case 0x1F3FC: "░"
    case 0x1F3FD: "▒"
    case 0x1F3FE: "▓"
    case 0x1F3FF: "■"
    default: nil
    }
  }

  /// Whether the scalar is a bidirectional embedding, override or isolate. Such a scalar can
  /// reorder text, so that data looks different from its contents.
  var changesDirection: Bool {
    (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069)
  }

  /// Whether the scalar belongs to Hebrew, Arabic or another script that terminals may display from
  /// right to left.
  var isRightToLeft: Bool {
    (value >= 0x590 && value < 0x900) || (value >= 0xFB1D && value < 0xFE00)
      || (value >= 0xFE70 && value < 0xFEFF) || (value >= 0x10800 && value < 0x11000)
      || (value >= 0x1E800 && value < 0x1F000)
  }

  var indicatorLetter: Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: value - 0x1F1E6 + 0x41))
  }

  /// The symbol for a control character: U+2400 to U+2421, or U+FFFD for C1 controls.
  var controlPicture: Unicode.Scalar {
    if value < 0x20 { return Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}" }
    return value == 0x7F ? "␡" : "\u{FFFD}"
  }
}
