/// What carries messages between a client and a server: the plug for whatever has a wire.
///
/// A message is one text, a JSON object or, when several are sent together, an array of them.
/// Messages arrive whole and in order, or the channel ends.
package protocol MessageChannel: Sendable {
  /// What the other side says, in order. The stream ends when the channel is closed by either side.
  var incoming: AsyncStream<String> { get }

  /// Sends one text. It returns when the text is taken over for sending, and waits while the other
  /// side is slow to read.
  /// - Throws: ``ChannelClosed`` when it cannot be sent any more.
  func send(_ text: String) async throws(ChannelClosed)

  /// Takes one text over for sending without waiting, for those who speak to many.
  ///
  /// - Returns: False when nothing was taken over: the other side is so slow to read that the channel
  ///   holds as much for it as it ever will, or it is gone.
  func offer(_ text: String) -> Bool

  /// Whether so little waits to be sent that an answer of so many bytes may be offered.
  func hasRoom(for bytes: Int) -> Bool

  /// Returns when there is room for an answer of so many bytes, or the channel is closed.
  func waitForRoom(for bytes: Int) async

  /// Why the channel carries nothing any more, in words; nil while it does, or when nobody knows.
  var endReason: String? { get }

  /// Called when the server has opened the session of the other side.
  func didOpen()

  /// Ends the channel; what was taken over for sending is still sent. Repeating the call does nothing.
  func close() async
}

extension MessageChannel {
  package var endReason: String? { nil }
  package func hasRoom(for bytes: Int) -> Bool { true }
  package func waitForRoom(for bytes: Int) async {}
  package func didOpen() {}
}

/// Why a channel carries nothing any more, in words.
package struct ChannelClosed: Error, Hashable, Sendable {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}
