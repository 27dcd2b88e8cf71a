/// The order of texts by UTF-16 code units in PostgreSQL. Its collation "C" orders by code points.
/// The two orders differ between characters beyond U+FFFF and characters from U+E000 to U+FFFF.
enum CodeUnitOrder {
  /// Returns whether the order of a text by code points differs from that by code units.
  static func differs(for text: String) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0xE000 }
  }

  /// Returns an expression whose order by code points equals the order of the text by code units.
  /// The expression prefixes characters from U+E000 to U+FFFF with U+10FFFF, and escapes U+10FFFF
  /// itself.
  static func key(of text: String) -> String {
    #"pg_catalog.regexp_replace(pg_catalog.replace(\#(text)::text, U&'\+10FFFF', U&'\+10FFFF\0001')"#
      + #" COLLATE "C", '[\uE000-\uFFFF]', U&'\+10FFFF\\&', 'g') COLLATE "C""#
  }
}
