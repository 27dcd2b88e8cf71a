public import DataSources
public import Triples

/// A transaction for a store: `put(nil, in: TransactionQuery(transaction))`.
///
/// A local store returns from `put` when the transaction is durable. A remote store returns when
/// the server has confirmed the transaction or, without a connection, when the transaction is
/// safely queued; the snapshot's freshness is then `optimistic`. The returned snapshot includes the
/// transaction and has exactly its change set. A rejection is a `DataSourceError` with the code
/// `refused` and the store's message; nothing is changed then.
///
/// A transaction that undoes a queued transaction is not queued itself: the queued transaction is
/// dropped, and the snapshot has an empty change set and no transaction number.
public struct TransactionQuery: Query {
  /// The transaction to apply.
  public let transaction: Transaction
  /// The permanent id of the transaction. A store applies it only once per id.
  public let id: MutationID
  /// The author of the change, such as the address of a server's client; nil for the user of the
  /// process.
  public let author: String?

  /// Creates a change with a new id; see the properties.
  public init(
    _ transaction: Transaction, id: MutationID = MutationID(), author: String? = nil
  ) {
    self.transaction = transaction
    self.id = id
    self.author = author
  }
}

extension DataSourceError {
  /// Creates the error for a store's rejection of a transaction.
  public init(_ error: TransactionError) {
    self.init(
      .refused(type: error.type), error.message, operation: .put,
      hint: JSONWriter.text(error.hint))
  }
}
