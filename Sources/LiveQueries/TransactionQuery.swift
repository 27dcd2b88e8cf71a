public import DataSources
public import Triples

/// A change as a store is asked for it: `put(nil, in: TransactionQuery(transaction))`.
///
/// `put` returns once the store answers for the change: a store in this process when it is durable,
/// a remote one when the server has confirmed it, or, without a connection, when it is safely kept to
/// be sent later; the snapshot's freshness then is `optimistic`. The snapshot that it returns shows
/// the change and carries exactly its change set. A refusal is `DataSourceError` with the code
/// `refused` and the store's own sentence; nothing is then changed.
///
/// A transaction that takes back a change that was not sent yet makes no second one: the first is
/// dropped, the snapshot's change set is empty, and it has no transaction's number.
public struct TransactionQuery: Query {
  public let transaction: Transaction
  /// Names this change for good: a store that is given the same one twice makes it once.
  public let id: MutationID
  /// Who asked for the change, such as the address of a server's client; nil for the user of the
  /// process.
  public let author: String?

  public init(
    _ transaction: Transaction, id: MutationID = MutationID(), author: String? = nil
  ) {
    self.transaction = transaction
    self.id = id
    self.author = author
  }
}

extension DataSourceError {
  /// A store's refusal of a transaction.
  public init(_ error: TransactionError) {
    self.init(
      .refused(type: error.type), error.message, operation: .put,
      hint: JSONWriter.text(error.hint))
  }
}
