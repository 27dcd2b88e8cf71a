/// Replaces glyphs that fonts of the Linux console lack. Such a font has only 256 or 512 glyphs.
package enum ConsoleGlyphs {
  /// The drawing characters that these fonts have, as in code page 437.
  private static let present = Set("─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬█▄▌▐▀░▒▓■←↑→↓•·»«±µ×".unicodeScalars)

  private static let substitutes: [Unicode.Scalar: Unicode.Scalar] = {
    let rows: [(from: String, to: Unicode.Scalar)] = [
      ("╭", "┌"), ("╮", "┐"), ("╰", "└"), ("╯", "┘"), ("━╌┄╴╶", "─"), ("┃╎┆╵╷", "│"),
      ("▏▕‖▎▍", "│"), ("▊▋▉", "█"), ("▁▂▃▅▆", "▄"), ("▇", "█"), ("⇉⇒", "»"), ("⇐⇇", "«"),
      ("●◉⬤∙", "•"), ("▸▶▷", "→"), ("◂◀", "←"), ("▾▼▿", "↓"), ("▴▲▵", "↑"),
    ]
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in rows { for scalar in row.from.unicodeScalars { table[scalar] = row.to } }
    return table
  }()

  /// Returns the nearest drawing character in such a font; nil for any other character.
  package static func drawing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return nil }
    if present.contains(scalar) { return scalar }
    return substitutes[scalar] ?? ASCIIGlyphs.drawing(scalar)
  }
}
