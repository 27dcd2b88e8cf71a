/// How a query is to be answered, where more than one way is right.
public struct QueryOptions: Hashable, Sendable {
  /// Whether a relation that the schema says leads to at most one entity gives that object itself,
  /// or nothing, instead of a list.
  public var infersCardinality: Bool

  /// The greatest JSON answer in bytes; cyclic relations can make any size out of few entities.
  public var mostBytes: Int

  public init(infersCardinality: Bool = false, mostBytes: Int = 1 << 30) {
    self.infersCardinality = infersCardinality
    self.mostBytes = mostBytes
  }

  public static let standard = QueryOptions()
}
