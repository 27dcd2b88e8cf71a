public import Triples

/// The messages about data that was skipped or changed while files were read.
public struct ReadReport: Sendable, Equatable {
  /// The first messages, each with file, line and reason.
  public private(set) var messages: [String]
  /// The number of all messages, including messages that were counted but not stored.
  public private(set) var count: Int

  /// Creates a report of `messages`.
  public init(_ messages: [String] = []) {
    self.messages = messages
    count = messages.count
  }

  /// Creates a report of the errors found while loading.
  ///
  /// - Parameter message: Returns the message of an error, with the path of its file.
  init(_ report: LoadReport, message: (DatasetError) -> String) {
    messages = report.entries.map(message)
    count = report.count
  }

  /// Whether there is nothing to report.
  public var isEmpty: Bool { count == 0 }

  package mutating func add(_ other: ReadReport) {
    messages += other.messages
    count += other.count
  }

  /// The maximum number of messages shown.
  public static let maxShown = 20

  /// The lines of the first messages, and a line with the number of further messages.
  public var lines: [String] {
    let shown = messages.prefix(Self.maxShown)
    let rest = count - shown.count
    return rest == 0 ? Array(shown) : shown + ["\(rest) more messages like these."]
  }
}

/// The data read from imported files.
public struct FileReading: Sendable {
  /// The data that was read.
  public let store: TripleStore
  /// The report of data that was skipped or changed while reading.
  public let report: ReadReport
  /// The imported rows whose ids are derived from their content, since they contain no id.
  package let contentRows: RowSet

  init(_ store: TripleStore, _ report: ReadReport = ReadReport(), contentRows: RowSet = RowSet()) {
    self.store = store
    self.report = report
    self.contentRows = contentRows
  }

  /// Returns this reading. With strict options, throws an error if its report is not empty.
  ///
  /// - Throws: ``StoreError/broken(path:)`` with the first message of the report.
  func checked(_ options: DatasetOptions) throws(StoreError) -> FileReading {
    if options.isStrict, let first = report.messages.first { throw .broken(path: first) }
    return self
  }

  /// Converts a reading of data without a path; messages then contain only file names.
  package init(_ reading: DatasetReading) {
    self.init(
      reading.store, ReadReport(reading.report) { $0.message }, contentRows: reading.contentRows)
  }
}
