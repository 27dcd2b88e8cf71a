/// What is shown where only ASCII can be.
package enum ASCIIGlyphs {
  private static let lines: [Unicode.Scalar: Unicode.Scalar] = {
    let rows: [(from: String, to: Unicode.Scalar)] = [
      ("─━═╌┄╴╶", "-"), ("│┃║╎┆╵╷▏▕‖", "|"), ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬", "+"),
      ("▸▶›→⇒↦⇥❯»▷", ">"), ("◂◀‹←⇐«", "<"), ("▾▼↓⇓▿", "v"), ("▴▲↑⇑▵", "^"), ("⇉⇇⇄↔", "="),
      ("↻", "@"),
      ("●◉■▪•∙⬤", "*"), ("○◇□◌", "o"), ("·‧", "."), ("…", "~"), ("✓✔", "y"), ("✗✘✕×", "x"),
      ("∅", "-"), ("◆", "!"), ("⚠", "!"), ("↵⏎", "<"), ("–—", "-"), ("‘’", "'"), ("“”", "\""),
      ("█▉▊▋▌▇▆▅", "#"), ("▍▎▄▃▂▁░▒▓", ":"), ("␛␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␜␝␞␟␡", "?"), ("⌕", "/"),
      ("∞", "8"), ("µ", "u"), ("±", "+"), ("−", "-"), ("≤", "<"),
      ("≥", ">"), ("≠", "#"),
    ]
    var table: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in rows { for scalar in row.from.unicodeScalars { table[scalar] = row.to } }
    return table
  }()

  /// The drawing character that comes nearest; nil for letters and all else.
  package static func drawing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? { lines[scalar] }

  /// Something to show for any scalar, where letters cannot be shown either.
  package static func any(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? scalar : lines[scalar] ?? "?"
  }
}
