/// Combines equal calls that run at the same time into one shared call.
///
/// If a waiter is canceled, it throws `cancelled` immediately. The shared call is only canceled
/// when its last waiter leaves.
final class SingleFlight<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
  private let flights = Locked<[Key: Flight<Answer>]>([:])

  /// Joins the running call for `key` and returns its answer. If no call is running, starts one
  /// with `body`.
  func run(
    _ key: Key, _ body: @escaping @Sendable () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    let (flight, waiter) = flights.withLock { flights in
      if let flight = flights[key], let waiter = flight.join() { return (flight, waiter) }
      let flight = Flight<Answer>()
      flights[key] = flight
      flight.start { [weak self] () throws(DataSourceError) in
        defer {
          self?.flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
          }
        }
        return try await body()
      }
      return (flight, 0)
    }
    return try await flight.outcome(for: waiter).get()
  }

  /// Makes later calls start new work, instead of joining a call that is running now.
  func forgetAll() {
    flights.withLock { $0 = [:] }
  }
}

/// A shared call and its waiters.
private final class Flight<Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, DataSourceError>

  private struct State {
    var task: Task<Void, Never>?
    var outcome: Outcome?
    var nextWaiter = 1
    /// The waiters that have not left. Number 0 is the first caller.
    var waiters: Set<Int> = [0]
    var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
  }

  private let state = Locked(State())

  func start(_ body: @escaping @Sendable () async throws(DataSourceError) -> Answer) {
    let task = Task { [self] in
      do throws(DataSourceError) {
        end(.success(try await body()))
      } catch {
        end(.failure(error))
      }
    }
    state.withLock { $0.task = task }
  }

  /// Returns a number for a new waiter; nil when all waiters have left.
  func join() -> Int? {
    state.withLock { state in
      guard !state.waiters.isEmpty else { return nil }
      state.nextWaiter += 1
      state.waiters.insert(state.nextWaiter)
      return state.nextWaiter
    }
  }

  func outcome(for waiter: Int) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Outcome? = state.withLock { state in
          guard state.waiters.contains(waiter) else { return .failure(.cancelled) }
          if let outcome = state.outcome { return outcome }
          state.waiting[waiter] = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      leave(waiter)
    }
  }

  private func leave(_ waiter: Int) {
    let (continuation, task) = state.withLock { state in
      state.waiters.remove(waiter)
      return (state.waiting.removeValue(forKey: waiter), state.waiters.isEmpty ? state.task : nil)
    }
    task?.cancel()
    continuation?.resume(returning: .failure(.cancelled))
  }

  private func end(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: outcome) }
  }
}
