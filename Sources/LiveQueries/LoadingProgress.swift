/// The progress of long-running work, such as opening or importing a store.
public struct LoadingProgress: Sendable, Hashable {
  /// The unit in which progress is measured.
  public enum Unit: String, Sendable, Hashable {
    /// Progress is counted in bytes or in rows.
    case bytes, rows
  }

  /// The amount of completed work, in `unit`.
  public var done: Int
  /// The total amount, in `unit`; nil when it is unknown.
  public var total: Int?
  /// The unit of `done` and `total`.
  public var unit: Unit

  /// Creates a progress value. A nil total means that the total is unknown.
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

/// Reports the progress of long-running work. It can be called any number of times and from any
/// thread.
public struct ProgressReport: Sendable {
  private let tell: @Sendable (LoadingProgress) -> Void

  /// Creates a report that calls `tell` with each progress value.
  public init(_ tell: @escaping @Sendable (LoadingProgress) -> Void) {
    self.tell = tell
  }

  /// A report whose progress values are ignored.
  public static let unread = ProgressReport { _ in }

  /// Reports a progress value.
  public func callAsFunction(_ progress: LoadingProgress) { tell(progress) }
}
