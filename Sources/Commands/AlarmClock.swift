import CExecutor
import Synchronization

/// Tells the time as `ContinuousClock` does, and wakes the program only when somebody's sleep is over.
///
/// A sleep of Swift's own clocks goes to Dispatch on Linux, which then looks after its threads once a
/// second for as long as the program lives; and one that is cancelled still wakes the program when it
/// would have been over. A screen that waits for a server must do neither.
struct AlarmClock: Clock {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// - Throws: `CancellationError`, at once when the task is cancelled.
  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let alarm = Alarm()
    let hasRung = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { alarm.set(after: now.duration(to: deadline), $0) }
    } onCancel: {
      alarm.cancel()
    }
    if !hasRung { try await ContinuousClock().sleep(until: deadline, tolerance: tolerance) }
  }
}

/// One sleep. Whoever comes first ends it: the time, or who cancels.
private final class Alarm: Sendable {
  private typealias Sleeper = CheckedContinuation<Bool, any Error>

  private enum State {
    case unset
    case waiting(Sleeper, number: Int64)
    case over
  }

  private let state = Mutex(State.unset)

  /// Gives the sleeper false where the system has no alarms.
  func set(after wait: Duration, _ sleeper: CheckedContinuation<Bool, any Error>) {
    // Who rings or cancels meanwhile waits for the number.
    state.withLock { state in
      guard case .unset = state else { return sleeper.resume(throwing: CancellationError()) }
      let context = Unmanaged.passRetained(self)
      let number = alarm_set(
        Self.nanoseconds(wait),
        { context in
          guard let context else { return }
          Unmanaged<Alarm>.fromOpaque(context).takeRetainedValue().end(with: .success(true))
        }, context.toOpaque())
      if number > 0 {
        state = .waiting(sleeper, number: number)
      } else {
        context.release()
        state = .over
        sleeper.resume(returning: false)
      }
    }
  }

  func cancel() {
    if let number = end(with: .failure(CancellationError())), alarm_cancel(number) != 0 {
      // It does not ring any more, so nobody else lets go of what it would have rung for.
      Unmanaged.passUnretained(self).release()
    }
  }

  /// - Returns: The alarm's number, if it was this that ended the sleep.
  @discardableResult
  private func end(with result: Result<Bool, any Error>) -> Int64? {
    state.withLock { state in
      defer { state = .over }
      guard case .waiting(let sleeper, let number) = state else { return nil }
      sleeper.resume(with: result)
      return number
    }
  }

  private static func nanoseconds(_ wait: Duration) -> Int64 {
    // Nobody waits for more than thirty years.
    let (seconds, attoseconds) = wait.components
    return min(max(seconds, 0), 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
