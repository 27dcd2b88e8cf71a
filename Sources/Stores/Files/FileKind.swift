/// The kind of a file.
package enum FileKind: Sendable, Hashable {
  case store, backup, database, json
  /// A data file with the entities of one namespace: JSON Lines, CSV or TSV.
  case rows

  /// Determines the kind of a file by its extension.
  package init?(_ path: String) {
    let name = Files.name(of: path).lowercased()
    let endings: [(String, FileKind)] = [
      (".sonde", .store), (".zip", .backup), (".sqlite", .database), (".sqlite3", .database),
      (".db", .database), (".json", .json), (".geojson", .json), (".jsonl", .rows),
      (".ndjson", .rows), (".csv", .rows), (".tsv", .rows), (".tab", .rows),
    ]
    guard let kind = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = kind
  }

  /// Determines the kind of an existing file by its extension, or else by its content.
  package init?(ofFile path: String) {
    if let kind = FileKind(path) {
      self = kind
      return
    }
    guard let bytes = try? Files.bytes(of: path, limit: Self.lookedAt) else { return nil }
    if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
      let isStore = bytes.count >= 72 && Array(bytes[68..<72]) == Array("Sond".utf8)
      self = isStore ? .store : .database
    } else if bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      self = .backup
    } else if bytes.isEmpty || bytes.contains(0) && !Self.isUTF16(bytes) {
      return nil
    } else {
      self = Self.endingOfRows(bytes) == "json" ? .json : .rows
    }
  }

  private static let lookedAt = 4_096

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// Returns the extension that matches the content of a data file: `json`, `csv` or `tsv`.
  static func endingOfRows(_ path: String) -> String {
    endingOfRows((try? Files.bytes(of: path, limit: lookedAt)) ?? [])
  }

  /// Returns the extension that matches the beginning of a data file: `json`, `csv` or `tsv`.
  ///
  /// JSON Lines files count as `json`, since the reader of `.json` files detects them.
  static func endingOfRows(_ bytes: [UInt8]) -> String {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    switch text.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return "json"
    default:
      let isTabbed = bytes.prefix { $0 != 0x0A && $0 != 0x0D }.contains(UInt8(ascii: "\t"))
      return isTabbed ? "tsv" : "csv"
    }
  }
}
