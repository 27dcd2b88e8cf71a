import LiveQueries
import Synchronization

/// Holds the newest result of a query that was not read yet. A task reads the result, and ends when
/// no result is waiting.
///
/// If a task waited for the next result, it would cost about ten kilobytes for each query.
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
  /// - Parameter read: Called with one result at a time. A result that a newer one replaces is
  ///   skipped.
  init(read: @escaping @Sendable (LiveResult) async -> Void) {
    self.read = read
  }

  /// Replaces the unread result, and starts to read.
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

  /// Removes and returns the unread result. If it is nil, the reading task must end.
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
