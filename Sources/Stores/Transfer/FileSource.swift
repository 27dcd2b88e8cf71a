public import LiveQueries
public import Triples

/// Loads any file or folder that can be imported.
public enum FileSource {
  /// Loads a file or folder of any kind that Sonde opens.
  ///
  /// It can be a data file, a triple dump, a backup, a store file, a SQLite database, or a folder
  /// of data files. The report lists skipped data.
  ///
  /// - Throws: ``StoreError`` if nothing can be read.
  /// - Complexity: O(bytes).
  @concurrent
  public static func load(
    _ path: String, _ options: DatasetOptions = DatasetOptions(),
    progress: ProgressReport = .unread
  ) async throws(StoreError) -> FileReading {
    switch Files.kind(of: path) {
    case nil: throw .missing(path: path)
    case .other: throw .unknownKind(path: path)
    case .folder: return try FolderReading.once(FolderContent(path), options, progress)
    case .file: break
    }
    switch FileKind(ofFile: path) {
    case .store:
      let store = try await LocalStore.open(file: path, access: .readOnly, progress: progress)
      let content = store.snapshot().store
      await store.close()
      return try FileReading(content, ReadReport(store.warnings)).checked(options)
    case .backup:
      let backup = try Backup.load(file: path, progress: progress)
      return try FileReading(backup.store, ReadReport(backup.warnings)).checked(options)
    case .database:
      return try await SQLiteStore.read(file: path, progress: progress).checked(options)
    case .json where isDump(path): return try DumpStore.load(file: path, options)
    case .json, .rows: return try FolderReading.once(FolderContent(path), options, progress)
    case nil: throw .unknownKind(path: path)
    }
  }

  /// Reads data without a file name, such as standard input. The first bytes determine its format.
  ///
  /// - Throws: ``StoreError/broken(path:)`` if the format is unknown.
  @concurrent
  public static func load(
    unnamed bytes: [UInt8], _ options: DatasetOptions = DatasetOptions()
  ) async throws(StoreError) -> FileReading {
    try ReadOnlyMemoryStore.load(bytes, options)
  }

  /// Whether a JSON file is a triple dump, which starts with a list of attributes or triples.
  package static func isDump(_ path: String) -> Bool {
    let bytes = (try? Files.bytes(of: path, limit: 4_096)) ?? []
    let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard text.first == UInt8(ascii: "{") else { return false }
    let key = text.dropFirst().drop { $0 <= 0x20 }
    return key.starts(with: Array(#""attrs""#.utf8)) || key.starts(with: Array(#""triples""#.utf8))
  }
}

/// The kind of a file.
package enum FileKind: Sendable, Hashable {
  case store, backup, database, json
  /// A data file with the entities of one namespace, one per line.
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

  /// The extension that matches the content of a data file.
  static func endingOfRows(_ path: String) -> String {
    endingOfRows((try? Files.bytes(of: path, limit: lookedAt)) ?? [])
  }

  /// The extension that matches rows. It is `.json` for JSON lines, too, since the reader detects
  /// both.
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
