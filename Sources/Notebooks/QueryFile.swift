/// A saved query as a plain text file, for a person to edit, compare and share.
///
///     # store: world
///     cities filter population > 1_000_000
///            order population desc
///
/// Lines that begin with `#` are a person's remarks. Two of them say more: `store`, the address of
/// the store that is asked (without it the query is offered in every store), and `name`, where the
/// query is called otherwise than its file.
struct QueryFile: Sendable, Equatable {
  static let ending = ".sonde-query"
  /// More is no query that somebody wrote.
  static let longestBytes = 65_536

  private static let store = "store"
  private static let name = "name"

  /// The lines that begin with `#`, but for the store's and the name's.
  var remarks: [String] = []
  var query: SavedQuery

  init(_ query: SavedQuery, remarks: [String] = []) {
    self.query = query
    self.remarks = remarks
  }

  /// What a file says.
  ///
  /// - Parameter stem: The file's name without its ending.
  /// - Returns: Nil when there is no query in it.
  init?(_ text: String, stem: String) {
    query = SavedQuery(name: stem, store: "", text: "")
    var lines: [Substring] = []
    // A file that another system wrote ends its lines in two characters, which Swift takes for one.
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

  /// The file's text, as it lies under a name with this `stem`.
  func text(stem: String) -> String {
    var lines: [String] = []
    if query.name != stem { lines.append("# \(Self.name): \(Self.line(query.name))") }
    if !query.store.isEmpty { lines.append("# \(Self.store): \(Self.line(query.store))") }
    return (lines + remarks + [query.text]).joined(separator: "\n") + "\n"
  }

  /// The name of a file for a query of this name: letters, digits, `-`, `_` and single dots stay.
  static func stem(for name: String) -> String {
    var stem = ""
    for character in name where stem.utf8.count < longestStemBytes {
      let isKept = character.isLetter || character.isNumber || "-_.".contains(character)
      stem.append(isKept && !(character == "." && stem.last ?? "." == ".") ? character : "-")
    }
    return stem.isEmpty ? "query" : stem
  }

  private static let longestStemBytes = 80

  /// `# key: value` taken apart; nil of any other line.
  private static func field(_ line: Substring) -> (String, String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let key = String(line[..<colon].drop { $0 == "#" }).trimmed
    return (key, String(line[line.index(after: colon)...]).trimmed)
  }

  /// A text that fits on one line.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 }).trimmed
  }
}
