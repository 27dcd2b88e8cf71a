import Foundation

/// Does what waits for other programs on a thread of its own.
///
/// Swift's tasks have a thread for each core and no more: where two tests wait for programs there, the
/// servers of the others do not answer, and seem dead.
package func aside<Answer: Sendable>(
  _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Runs each part of a task on a thread of its own, which may wait as long as it likes.
package final class OwnThreads: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
