import Dispatch
import Synchronization

/// Runs asynchronous work to its end while this thread waits.
///
/// The program's own thread is the terminal's: it must not be given up to an executor, as an
/// asynchronous `main` would. Not to be called from within a task.
func waiting<Result: Sendable>(
  for work: @escaping @Sendable () async throws(Failure) -> Result
) throws(Failure) -> Result {
  let outcome = Outcome<Result>()
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
    preconditionFailure("Work signals its end after it has left its outcome")
  }
  return try value.get()
}

/// Where work leaves what came of it.
final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, Failure>?>(nil)
}
