import NIOCore
import Synchronization

/// A queue of messages for one reader.
///
/// Messages wait in the queue until the network accepts them. Only one long message at a time is
/// passed to the network. So a slow reader takes little more memory than its current message. The
/// budget counts every byte until it is sent.
final class Outbox: Sendable {
  /// Writes one message to the channel without flushing, on the event loop.
  typealias Write = @Sendable (String, EventLoopPromise<Void>?) -> Void

  private struct State {
    var texts: [String] = []
    /// The index of the first message that was not yet passed to the network.
    var first = 0
    /// The number of bytes that were not yet passed to the network.
    var waiting = 0
    /// The number of bytes that were passed to the network, but not yet sent.
    var sending = 0
    /// The number of bytes passed to the network so far.
    var written = 0
    /// The size of the longest message since the queue was last empty, in bytes.
    var longest = 0
    var isScheduled = false
    var isClosed = false
    var whenRoom: [CheckedContinuation<Void, Never>] = []
  }

  /// The number of unsent bytes above which no further answer may be added.
  private static let roomBytes = 64 << 10

  private let channel: any Channel
  let budget: ByteBudget
  private let maxWaitingBytes: Int
  private let write: Write
  private let state = Mutex(State())

  /// Creates a queue for the reader at the other end of a channel.
  ///
  /// - Parameter maxWaitingBytes: The maximum size of queued messages in bytes. The longest message
  ///   is not counted, so that a single message of any size is accepted.
  init(
    _ channel: any Channel, budget: ByteBudget, maxWaitingBytes: Int, write: @escaping Write
  ) {
    self.channel = channel
    self.budget = budget
    self.maxWaitingBytes = maxWaitingBytes
    self.write = write
  }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// The number of bytes that are not sent yet.
  var unsentBytes: Int { state.withLock { $0.waiting + $0.sending } }

  /// The number of bytes passed to the network so far.
  var writtenBytes: Int { state.withLock(\.written) }

  /// Returns whether an answer of this size may be added. Few bytes may be unsent and, for a long
  /// answer, the common budget must not be exceeded.
  func hasRoom(for bytes: Int) -> Bool {
    unsentBytes <= Self.roomBytes && (bytes <= Self.roomBytes || !budget.isExceeded)
  }

  /// Adds a message.
  /// - Returns: False if the message was not added, because the reader is too slow or has
  ///   disconnected.
  func offer(_ text: String) -> Bool {
    let bytes = text.utf8.count
    let isFirst = state.withLock { state -> Bool? in
      if state.isClosed || state.waiting - state.longest > maxWaitingBytes { return nil }
      if state.waiting + state.sending > Self.roomBytes, budget.isExceeded { return nil }
      state.texts.append(text)
      state.waiting += bytes
      state.longest = max(state.longest, bytes)
      budget.reserve(bytes)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard let isFirst else { return false }
    if isFirst { channel.eventLoop.execute { self.flush() } }
    return true
  }

  /// Waits until there is room for an answer of this size, or the queue is closed.
  func waitForRoom(for bytes: Int) async {
    while !isClosed, !hasRoom(for: bytes) {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard !state.isClosed, state.waiting + state.sending > Self.roomBytes else {
            return false
          }
          state.whenRoom.append(continuation)
          return true
        }
        if !mustWait { continuation.resume() }
      }
      if !isClosed, !hasRoom(for: bytes) { await budget.waitForRelief() }
    }
  }

  // MARK: On the event loop

  /// Passes messages to the network as long as it accepts them.
  func flush() {
    var hasWritten = false
    while channel.isWritable, let batch = dequeueBatch() {
      hasWritten = true
      send(batch)
    }
    if hasWritten { channel.flush() }
  }

  /// Accepts no more messages, and passes all queued messages to the network.
  func finish() {
    close()
    while let batch = dequeueBatch() { send(batch) }
    channel.flush()
  }

  /// Drops the queued messages, because the connection was closed.
  func drop() {
    close()
    let bytes = state.withLock { state in
      defer { (state.texts, state.first, state.waiting) = ([], 0, 0) }
      return state.waiting
    }
    budget.giveBack(bytes)
  }

  /// Accepts no more messages.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.whenRoom = [] }
      return state.whenRoom
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Takes the next messages from the queue: several short ones, or one long one.
  private func dequeueBatch() -> (texts: ArraySlice<String>, bytes: Int)? {
    state.withLock { state in
      guard state.first < state.texts.count else {
        state.isScheduled = false
        (state.texts, state.first, state.longest) = ([], 0, 0)
        return nil
      }
      var end = state.first
      var bytes = 0
      while end < state.texts.count, bytes < Self.roomBytes {
        bytes += state.texts[end].utf8.count
        end += 1
      }
      let batch = state.texts[state.first..<end]
      if end == state.texts.count {
        (state.texts, state.first, state.longest) = ([], 0, 0)
      } else {
        for place in state.first..<end { state.texts[place] = "" }
        state.first = end
      }
      state.waiting -= bytes
      state.sending += bytes
      state.written += bytes
      return (batch, bytes)
    }
  }

  private func send(_ batch: (texts: ArraySlice<String>, bytes: Int)) {
    for text in batch.texts.dropLast() { write(text, nil) }
    let promise = channel.eventLoop.makePromise(of: Void.self)
    let bytes = batch.bytes
    promise.futureResult.whenComplete { _ in self.sent(bytes) }
    if let last = batch.texts.last { write(last, promise) } else { promise.succeed() }
  }

  private func sent(_ bytes: Int) {
    budget.giveBack(bytes)
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.sending -= bytes
      guard state.waiting + state.sending <= Self.roomBytes else { return [] }
      defer { state.whenRoom = [] }
      return state.whenRoom
    }
    for continuation in waiting { continuation.resume() }
  }
}
