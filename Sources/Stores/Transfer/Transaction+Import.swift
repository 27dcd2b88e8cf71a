public import Triples

extension Transaction {
  /// What brings all that another store holds into this one: the transaction of an ``ImportPlan``.
  ///
  /// - Throws: ``ImportError`` when both have an attribute of one name and of different kinds.
  /// - Complexity: O(triples of `other`).
  public init(
    importing other: TripleStore, into store: TripleStore
  ) throws(ImportError) {
    self = try ImportPlan(other, into: store).transaction
  }
}

/// Two stores have an attribute of the same name and of different kinds.
public struct ImportError: Error, Hashable, Sendable {
  /// Namespace and label.
  public let name: String
  /// What is wrong with it; nil when it is a link or a list in one of the stores only.
  let reason: String?

  init(name: String, reason: String? = nil) { (self.name, self.reason) = (name, reason) }

  /// A store refuses what is imported into it.
  public init(_ error: TransactionError) { self.init(name: "", reason: error.message) }

  /// One sentence: what, and what to do next.
  public var message: String {
    reason
      ?? "\(name) is a link or a list in one of the two stores and not in the other: rename it first."
  }
}
