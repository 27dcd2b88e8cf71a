/// Lets callers with equal keys through one after the other, in the order of their coming.
///
/// A caller that is cancelled while it waits goes through all the same, in its turn; what it does
/// next throws `cancelled`. Keys are forgotten when nobody stands at the gate.
actor KeyedGate<Key: Hashable & Sendable> {
  private var queues: [Key: [CheckedContinuation<Void, Never>]] = [:]

  func pass<Answer: Sendable>(
    _ key: Key, _ body: @Sendable () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    await enter(key)
    do throws(DataSourceError) {
      let answer = try await body()
      leave(key)
      return answer
    } catch {
      leave(key)
      throw error
    }
  }

  private func enter(_ key: Key) async {
    guard queues[key] != nil else {
      queues[key] = []
      return
    }
    await withCheckedContinuation { queues[key]?.append($0) }
  }

  private func leave(_ key: Key) {
    guard var queue = queues[key], !queue.isEmpty else {
      queues[key] = nil
      return
    }
    let next = queue.removeFirst()
    queues[key] = queue
    next.resume()
  }
}
