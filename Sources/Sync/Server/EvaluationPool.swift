import CExecutor
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Threads for evaluating queries, separate from the network's threads.
///
/// Clients take turns. When a job has run for more than 10 ms, it counts as long: it may no longer
/// run on one of the cores, and the next job starts. So short queries and the network never wait
/// for long jobs.
package final class EvaluationPool: Sendable {
  /// The pool of this process. All servers of the process share it, because they share the cores.
  package static let shared = EvaluationPool()

  fileprivate struct Waiting {
    let job: UnownedJob
    let lane: EvaluationLane
  }

  private struct Running {
    let start: ContinuousClock.Instant
    let thread: Int32
    var isLong = false
  }

  private struct State {
    /// The queued jobs of each client. `turns` contains these clients in the order of their turns.
    var jobs: [Int: [Waiting]] = [:]
    var turns: [Int] = []
    var running: [Int: Running] = [:]
    var lastNumber = 0
    var threads = 0
    var idle = 0
    var isWatched = false

    var shortCount: Int { running.values.count { !$0.isLong } }

    mutating func dequeueNext() -> Waiting? {
      guard !turns.isEmpty else { return nil }
      let client = turns.removeFirst()
      guard var waiting = jobs[client], !waiting.isEmpty else { return nil }
      let next = waiting.removeFirst()
      jobs[client] = waiting.isEmpty ? nil : waiting
      if !waiting.isEmpty { turns.append(client) }
      return next
    }
  }

  /// The time in milliseconds after which a job counts as long.
  private static let shortTime = 10
  /// The maximum number of concurrent jobs.
  private static let maxThreads = 32

  private let cores = Int(thread_cores())
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let watch = DispatchSemaphore(value: 0)
  /// Whether the pool could start its first thread. If not, work runs in ordinary tasks.
  private let isAvailable: Bool

  private init() {
    isAvailable =
      thread_start({ _ in EvaluationPool.shared.watchForLong() }, nil, 256 << 10) == 0
  }

  /// Runs work in the pool. Canceling the calling task cancels the work.
  ///
  /// - Parameter client: The number of the client for which the work runs. Clients take turns.
  package func run<Result: Sendable>(
    for client: Int, _ work: @escaping @Sendable () -> Result
  ) async -> Result {
    let task =
      isAvailable
      ? Task(executorPreference: EvaluationLane(pool: self, client: client)) { @concurrent in work()
      }
      : Task.detached { @concurrent in work() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  fileprivate func enqueue(_ waiting: Waiting) {
    let client = waiting.lane.client
    let mustWake = state.withLock { state in
      if state.jobs[client] == nil { state.turns.append(client) }
      state.jobs[client, default: []].append(waiting)
      return state.shortCount < cores
    }
    if mustWake { wakeOne() }
  }

  /// Wakes an idle thread, or starts a new one, to run the next job.
  private func wakeOne() {
    let mustStart = state.withLock { state in
      if state.idle > 0 {
        state.idle -= 1
        return false
      }
      guard state.threads < Self.maxThreads else { return false }
      state.threads += 1
      return true
    }
    guard mustStart else {
      work.signal()
      return
    }
    let failure = thread_start({ _ in EvaluationPool.shared.runJobs() }, nil, 8 << 20)
    if failure != 0 { state.withLock { $0.threads -= 1 } }
  }

  private func runJobs() {
    let thread = thread_number()
    while true {
      let next = state.withLock { state -> (number: Int, waiting: Waiting, mustWatch: Bool)? in
        guard state.shortCount < cores, let waiting = state.dequeueNext() else {
          state.idle += 1
          return nil
        }
        state.lastNumber += 1
        state.running[state.lastNumber] = Running(start: .now, thread: thread)
        defer { state.isWatched = true }
        return (state.lastNumber, waiting, !state.isWatched)
      }
      guard let next else {
        work.wait()
        continue
      }
      if next.mustWatch { watch.signal() }
      next.waiting.job.runSynchronously(on: next.waiting.lane.asUnownedTaskExecutor())
      let wasLong = state.withLock { $0.running.removeValue(forKey: next.number)?.isLong }
      if wasLong == true { thread_confine(thread, 0) }
    }
  }

  /// Keeps long jobs off one core, and wakes threads for the jobs that can start instead. This
  /// method never returns.
  private func watchForLong() {
    while true {
      watch.wait()
      var isNeeded = true
      while isNeeded {
        usleep(UInt32(Self.shortTime) * 1_000)
        let (left, hasWaiting) = state.withLock { state in
          for (number, job) in state.running
          where !job.isLong && .now - job.start >= .milliseconds(Self.shortTime) {
            state.running[number]?.isLong = true
            thread_confine(job.thread, 1)
          }
          let isShort = state.shortCount > 0
          if !isShort, state.turns.isEmpty { state.isWatched = false }
          return (state.isWatched, !state.turns.isEmpty && state.shortCount < cores)
        }
        isNeeded = left
        if hasWaiting { wakeOne() }
      }
    }
  }
}

/// The executor that runs the jobs of one client in the pool.
private final class EvaluationLane: TaskExecutor {
  let pool: EvaluationPool
  let client: Int

  init(pool: EvaluationPool, client: Int) {
    self.pool = pool
    self.client = client
  }

  func enqueue(_ job: consuming ExecutorJob) {
    pool.enqueue(EvaluationPool.Waiting(job: UnownedJob(job), lane: self))
  }
}
