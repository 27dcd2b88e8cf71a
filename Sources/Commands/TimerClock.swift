import CExecutor
import Synchronization

/// A clock like `ContinuousClock` that keeps an idle program asleep until a sleep ends.
///
/// On Linux, Swift's own clocks use Dispatch. After the first sleep, Dispatch wakes the program
/// once a second until it ends, and a canceled sleep still wakes the program at the sleep's
/// deadline.
struct TimerClock: Clock {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until a deadline.
  ///
  /// - Throws: `CancellationError`, immediately when the task is canceled.
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

/// A sleep of a task. It ends when its timer fires or the task is canceled, whichever comes first.
private final class Alarm: Sendable {
  private typealias Sleeper = CheckedContinuation<Bool, any Error>

  private enum State {
    case unset
    case waiting(Sleeper, number: Int64)
    case over
  }

  private let state = Mutex(State.unset)

  /// Starts the timer. If the system has no timers, resumes the sleeper with false.
  func set(after wait: Duration, _ sleeper: CheckedContinuation<Bool, any Error>) {
    // The lock makes the timer and a cancellation wait until the timer's number is known.
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
      // The timer will not fire, so the reference that the timer holds is released here.
      Unmanaged.passUnretained(self).release()
    }
  }

  /// Ends the sleep.
  ///
  /// - Returns: The number of the timer if this call ended the sleep; nil otherwise.
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
    // A sleep is limited to about thirty years.
    let (seconds, attoseconds) = wait.components
    return min(max(seconds, 0), 1_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
