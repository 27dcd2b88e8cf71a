/// A mutex for each key. Callers with equal keys run one after the other, in order of arrival.
///
/// A caller that is canceled while it waits throws `cancelled` immediately. A key is removed when
/// no caller holds it or waits for it.
actor KeyedLock<Key: Hashable & Sendable> {
  private struct Waiter {
    var number: Int
    /// Resumes the waiting caller: with true when it gets the lock, with false after it was
    /// canceled.
    var continuation: CheckedContinuation<Bool, Never>
  }

  private var queues: [Key: [Waiter]] = [:]
  private var lastNumber = 0

  func pass<Answer: Sendable>(
    _ key: Key, _ body: @Sendable () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    guard await enter(key) else { throw .cancelled }
    do throws(DataSourceError) {
      let answer = try await body()
      leave(key)
      return answer
    } catch {
      leave(key)
      throw error
    }
  }

  private func enter(_ key: Key) async -> Bool {
    guard queues[key] != nil else {
      queues[key] = []
      return true
    }
    lastNumber += 1
    let number = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: false) }
        queues[key]?.append(Waiter(number: number, continuation: continuation))
      }
    } onCancel: {
      Task { await self.giveUp(number, key) }
    }
  }

  private func giveUp(_ number: Int, _ key: Key) {
    guard let place = queues[key]?.firstIndex(where: { $0.number == number }) else { return }
    queues[key]?.remove(at: place).continuation.resume(returning: false)
  }

  private func leave(_ key: Key) {
    guard var queue = queues[key], !queue.isEmpty else {
      queues[key] = nil
      return
    }
    let next = queue.removeFirst()
    queues[key] = queue
    next.continuation.resume(returning: true)
  }
}
