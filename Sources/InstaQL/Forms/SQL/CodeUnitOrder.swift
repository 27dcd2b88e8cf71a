/// The order of texts by UTF-16 code units, in the SQL of PostgreSQL, whose collation "C" orders by code
/// points: they differ where characters beyond U+FFFF meet those from U+E000 on.
enum CodeUnitOrder {
  /// Whether a text may stand elsewhere among others than by code points.
  static func differs(for text: String) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0xE000 }
  }

  /// A text whose order by code points is that of the given one by code units: characters from U+E000 to
  /// U+FFFF follow the greatest of all, which is marked where it stands for itself.
  static func key(of text: String) -> String {
    #"pg_catalog.regexp_replace(pg_catalog.replace(\#(text)::text, U&'\+10FFFF', U&'\+10FFFF\0001')"#
      + #" COLLATE "C", '[\uE000-\uFFFF]', U&'\+10FFFF\\&', 'g') COLLATE "C""#
  }
}
