import Dispatch
import Synchronization

/// Runs asynchronous work and blocks the calling thread until it ends.
///
/// The main thread owns the terminal and must not become an executor, as it would with an
/// asynchronous `main`. Do not call this function from a task.
func waiting<Result: Sendable>(
  for work: @escaping @Sendable () async throws(Failure) -> Result
) throws(Failure) -> Result {
  let outcome = ResultBox<Result>()
  let done = DispatchSemaphore(value: 0)
  Task {
    do throws(Failure) {
      let result = try await work()
      outcome.value.withLock { $0 = .success(result) }
    } catch {
      outcome.value.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  guard let value = outcome.value.withLock({ $0 }) else {
    preconditionFailure("The work ended without storing its result")
  }
  return try value.get()
}

/// Stores the result of work that another task performs.
final class ResultBox<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, Failure>?>(nil)
}
