public import DataSources
public import LiveQueries
public import Triples

/// A read-only store in memory with data from a pipe or a single file.
///
/// ```swift
/// let store = try ReadOnlyMemoryStore.read(Array(#"[{"name": "Ann"}]"#.utf8))  // namespace `rows`
/// ```
public struct ReadOnlyMemoryStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// A change signal that never fires, since the data does not change.
  public let changed = ChangeSignal()

  /// The report of skipped and changed data.
  public let report: ReadReport

  private init(_ reading: FileReading) {
    content = StoreSnapshot(reading.store)
    report = reading.report
  }

  /// Opens a single file of any supported kind.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  public static func open(
    file: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> ReadOnlyMemoryStore {
    ReadOnlyMemoryStore(try await FileSource.load(file, progress: progress))
  }

  /// Reads data without a file name. The first bytes determine its format.
  ///
  /// A list of objects, JSON lines, CSV and TSV with a header become one namespace, `rows`. An
  /// object is read like a JSON file. Answers printed by `sonde query` and triple dumps are read as
  /// well.
  ///
  /// - Throws: ``StoreError/broken(path:)`` with line and reason for other data.
  public static func read(_ bytes: [UInt8]) throws(StoreError) -> ReadOnlyMemoryStore {
    ReadOnlyMemoryStore(try load(bytes, DatasetOptions()))
  }

  public func snapshot() -> StoreSnapshot { content }

  var refusal: String { ReadOnlyReason.pipedData }
}

extension ReadOnlyMemoryStore {
  private static let namespace = "rows"

  /// Reads data with the given options.
  static func load(
    _ bytes: [UInt8], _ options: DatasetOptions
  ) throws(StoreError) -> FileReading {
    do throws(DatasetError) {
      let name = namespace + "." + FileKind.endingOfRows(bytes)
      let reading = try Dataset.read([(name, bytes)], options)
      let report = ReadReport(reading.report) { "Standard input, " + $0.withoutFile }
      return FileReading(reading.store, report, contentRows: reading.contentRows)
    } catch {
      throw .broken(path: "Standard input cannot be read: \(error.withoutFile).")
    }
  }
}
