/// How far something long, such as opening a store or importing into one, has come.
public struct LoadingProgress: Sendable, Hashable {
  /// What is counted.
  public enum Unit: String, Sendable, Hashable {
    case bytes, rows
  }

  public var done: Int
  /// Nil when nobody knows how much there is.
  public var total: Int?
  public var unit: Unit

  public init(done: Int, of total: Int?, _ unit: Unit) {
    self.done = done
    self.total = total
    self.unit = unit
  }

  /// Between 0 and 1; nil when the whole is not known.
  public var fraction: Double? {
    total.map { $0 <= 0 ? 1 : min(1, max(0, Double(done) / Double($0))) }
  }
}

/// Where long work tells how far it has come: any number of calls, from any thread.
public struct ProgressReport: Sendable {
  private let tell: @Sendable (LoadingProgress) -> Void

  public init(_ tell: @escaping @Sendable (LoadingProgress) -> Void) {
    self.tell = tell
  }

  /// A report that nobody reads.
  public static let unread = ProgressReport { _ in }

  public func callAsFunction(_ progress: LoadingProgress) { tell(progress) }
}
