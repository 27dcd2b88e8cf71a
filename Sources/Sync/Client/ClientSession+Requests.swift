import DataSources
package import Triples

// Sending requests to the server.
extension ClientSession {
  /// Subscribes to a query, until the query is unsubscribed. Repeated calls have no effect.
  package mutating func subscribe(to query: Value, at now: Int64) -> [Action] {
    guard queries.insert(query) else { return [] }
    guard let connection = readyConnection else { return [] }
    if appStatus == .disabled { return [.queryFailed(query, Self.disabled)] }
    return timed([.send(queries.send(query, as: newID(), at: now), over: connection)])
  }

  package mutating func unsubscribe(from query: Value) -> [Action] {
    guard let wasSent = queries.remove(query), wasSent, let connection = readyConnection else {
      return []
    }
    return [.send(ClientEnvelope(.removeQuery(query), eventID: newID()), over: connection)]
  }

  /// Sends a mutation as soon as the session is ready, and again until the server answers.
  package mutating func transact(
    _ id: MutationID, _ transaction: Transaction, at now: Int64
  ) -> [Action] {
    if appStatus == .readOnly { return [.refused(id, Self.readOnly)] }
    guard mutations.insert(id, transaction) else { return [] }
    guard let connection = readyConnection else { return [] }
    return timed(mutations.send(id, at: now).map { [.send($0, over: connection)] } ?? [])
  }

  /// Returns whether a mutation was sent, but not answered yet.
  package func wasSent(_ id: MutationID) -> Bool { mutations.wasSent(id) }

  /// Cancels a mutation that was not sent yet. Returns false if the mutation may have been sent.
  package mutating func cancelUnsent(_ id: MutationID) -> Bool { mutations.cancelUnsent(id) }

  static let disabled = ServerError(
    type: "app-disabled", "The server has disabled this app.", hint: ["status": "disabled"])
  package static let readOnly = ServerError(
    type: "app-read-only",
    "The server is read-only. Its operator can allow changes with: sonde serve --write",
    hint: ["status": "read-only"])
}
