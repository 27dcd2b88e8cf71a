public import DataSources
public import Triples

/// A transaction for a store: `put(nil, in: TransactionQuery(transaction))`.
///
/// A local store returns from `put` when the transaction is durable. A remote store returns when
/// the server has confirmed the transaction or, without a connection, when the transaction is
/// safely queued; the snapshot's freshness is then `optimistic`. The returned snapshot includes the
/// transaction and has exactly its change set. A rejection is a `DataSourceError` with the code
/// `refused` and the store's message. In that case nothing has changed.
///
/// A transaction that undoes a queued transaction is not queued itself. Instead, the queued
/// transaction is dropped, and the returned snapshot has an empty change set and no transaction
/// number.
public struct TransactionQuery: Query {
  /// The transaction to apply.
  public let transaction: Transaction
  /// The id of the transaction, which never changes. A store applies a transaction only once per
  /// id.
  public let id: MutationID
  /// The author of the change, such as the address of a client of the server. Nil stands for the
  /// user of this process.
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
