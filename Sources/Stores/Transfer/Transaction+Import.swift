public import Triples

extension Transaction {
  /// Creates the transaction that imports another store; see ``ImportPlan``.
  ///
  /// - Throws: ``ImportError`` if an attribute has different kinds in the two stores.
  /// - Complexity: O(triples of `other`).
  public init(
    importing other: TripleStore, into store: TripleStore
  ) throws(ImportError) {
    self = try ImportPlan(other, into: store).transaction
  }
}

/// The error for an attribute that has different kinds in the two stores.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the attribute as `namespace.label`.
  public let name: String
  /// The reason why the attribute cannot be imported. Nil if the attribute is a link, or a list, in
  /// only one of the stores.
  let reason: String?

  init(name: String, reason: String? = nil) { (self.name, self.reason) = (name, reason) }

  /// Converts the error of a store that rejected the import.
  public init(_ error: TransactionError) { self.init(name: "", reason: error.message) }

  public var description: String { message }

  /// A sentence that says what failed and what to do next.
  public var message: String {
    reason
      ?? "\(name) is a link or a list in only one of the two stores. Rename it in one of them first."
  }
}
