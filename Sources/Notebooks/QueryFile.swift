/// A saved query as a plain text file that users can edit, compare and share.
///
///     # store: world
///     cities filter population > 1_000_000
///            order population desc
///
/// Lines that begin with `#` are comments. Two comments have a meaning. `store` is the address of
/// the store. Without it, the query is offered in every store. `name` is the query's name, if it
/// differs from the file's name.
struct QueryFile: Sendable, Equatable {
  static let ending = ".sonde-query"
  /// The maximum size of a file in bytes, far more than any real query needs.
  static let maxBytes = 65_536

  private static let store = "store"
  private static let name = "name"

  /// The comment lines, except the two that give the store and the name.
  var remarks: [String] = []
  var query: SavedQuery

  init(_ query: SavedQuery, remarks: [String] = []) {
    self.query = query
    self.remarks = remarks
  }

  /// Parses a file.
  ///
  /// - Parameter stem: The file's name without its extension.
  /// - Returns: Nil when the file contains no query.
  init?(_ text: String, stem: String) {
    query = SavedQuery(name: stem, store: "", text: "")
    var lines: [Substring] = []
    // This also splits files with CRLF line ends, because Swift treats CRLF as one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let bare = line.drop(while: \.isWhitespace)
      guard bare.first == "#" else {
        lines.append(line)
        continue
      }
      switch Self.field(bare) {
      case (Self.store, let value)?: query.store = value
      case (Self.name, let value)?: query.name = value.isEmpty ? stem : value
      default: remarks.append(String(line))
      }
    }
    query.text = lines.joined(separator: "\n").trimmed
    if query.text.isEmpty { return nil }
  }

  /// Returns the text of the file. `stem` is the file's name without its extension.
  func text(stem: String) -> String {
    var lines: [String] = []
    if query.name != stem { lines.append("# \(Self.name): \(Self.line(query.name))") }
    if !query.store.isEmpty { lines.append("# \(Self.store): \(Self.line(query.store))") }
    return (lines + remarks + [query.text]).joined(separator: "\n") + "\n"
  }

  /// Returns the file name for a query's name, without the extension.
  ///
  /// Letters, digits, `-`, `_` and single dots are kept. Each other character becomes `-`.
  static func stem(for name: String) -> String {
    var stem = ""
    for character in name where stem.utf8.count < maxStemBytes {
      let isKept = character.isLetter || character.isNumber || "-_.".contains(character)
      stem.append(isKept && !(character == "." && stem.last ?? "." == ".") ? character : "-")
    }
    return stem.isEmpty ? "query" : stem
  }

  private static let maxStemBytes = 80

  /// Parses a comment of the form `# key: value`. Returns nil for any other line.
  private static func field(_ line: Substring) -> (String, String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let key = String(line[..<colon].drop { $0 == "#" }).trimmed
    return (key, String(line[line.index(after: colon)...]).trimmed)
  }

  /// Returns the text with spaces in place of line breaks.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 }).trimmed
  }
}
