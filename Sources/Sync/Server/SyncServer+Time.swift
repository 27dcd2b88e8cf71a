import DataSources
import LiveQueries
import Triples

/// Applies timeouts to clients and to requests to the store.
extension SyncServer {
  /// Sends a request to the store. Returns nil if the request times out; the store may still make
  /// the change later.
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

  /// Stops waiting for requests to the store that timed out.
  ///
  /// - Returns: Whether any requests are still running.
  private func dropLateCalls(at now: Int64) -> Bool {
    for (number, call) in calls where now - call.since >= limits.answerTime {
      call.work.cancel()
      calls.removeValue(forKey: number)?.waiter.resume(returning: nil)
    }
    return !calls.isEmpty
  }

  /// Closes connections whose session was not opened in time, and drops late requests. It runs only
  /// while there is something to wait for.
  func sweep() {
    guard sweeping == nil else { return }
    let period = Duration.milliseconds(min(limits.openingTime, limits.answerTime) / 3 + 1)
    sweeping = Task { [weak self, clock] in
      // Cancellation means that the server was closed.
      while (try? await clock.sleep(for: period)) != nil {
        guard await self?.dropOverdue() == true else { return }
      }
    }
  }

  /// Drops everything that is overdue. Returns whether there is still something to wait for.
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
