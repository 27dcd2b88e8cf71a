/// Substitutes for glyphs that fonts of the Linux console lack: such a font has 256 or 512 glyphs.
package enum ConsoleGlyphs {
  /// The drawings that the fonts have, as in code page 437.
  private static let present = Set("─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬█▄▌▐▀░▒▓←↑→↓•·»«±µ×".unicodeScalars)

  private static let substitutes: [Unicode.Scalar: Unicode.Scalar] = {
    let rows: [(from: String, to: Unicode.Scalar)] = [
      ("╭", "┌"), ("╮", "┐"), ("╰", "└"), ("╯", "┘"), ("━╌┄╴╶", "─"), ("┃╎┆╵╷", "│"),
      ("▏▕‖▎▍", "│"), ("▊▋▉", "█"), ("▁▂▃", "▄"), ("▅▆▇", "█"), ("⇉⇒", "»"), ("⇐", "«"),
      ("●◉⬤∙", "•"), ("▸▶▷", "→"), ("◂◀", "←"), ("▾▼▿", "↓"), ("▴▲▵", "↑"),
    ]
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in rows { for scalar in row.from.unicodeScalars { table[scalar] = row.to } }
    return table
  }()

  /// The nearest drawing that such a font has; nil for other characters.
  package static func drawing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return nil }
    if present.contains(scalar) { return scalar }
    return substitutes[scalar] ?? ASCIIGlyphs.drawing(scalar)
  }
}
