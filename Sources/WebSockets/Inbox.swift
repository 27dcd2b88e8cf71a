import Synchronization

/// A queue of received messages that reports when it is full.
package final class Inbox: Sendable {
  private struct State {
    var texts: [String] = []
    var first = 0
    var bytes = 0
    var reader: CheckedContinuation<String?, Never>?
    var isFull = false
    var isEnded = false
  }

  /// The maximum number of queued texts, and their maximum total size in bytes. When either is
  /// reached, the network is not read until the queue is half empty.
  private static let maxTexts = 256
  private static let maxBytes = 128 << 10

  private let state = Mutex(State())

  /// Whether the queue is full. The network is not read then.
  package var isFull: Bool { state.withLock(\.isFull) }

  package init() {}

  /// Adds a message.
  /// - Returns: Whether the queue is full now.
  package func deliver(_ text: String) -> Bool {
    let (reader, isFull) = state.withLock { state -> (CheckedContinuation<String?, Never>?, Bool) in
      if state.isEnded { return (nil, true) }
      if let reader = state.reader {
        state.reader = nil
        return (reader, false)
      }
      state.texts.append(text)
      state.bytes += text.utf8.count
      // From now on, the queue counts as full until half of it is read. Then the reader reports
      // that there is room.
      if state.texts.count - state.first >= Self.maxTexts || state.bytes >= Self.maxBytes {
        state.isFull = true
      }
      return (nil, state.isFull)
    }
    reader?.resume(returning: text)
    return isFull
  }

  /// Ends the queue. The messages in it can still be read.
  package func end() {
    let reader = state.withLock { state in
      state.isEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Waits for the next message and returns it; nil at the end.
  ///
  /// - Parameter hasRoom: Called when the queue was full and now has room again.
  package func next(hasRoom: @Sendable () -> Void) async -> String? {
    await withCheckedContinuation { continuation in
      var text: String?
      var isRoomy = false
      let isReady = state.withLock { state in
        guard state.first < state.texts.count else {
          if !state.isEnded { state.reader = continuation }
          return state.isEnded
        }
        text = Self.removeFirst(&state)
        let left = state.texts.count - state.first
        if state.isFull, left <= Self.maxTexts / 2, state.bytes <= Self.maxBytes / 2 {
          state.isFull = false
          isRoomy = true
        }
        return true
      }
      if isRoomy { hasRoom() }
      if isReady { continuation.resume(returning: text) }
    }
  }

  private static func removeFirst(_ state: inout State) -> String {
    let text = state.texts[state.first]
    state.texts[state.first] = ""
    state.first += 1
    state.bytes -= text.utf8.count
    if state.first == state.texts.count {
      state.texts.removeAll(keepingCapacity: state.first <= 64)
      state.first = 0
    } else if state.first > maxTexts {
      state.texts.removeFirst(state.first)
      state.first = 0
    }
    return text
  }
}
