/// A report of the data that a loader skipped or changed, with file, line and reason.
///
/// It contains only the first entries of a file, and counts the others. A file with an error on
/// every line therefore does not take much time or memory.
public struct LoadReport: Sendable {
  /// The entries in order of occurrence.
  public private(set) var entries: [DatasetError] = []
  /// The number of all entries, including entries that were counted but not stored.
  public private(set) var count = 0
  private var countInFile = 0
  private var countedFile = ""

  /// The maximum number of kept entries of one file.
  static let maxEntriesInFile = 100
  /// The maximum number of kept entries of all files.
  static let maxEntries = 1_000

  /// Creates a report without errors.
  public init() {}

  /// Whether all data was loaded unchanged.
  public var isEmpty: Bool { count == 0 }

  /// Returns whether the next entry of a file would be kept. If not, the caller does not need to
  /// create it.
  mutating func keepsNext(of file: String) -> Bool {
    if file != countedFile { (countedFile, countInFile) = (file, 0) }
    return countInFile < Self.maxEntriesInFile && entries.count < Self.maxEntries
  }

  /// Counts an entry without keeping it.
  mutating func skip() { count += 1 }

  mutating func add(_ entry: DatasetError) {
    guard keepsNext(of: entry.file) else { return skip() }
    count += 1
    countInFile += 1
    entries.append(entry)
  }

  mutating func add(_ other: LoadReport) {
    entries += other.entries.prefix(max(0, Self.maxEntries - entries.count))
    count += other.count
  }

  /// Returns the report without the entries of some files.
  func excluding(_ files: Set<String>) -> LoadReport {
    if files.isEmpty { return self }
    var report = self
    report.entries.removeAll { files.contains($0.file) }
    report.count -= entries.count - report.entries.count
    return report
  }
}

/// Options for loading a dataset.
public struct DatasetOptions: Sendable {
  /// How the id of a row is derived if the row has neither an id nor a key.
  public enum RowIdentity: Sendable {
    /// Derives the id from the namespace and the row's number. A row of a watched file therefore
    /// keeps its identity when its cells change.
    case position
    /// Derives the id from the namespace, the row's content, and the number of earlier rows with
    /// the same content.
    ///
    /// Equal rows of `earlier` are counted, too. Rows of different files therefore never have the
    /// same id, and a file has the same ids when it is loaded again.
    case content(earlier: TripleStore)
  }

  /// Whether the loader throws the first error. Otherwise it reports errors and continues.
  public var isStrict: Bool
  /// How rows without an id are identified.
  public var identity: RowIdentity
  /// The texts that denote a missing value in every CSV column.
  public var missingTexts: [String]
  /// The time from which the loader derives missing creation times, in milliseconds since 1970. The
  /// first row gets the next millisecond, the second row the one after it, and so on.
  public var firstTime: Int64
  /// The maximum number of rows. Without a limit, a small archive could contain more than fits in
  /// memory.
  public var maxRows: Int

  /// Creates options; see the properties.
  public init(
    isStrict: Bool = false, identity: RowIdentity = .position, missingTexts: [String] = [],
    firstTime: Int64 = 0, maxRows: Int = .max
  ) {
    self.maxRows = maxRows
    self.isStrict = isStrict
    self.identity = identity
    self.missingTexts = missingTexts
    self.firstTime = firstTime
  }
}

/// The result of loading a dataset.
public struct DatasetReading: Sendable {
  /// The loaded data.
  public let store: TripleStore
  /// The report of skipped and changed data.
  public let report: LoadReport
  /// The entities whose ids are derived from their content.
  package let contentRows: RowSet
  /// The namespaces of each file, keyed by the file's name.
  package var namespaces: [String: [String]] = [:]
}
