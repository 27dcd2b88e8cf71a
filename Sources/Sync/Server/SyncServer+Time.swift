import DataSources
import LiveQueries
import Triples

/// How long clients and the store may take.
extension SyncServer {
  /// Asks the store; nil when it takes too long, be a change made in the end or not.
  func ask(
    _ question:
      @escaping @Sendable (any StoreDataSource) async throws(DataSourceError)
      -> StoreSnapshot
  ) async -> StoreAnswer? {
    let number = makeNumber()
    return await withCheckedContinuation { waiter in
      let work = Task { [store] in
        let answer: StoreAnswer
        do throws(DataSourceError) { answer = .success(try await question(store)) } catch {
          answer = .failure(error)
        }
        finish(number, answer)
      }
      calls[number] = StoreCall(since: stopwatch.milliseconds, work: work, waiter: waiter)
      sweep()
    }
  }

  private func finish(_ number: Int, _ answer: StoreAnswer) {
    calls.removeValue(forKey: number)?.waiter.resume(returning: answer)
  }

  /// Waits no longer for a store that takes too long.
  /// - Returns: Whether there is something left to wait for.
  private func dropLateCalls(at now: Int64) -> Bool {
    for (number, call) in calls where now - call.since >= limits.answerTime {
      call.work.cancel()
      calls.removeValue(forKey: number)?.waiter.resume(returning: nil)
    }
    return !calls.isEmpty
  }

  /// Lets go who does not open a session, and gives up what takes too long. It looks only while there
  /// is something to look for.
  func sweep() {
    guard sweeping == nil else { return }
    let period = Duration.milliseconds(min(limits.openingTime, limits.answerTime) / 3 + 1)
    sweeping = Task { [weak self, clock] in
      // Cancelled when the server closes, which is the end of it.
      while (try? await clock.sleep(for: period)) != nil {
        guard await self?.dropOverdue() == true else { return }
      }
    }
  }

  /// Whether there is somebody left to wait for.
  private func dropOverdue() -> Bool {
    let now = stopwatch.milliseconds
    for (id, client) in clients where client.session.isOverdue(at: now) { leave(id) }
    let waitsForQueries = dropLate(at: now)
    let waitsForCalls = dropLateCalls(at: now)
    let isNeeded =
      waitsForQueries || waitsForCalls || clients.values.contains { !$0.session.isOpen }
    if !isNeeded { sweeping = nil }
    return isNeeded
  }
}
