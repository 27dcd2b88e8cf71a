import LiveQueries
import Synchronization
import Testing

@testable import Sync

@Suite("The newest result of a served query", .timeLimit(.minutes(1)))
struct NewestResultTests {
  private static func failure(_ number: Int) -> LiveResult {
    .failed(LiveFailure(message: "\(number)"))
  }

  @Test("a result that waits is replaced by a newer one")
  func newest() async {
    let (reading, began) = AsyncStream.makeStream(of: LiveResult.self)
    let (turns, allow) = AsyncStream.makeStream(of: Void.self)
    let results = NewestResult { result in
      began.yield(result)
      for await _ in turns { break }
    }
    var read = reading.makeAsyncIterator()
    results.put(Self.failure(1))
    #expect(await read.next() == Self.failure(1))
    results.put(Self.failure(2))
    results.put(Self.failure(3))
    allow.yield()
    #expect(await read.next() == Self.failure(3))
    allow.yield()
    // The reading task has ended or is about to; either way the next result is read.
    results.put(Self.failure(4))
    #expect(await read.next() == Self.failure(4))
    allow.finish()
  }

  @Test("canceling cancels the work on a result, and nothing is read after it")
  func cancel() async {
    let (events, note) = AsyncStream.makeStream(of: String.self)
    let results = NewestResult { _ in
      note.yield("began")
      await withTaskCancellationHandler {
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        note.yield("ended")
      } onCancel: {
        note.yield("canceled")
      }
    }
    var noted = events.makeAsyncIterator()
    results.put(Self.failure(1))
    #expect(await noted.next() == "began")
    results.put(Self.failure(2))
    results.cancel()
    #expect(await noted.next() == "canceled")
    #expect(await noted.next() == "ended")
    results.put(Self.failure(3))
    note.finish()
    #expect(await noted.next() == nil)
  }
}
