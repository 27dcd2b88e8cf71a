import Foundation

/// Runs `body` on a new thread, which may block while it waits for another process.
///
/// Swift's tasks share one thread per core. Two tests that block there would stop the servers of the other
/// tests from answering.
package func onOwnThread<Answer: Sendable>(
  _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Runs each job of a task on a new thread, which may block.
package final class ThreadPerJobExecutor: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
