public import LiveQueries
public import Triples

/// Any file or folder whose data can be taken over: what `import` reads.
public enum FileSource {
  /// The data of a folder of files, a single JSON, JSON Lines, CSV or TSV file, a triple dump, a backup, a
  /// store file, or an SQLite database.
  ///
  /// - Throws: ``StoreError`` when there is nothing, or nothing that can be read.
  /// - Complexity: O(bytes).
  @concurrent
  public static func load(
    _ path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> TripleStore {
    switch Files.kind(of: path) {
    case nil: throw .missing(path: path)
    case .other: throw .unknownKind(path: path)
    case .folder: return try FolderStore.load(folder: path, progress: progress)
    case .file: break
    }
    switch FileKind(path) {
    case .store:
      let store = try await LocalStore.open(file: path, access: .readOnly, progress: progress)
      let content = store.snapshot().store
      await store.close()
      return content
    case .backup: return try Backup.load(file: path, progress: progress).store
    case .database: return try await SQLiteStore.load(file: path, progress: progress)
    case .json where isDump(path): return try DumpStore.load(file: path)
    case .json, .rows: return try FolderStore.load(folder: path, progress: progress)
    case nil: throw .unknownKind(path: path)
    }
  }

  /// Whether a file of JSON is a dump, which is an object; the entities of a namespace are a list.
  package static func isDump(_ path: String) -> Bool {
    let bytes = (try? Files.bytes(of: path, limit: 4_096)) ?? []
    return bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } != UInt8(ascii: "[")
  }
}

/// What a file's name says that it is.
package enum FileKind: Sendable, Hashable {
  case store, backup, database, json
  /// Entities of one namespace, a line each.
  case rows

  package init?(_ path: String) {
    let name = Files.name(of: path).lowercased()
    let endings: [(String, FileKind)] = [
      (".sonde", .store), (".zip", .backup), (".sqlite", .database), (".sqlite3", .database),
      (".db", .database), (".json", .json), (".jsonl", .rows), (".ndjson", .rows),
      (".csv", .rows), (".tsv", .rows),
    ]
    guard let kind = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = kind
  }
}
