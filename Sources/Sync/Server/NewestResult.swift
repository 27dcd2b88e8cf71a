import LiveQueries
import Synchronization

/// Passes the results of one live query to a reader, and skips results that newer ones replace.
///
/// A task runs only while there is a result to read.
///
/// A task that waits for the next result would take about ten kilobytes for each query.
final class NewestResult: Sendable {
  private struct State {
    var result: LiveResult?
    var reading: Task<Void, Never>?
    var isCanceled = false
  }

  private let state = Mutex(State())
  private let read: @Sendable (LiveResult) async -> Void

  /// Creates a holder without a result.
  ///
  /// - Parameter read: Called with one result at a time. It is not called for a result that a newer
  ///   one replaced.
  init(read: @escaping @Sendable (LiveResult) async -> Void) {
    self.read = read
  }

  /// Replaces the unread result, and starts a task to read it if none is running.
  func put(_ result: LiveResult) {
    state.withLock { state in
      if state.isCanceled { return }
      state.result = result
      if state.reading == nil { state.reading = Task { await readAll() } }
    }
  }

  /// Drops the unread result, and cancels the task that reads the current one.
  func cancel() {
    state.withLock { state in
      state.reading?.cancel()
      state = State(isCanceled: true)
    }
  }

  private func readAll() async {
    while let result = removeUnread() { await read(result) }
  }

  /// Removes and returns the unread result. Nil if there is none; the reading task must then end.
  private func removeUnread() -> LiveResult? {
    state.withLock { state in
      guard let result = state.result else {
        state.reading = nil
        return nil
      }
      state.result = nil
      return result
    }
  }
}
