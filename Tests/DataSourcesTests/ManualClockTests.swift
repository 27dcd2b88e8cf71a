import DataSourcesTesting
import TestSupport
import Testing

@Suite struct `A manual clock` {
  @Test func `stops waiting for sleepers when the waiting task is canceled`() async throws {
    let clock = ManualClock()
    let waiting = Task { await clock.sleepers(1) }

    waiting.cancel()

    try await waiting.awaited("the end of the wait")
  }
}
