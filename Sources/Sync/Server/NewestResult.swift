import LiveQueries
import Synchronization

/// Passes the results of one live query to a reader. It skips a result if a newer one replaces it.
///
/// A task runs only while there is a result to read.
///
/// If a task waited for the next result all the time, it would take about ten kilobytes for each
/// query.
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
  ///   result has replaced.
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

  /// Drops the unread result, and cancels the task that is reading a result.
  func cancel() {
    state.withLock { state in
      state.reading?.cancel()
      state = State(isCanceled: true)
    }
  }

  private func readAll() async {
    while let result = removeUnread() { await read(result) }
  }

  /// Removes and returns the unread result. If there is none, returns nil, and the reading task
  /// must end.
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
