public import DataSources
public import LiveQueries
public import Triples

/// Data that came in one piece, through a pipe or as a single file: a store in memory that cannot be
/// written and does not change.
///
/// ```swift
/// let store = try PlainStore.read(Array(#"[{"name": "Ann"}]"#.utf8))   // a namespace `rows`
/// ```
public struct PlainStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// Never rung: what is there does not change.
  public let changed = ChangeSignal()

  /// What could not be read, or was read otherwise than it is written.
  public let report: ReadReport

  private init(_ reading: FileReading) {
    content = StoreSnapshot(reading.store)
    report = reading.report
  }

  /// A single file of any kind that can be taken over.
  /// - Throws: ``StoreError`` when it cannot be read.
  public static func open(
    file: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> PlainStore {
    PlainStore(try await FileSource.load(file, progress: progress))
  }

  /// Data without a name: what it is shows from its beginning.
  ///
  /// A list of objects, objects a line, or values between commas or tabs with names in the first line
  /// is one namespace, `rows`. An object holds what a file of JSON with the same content would; an answer
  /// as `sonde query` prints it is read as well, and so is a triple dump.
  ///
  /// - Throws: ``StoreError/broken(path:)`` with line and reason when it is none of these.
  public static func read(_ bytes: [UInt8]) throws(StoreError) -> PlainStore {
    PlainStore(try load(bytes, DatasetOptions()))
  }

  public func snapshot() -> StoreSnapshot { content }

  var refusal: String {
    "What came in one piece is read-only: import it into a .sonde file to change it."
  }
}

extension PlainStore {
  private static let namespace = "rows"

  /// The same, read as the options say.
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
