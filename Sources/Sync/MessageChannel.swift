/// Carries messages between a client and a server.
///
/// A message is a JSON object. A text contains one message, or an array of several. Messages arrive
/// complete and in order until the channel ends.
package protocol MessageChannel: Sendable {
  /// The texts that the other end sends, in order, until either end closes the channel.
  var incoming: AsyncStream<String> { get }

  /// Sends a text. The call returns when the text is queued. If the other end reads slowly, that
  /// may take some time.
  ///
  /// - Throws: ``ChannelClosed`` if the text can no longer be sent.
  func send(_ text: String) async throws(ChannelClosed)

  /// Queues a text for sending without waiting.
  ///
  /// - Returns: False if the text was not queued, because the queue is full or the channel is
  ///   closed.
  func offer(_ text: String) -> Bool

  /// Returns whether the queue is short enough for an answer of this size.
  func hasRoom(for bytes: Int) -> Bool

  /// Waits until there is room for an answer of this size, or the channel is closed.
  func waitForRoom(for bytes: Int) async

  /// The reason why the channel was closed. Nil while the channel is open, or if the reason is
  /// unknown.
  var endReason: String? { get }

  /// Informs the channel that the server has accepted the session of the channel's client.
  func didOpen()

  /// Closes the channel, after sending all queued texts. Repeated calls have no effect.
  func close() async
}

extension MessageChannel {
  package var endReason: String? { nil }
  package func hasRoom(for bytes: Int) -> Bool { true }
  package func waitForRoom(for bytes: Int) async {}
  package func didOpen() {}
}

/// The error that a channel is closed. It contains the reason.
package struct ChannelClosed: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  package var description: String { reason }

  package init(reason: String) {
    self.reason = reason
  }
}
