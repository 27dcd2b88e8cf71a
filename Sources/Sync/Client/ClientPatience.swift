/// How long a client waits for a server until it takes it for dead, in milliseconds.
package struct ClientPatience: Hashable, Sendable {
  /// For being connected, and again for the session to be opened.
  package var opening: Int64 = 10_000
  /// For the first answer to a query.
  package var answer: Int64 = 30_000
  /// For the word on a transaction, for each that is on its way.
  package var confirmation: Int64 = 6_000

  package init() {}
}
