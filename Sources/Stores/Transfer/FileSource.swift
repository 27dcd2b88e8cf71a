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
    try await read(path, options, progress).withoutDatabaseProperties
  }

  private static func read(
    _ path: String, _ options: DatasetOptions, _ progress: ProgressReport
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
    try ReadOnlyMemoryStore.load(bytes, options).withoutDatabaseProperties
  }

  /// Returns whether a store reads a file, or any file of a folder.
  ///
  /// - Parameter store: The path of the store: a file of any kind, or a folder of data files.
  package static func isSource(_ path: String, of store: String) -> Bool {
    guard let files = try? FolderContent.paths(in: store) else { return false }
    return files.contains { Files.isSame($0, path) || Files.isSame(Files.folder(of: $0), path) }
  }

  /// Returns whether a JSON file is a triple dump: it starts with a list of attributes or triples.
  package static func isDump(_ path: String) -> Bool {
    let bytes = (try? Files.bytes(of: path, limit: 4_096)) ?? []
    let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard text.first == UInt8(ascii: "{") else { return false }
    let key = text.dropFirst().drop { $0 <= 0x20 }
    return key.starts(with: Array(#""attrs""#.utf8)) || key.starts(with: Array(#""triples""#.utf8))
  }
}
