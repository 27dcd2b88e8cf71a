/// Sorts texts by UTF-16 code units in PostgreSQL, whose collation "C" sorts by code points.
///
/// The two orders differ between characters beyond U+FFFF and characters from U+E000 to U+FFFF.
enum CodeUnitOrder {
  /// Returns whether the text has a character for which the two orders differ.
  static func differs(for text: String) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0xE000 }
  }

  /// Returns an SQL expression whose order by collation "C" is the order of the text by code units.
  ///
  /// The expression prefixes characters from U+E000 to U+FFFF with U+10FFFF, and escapes U+10FFFF
  /// itself.
  static func key(of text: String) -> String {
    #"pg_catalog.regexp_replace(pg_catalog.replace(\#(text)::text, U&'\+10FFFF', U&'\+10FFFF\0001')"#
      + #" COLLATE "C", '[\uE000-\uFFFF]', U&'\+10FFFF\\&', 'g') COLLATE "C""#
  }
}
