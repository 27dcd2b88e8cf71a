import Synchronization

/// A clock whose time changes only when a test advances it.
///
/// ```swift
/// async let answer = cache.get(query)
/// await clock.sleepers(1)      // until one task sleeps
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A time on the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates the time that is `offset` after the creation of the clock.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns the time that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration from this time to `other`.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var next = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var audience: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]

    mutating func makeNumber() -> Int {
      next += 1
      return next
    }
  }

  private let state = Mutex(State())

  /// Creates a clock at time zero.
  public init() {}

  /// The current time: the sum of all advances.
  public var now: Instant { state.withLock(\.now) }
  /// The resolution of the clock: one nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Advances the clock, and wakes the tasks whose deadline has passed, earliest deadline first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Waits until at least `count` tasks sleep on this clock, or until the waiting task is canceled.
  public func sleepers(_ count: Int) async {
    let number = state.withLock { $0.makeNumber() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.cancelled.remove(number) != nil || state.sleepers.count >= count { return true }
          state.audience[number] = (count, continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let waiting = state.audience.removeValue(forKey: number)
        if waiting == nil { state.cancelled.insert(number) }
        return waiting
      }
      waiting?.continuation.resume()
    }
  }

  /// Suspends until the clock is advanced to `deadline`.
  /// - Throws: `CancellationError` when the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { $0.makeNumber() }
    let slept = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(Sleeper(deadline: deadline, continuation: continuation), as: number)
      }
    } onCancel: {
      cancel(number)
    }
    if !slept { throw CancellationError() }
  }

  private func enter(_ sleeper: Sleeper, as number: Int) {
    let (verdict, ready) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
      if state.cancelled.remove(number) != nil { return (false, []) }
      if sleeper.deadline <= state.now { return (true, []) }
      state.sleepers[number] = sleeper
      let count = state.sleepers.count
      let ready = state.audience.filter { $0.value.count <= count }
      for number in ready.keys { state.audience[number] = nil }
      return (nil, ready.values.map(\.continuation))
    }
    if let verdict { sleeper.continuation.resume(returning: verdict) }
    for continuation in ready { continuation.resume() }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      if sleeper == nil { state.cancelled.insert(number) }
      return sleeper
    }
    sleeper?.continuation.resume(returning: false)
  }
}
