/// The timeouts of a client, in milliseconds.
package struct ClientTimeouts: Hashable, Sendable {
  /// The timeout in milliseconds for connecting, and separately for opening the session.
  package var opening: Int64 = 10_000
  /// The timeout in milliseconds for the first answer to a query.
  package var answer: Int64 = 30_000
  /// The timeout in milliseconds for the confirmation of each sent mutation.
  package var confirmation: Int64 = 6_000

  package init() {}
}
