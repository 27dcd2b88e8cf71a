public import Triples

/// What of some files could not be read, or was read otherwise than it is written: sentences for a person.
public struct ReadReport: Sendable, Equatable {
  /// The first of them, each with file, line and reason.
  public private(set) var messages: [String]
  /// How many there are in all.
  public private(set) var count: Int

  public init(_ messages: [String] = []) {
    self.messages = messages
    count = messages.count
  }

  /// - Parameter message: What a sentence says, with the path of the file in it.
  init(_ report: LoadReport, message: (DatasetError) -> String) {
    messages = report.entries.map(message)
    count = report.count
  }

  public var isEmpty: Bool { count == 0 }

  package mutating func add(_ other: ReadReport) {
    messages += other.messages
    count += other.count
  }

  /// As many are shown at the most.
  public static let maxShown = 20

  /// What is shown of it: the first messages, and how many there are beside them.
  public var lines: [String] {
    let shown = messages.prefix(Self.maxShown)
    let rest = count - shown.count
    return rest == 0 ? Array(shown) : shown + ["There are \(rest) more remarks like these."]
  }
}

/// What was read of files that are taken over.
public struct FileReading: Sendable {
  public let store: TripleStore
  public let report: ReadReport
  /// The entities whose ids were made from their content.
  package let contentRows: RowSet

  init(_ store: TripleStore, _ report: ReadReport = ReadReport(), contentRows: RowSet = RowSet()) {
    self.store = store
    self.report = report
    self.contentRows = contentRows
  }

  /// The same, when options allow what the report says.
  ///
  /// - Throws: ``StoreError/broken(path:)`` with the first message when options are strict.
  func checked(_ options: DatasetOptions) throws(StoreError) -> FileReading {
    if options.isStrict, let first = report.messages.first { throw .broken(path: first) }
    return self
  }

  /// What was read of files whose names are known as they are.
  package init(_ reading: DatasetReading) {
    self.init(
      reading.store, ReadReport(reading.report) { $0.message }, contentRows: reading.contentRows)
  }
}
