/// The progress of long work, such as opening or importing a store.
public struct LoadingProgress: Sendable, Hashable {
  /// The unit of progress.
  public enum Unit: String, Sendable, Hashable {
    /// What is counted.
    case bytes, rows
  }

  /// How much has been read.
  public var done: Int
  /// The total amount; nil when it is unknown.
  public var total: Int?
  /// What is counted.
  public var unit: Unit

  /// Progress; without a total, how much there is in all is unknown.
  public init(done: Int, of total: Int?, _ unit: Unit) {
    self.done = done
    self.total = total
    self.unit = unit
  }

  /// The completed fraction from 0 to 1; nil when the total is unknown.
  public var fraction: Double? {
    total.map { $0 <= 0 ? 1 : min(1, max(0, Double(done) / Double($0))) }
  }
}

/// Reports the progress of long work; callable any number of times and from any thread.
public struct ProgressReport: Sendable {
  private let tell: @Sendable (LoadingProgress) -> Void

  /// A report that calls `tell`.
  public init(_ tell: @escaping @Sendable (LoadingProgress) -> Void) {
    self.tell = tell
  }

  /// A report that is ignored.
  public static let unread = ProgressReport { _ in }

  /// Reports progress.
  public func callAsFunction(_ progress: LoadingProgress) { tell(progress) }
}
