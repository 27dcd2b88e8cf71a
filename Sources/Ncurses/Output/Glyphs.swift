/// Substitutes ASCII characters for other glyphs.
package enum ASCIIGlyphs {
  private static let lines: [Unicode.Scalar: Unicode.Scalar] = {
    let rows: [(from: String, to: Unicode.Scalar)] = [
      ("─━═╌┄╴╶", "-"), ("│┃║╎┆╵╷▏▕‖", "|"), ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬", "+"),
      ("▸▶›→⇒↦⇥❯»▷", ">"), ("◂◀‹←⇐«", "<"), ("▾▼↓⇓▿", "v"), ("▴▲↑⇑▵↕", "^"), ("⇉⇇⇄↔", "="),
      ("↻", "@"),
      ("●◉■▪•∙⬤", "*"), ("○◇□◌", "o"), ("·‧", "."), ("…≈", "~"), ("✓✔", "y"), ("✗✘✕×", "x"),
      ("∅", "-"), ("◆", "!"), ("⚠", "!"), ("↵⏎", "<"), ("–—", "-"), ("‘’", "'"), ("“”", "\""),
      ("█▉▊▋▌▇▆▅", "#"), ("▍▎▄▃▂▁░▒▓", ":"), ("␛␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␜␝␞␟␤␡", "?"),
      ("⌕", "/"),
      ("∞", "8"), ("µ", "u"), ("␣", " "), ("±", "+"), ("−", "-"), ("≤", "<"),
      ("≥", ">"), ("≠", "#"),
    ]
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in rows { for scalar in row.from.unicodeScalars { table[scalar] = row.to } }
    return table
  }()

  /// Returns the nearest ASCII character for a drawing character; nil for any other character.
  package static func drawing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { lines[scalar] }

  /// Returns an ASCII substitute for any scalar, for terminals that cannot display other letters
  /// either.
  package static func any(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? scalar : lines[scalar] ?? "?"
  }
}
