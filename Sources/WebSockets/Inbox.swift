import Synchronization

/// Texts that have come and were not read yet; it says when enough of them lie there.
package final class Inbox: Sendable {
  private struct State {
    var texts: [String] = []
    var first = 0
    var bytes = 0
    var reader: CheckedContinuation<String?, Never>?
    var isFull = false
    var isEnded = false
  }

  /// Beyond either, nothing more is taken from the network until half is read.
  private static let mostTexts = 256
  private static let mostBytes = 1 << 20

  private let state = Mutex(State())

  /// Whether so much lies here that nothing more is taken from the network.
  package var isFull: Bool { state.withLock(\.isFull) }

  package init() {}

  /// Puts a text in.
  /// - Returns: Whether the inbox is full now.
  package func deliver(_ text: String) -> Bool {
    let (reader, isFull) = state.withLock { state -> (CheckedContinuation<String?, Never>?, Bool) in
      if state.isEnded { return (nil, true) }
      if let reader = state.reader {
        state.reader = nil
        return (reader, false)
      }
      state.texts.append(text)
      state.bytes += text.utf8.count
      // Full it stays until half is read: who reads says then that there is room, and only then.
      if state.texts.count - state.first >= Self.mostTexts || state.bytes >= Self.mostBytes {
        state.isFull = true
      }
      return (nil, state.isFull)
    }
    reader?.resume(returning: text)
    return isFull
  }

  /// No more texts come. Those that are here can still be read.
  package func end() {
    let reader = state.withLock { state in
      state.isEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// The next text, as soon as there is one; nil when no more will come.
  ///
  /// - Parameter hasRoom: Called when the inbox was full and is no more.
  package func next(hasRoom: @Sendable () -> Void) async -> String? {
    await withCheckedContinuation { continuation in
      var text: String?
      var isRoomy = false
      let isReady = state.withLock { state in
        guard state.first < state.texts.count else {
          if !state.isEnded { state.reader = continuation }
          return state.isEnded
        }
        text = Self.takeFirst(&state)
        let left = state.texts.count - state.first
        if state.isFull, left <= Self.mostTexts / 2, state.bytes <= Self.mostBytes / 2 {
          state.isFull = false
          isRoomy = true
        }
        return true
      }
      if isRoomy { hasRoom() }
      if isReady { continuation.resume(returning: text) }
    }
  }

  private static func takeFirst(_ state: inout State) -> String {
    let text = state.texts[state.first]
    state.texts[state.first] = ""
    state.first += 1
    state.bytes -= text.utf8.count
    if state.first == state.texts.count {
      state.texts.removeAll(keepingCapacity: state.first <= 64)
      state.first = 0
    } else if state.first > mostTexts {
      state.texts.removeFirst(state.first)
      state.first = 0
    }
    return text
  }
}
