import LiveQueries
import Stores
import Synchronization
import Testing
import Triples

/// A store that forgets soon.
private let limits: LogLimits = {
  var limits = LogLimits()
  limits.maxTransactions = 8
  limits.changesInterval = 4
  limits.idsInterval = 4
  limits.recognition = recognition
  return limits
}()

private let recognition = RecognitionLimits(maxAge: 1_000, maxPerClient: 20, maxTotal: 50)

private func change(of author: String, _ title: String = "write") -> TransactionQuery {
  TransactionQuery(Sample.task(1, title: title), author: author)
}

@Suite("Repeated changes", .timeLimit(.minutes(10)))
struct RepeatedChangeTests {
  @Test(
    "is recognized by a file after changes of other clients and after reopening")
  func otherClients() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(
        file: path, ifMissing: .create, now: { 0 })
      store.limitLog(limits)
      try await store.transact(Sample.schema)
      let early = change(of: "192.0.2.1")
      try await store.put(nil, in: early)
      for number in 0..<100 {
        try await store.put(nil, in: change(of: "192.0.2.2", "t\(number)"))
      }
      let last = store.snapshot().transactionID
      #expect(try await store.put(nil, in: early).transactionID == last)
      await store.close()
      #expect(try await StoreCheck.run(file: path).damage.count == 0)
      let again = try await LocalStore.open(file: path)
      #expect(try await again.put(nil, in: early).transactionID == last)
      #expect(again.snapshot().titles == ["t99"])
      await again.close()
    }
  }

  @Test("are recognized by a store file within limits of number and age")
  func bounds() async throws {
    try await withFile { path in
      let now = Mutex<Int64>(0)
      let store = try await LocalStore.open(
        file: path, ifMissing: .create, now: { now.withLock { $0 } })
      store.limitLog(limits)
      try await store.transact(Sample.schema)
      let changes = (0..<40).map { change(of: "192.0.2.1", "t\($0)") }
      for change in changes { try await store.put(nil, in: change) }
      let last = store.snapshot().transactionID
      #expect(try await store.put(nil, in: changes[25]).transactionID == last)
      #expect(try await store.put(nil, in: changes[5]).transactionID == last + 1)
      now.withLock { $0 = 100_000 }
      for number in 0..<12 { try await store.put(nil, in: change(of: "192.0.2.2", "\(number)")) }
      #expect(try await store.put(nil, in: changes[25]).transactionID == last + 14)
      await store.close()
    }
  }

  @Test("are recognized in memory within the client's own limit")
  func inMemory() {
    var made = RecentMutations(recognition)
    let early = change(of: "192.0.2.1")
    made.insert(early, at: 0)
    let busy = (0..<100).map { _ in change(of: "192.0.2.2") }
    for change in busy { made.insert(change, at: 0) }
    #expect(made.contains(early.id, at: 1_000))
    #expect(made.contains(busy[80].id, at: 0) && !made.contains(busy[50].id, at: 0))
    #expect(!made.contains(early.id, at: 1_001))
  }

  @Test(
    "is forgotten in memory when there are many clients: the busiest lose their oldest")
  func manyClients() {
    var made = RecentMutations(recognition)
    let single = change(of: "192.0.2.1")
    made.insert(single, at: 0)
    let others = (0..<10).map { client in (0..<10).map { _ in change(of: "\(client)") } }
    for client in others { for change in client { made.insert(change, at: 0) } }
    #expect(made.contains(single.id, at: 0))
    let known = others.joined().count { made.contains($0.id, at: 0) }
    #expect(known <= 62 && known >= 40)
    #expect(others.allSatisfy { made.contains($0[9].id, at: 0) })
  }

  private func withFile(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body($0 + "/a.sonde") }
  }
}
