/// What a loader could not read, or read otherwise than it is written: file, line and reason of each.
///
/// The first entries of a file are kept; the others are only counted, so that a file in which every
/// line is wrong costs neither time nor memory.
public struct LoadReport: Sendable {
  /// In the order in which they were met.
  public private(set) var entries: [DatasetError] = []
  /// How many there are, those that were not kept included.
  public private(set) var count = 0
  private var countInFile = 0
  private var countedFile = ""

  /// As many entries of one file are kept.
  static let maxEntriesInFile = 100
  /// As many entries of all files are kept.
  static let maxEntries = 1_000

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// Whether the next entry about a file is kept: one that is not need not be made.
  mutating func keepsNext(of file: String) -> Bool {
    if file != countedFile { (countedFile, countInFile) = (file, 0) }
    return countInFile < Self.maxEntriesInFile && entries.count < Self.maxEntries
  }

  /// Counts an entry that is not kept.
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

  /// The same without the entries of some files.
  func excluding(_ files: Set<String>) -> LoadReport {
    if files.isEmpty { return self }
    var report = self
    report.entries.removeAll { files.contains($0.file) }
    report.count -= entries.count - report.entries.count
    return report
  }
}

/// How a dataset is read.
public struct DatasetOptions: Sendable {
  /// What the id of a row is made from when the row has neither an id nor a key.
  public enum RowIdentity: Sendable {
    /// The namespace and the row's number: a row of a file that is followed stays itself while its
    /// cells change.
    case position
    /// The namespace, the row's content, and how many rows of the same content came before it, also
    /// in `earlier`: two files never share a row, and the same file gives the same ids again.
    case content(earlier: TripleStore)
  }

  /// Whether the first thing that is wrong is thrown; else it is reported, and the rest is read.
  public var isStrict: Bool
  public var identity: RowIdentity
  /// Texts that mean a missing value, in every column of CSV.
  public var missingTexts: [String]
  /// Added to the times of rows that say no time of their own, in milliseconds.
  public var firstTime: Int64
  /// More rows than this are refused: an archive of a few bytes may unpack to more than fits in memory.
  public var maxRows: Int

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

/// What was read of a dataset.
public struct DatasetReading: Sendable {
  public let store: TripleStore
  public let report: LoadReport
  /// The entities whose ids were made from their content.
  package let contentRows: RowSet
  /// The namespaces of each file, by its name.
  package var namespaces: [String: [String]] = [:]
}
