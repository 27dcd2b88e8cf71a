import DataSources
import LiveQueries
import Testing
import Triples

@Suite("Pending mutations")
struct PendingMutationsTests {
  private let first = MutationID("first"), second = MutationID("second")
  private var pending = PendingMutations()

  init() {
    pending.add(Orchard.tree(Orchard.id(1), "Oak", .create), id: first, at: 100)
    pending.add(Orchard.tree(Orchard.id(2), "Elm"), id: second, at: 100)
  }

  @Test("mutations are in order, each later than the one before")
  func order() {
    #expect(pending.mutations.map(\.id) == [first, second])
    #expect(pending.mutations[0].created < pending.mutations[1].created)
    #expect(pending.mutations[0].order < pending.mutations[1].order)
  }

  @Test("a mutation added twice is contained once")
  func twice() {
    var pending = pending
    pending.add(Orchard.tree(Orchard.id(3), "Ash"), id: first, at: 900)
    #expect(pending == self.pending)
  }

  @Test("unconfirmed mutations are sent in order")
  func waiting() {
    var pending = pending
    #expect(pending.waiting.map(\.id) == [first, second])
    _ = pending.confirm(first, as: 7, at: 103)
    #expect(pending.waiting.map(\.id) == [second])
  }

  @Test("a mutation of an earlier process does not fail because it arrived before")
  func mayHaveArrived() throws {
    #expect(pending.waiting[0].sentTransaction == Orchard.tree(Orchard.id(1), "Oak", .create))
    let restored = try #require(PendingMutation(json: pending.mutations[0].json))
    #expect(restored.sentTransaction == Orchard.tree(Orchard.id(1), "Oak"))
    #expect(restored.transaction == Orchard.tree(Orchard.id(1), "Oak", .create))
  }

  @Test("a confirmed mutation is removed when all current answers include it")
  func dropping() {
    var pending = pending
    let outcome2 = pending.confirm(first, as: 7, at: 103)
    #expect(outcome2)
    let outcome3 = pending.confirm(first, as: 7, at: 104)
    #expect(!outcome3)
    #expect(pending.missing(from: AnswerMoment(processed: 6)).map(\.id) == [first, second])
    #expect(pending.missing(from: AnswerMoment(processed: 7)).map(\.id) == [second])
    #expect(pending.missing(from: AnswerMoment(processed: nil)).map(\.id) == [first, second])
    pending.drop(shownBy: [AnswerMoment(processed: 9), AnswerMoment(processed: 6)], at: 110)
    #expect(pending.mutations.count == 2)
    pending.drop(shownBy: [AnswerMoment(processed: 9), AnswerMoment(processed: 7)], at: 110)
    #expect(pending.mutations.map(\.id) == [second])
  }

  @Test("without current answers a confirmed mutation is removed")
  func nobodyWatches() {
    var pending = pending
    let outcome4 = pending.confirm(first, as: 7, at: 103)
    #expect(outcome4)
    pending.drop(shownBy: [], at: 110)
    #expect(pending.mutations.map(\.id) == [second])
  }

  @Test("a rejected mutation is removed once")
  func rejecting() {
    var pending = pending
    let outcome5 = pending.reject(first)
    #expect(outcome5?.id == first)
    let outcome6 = pending.reject(first)
    #expect(outcome6 == nil)
    #expect(pending.mutations.map(\.id) == [second])
  }

  @Test("beyond the maximum, old confirmed mutations are removed")
  func cutting() {
    var pending = PendingMutations()
    for number in 0..<PendingMutations.maxMutations {
      let id = MutationID("\(number)")
      pending.add(Orchard.tree(Orchard.id(number), "Oak"), id: id, at: 0)
      if number < 150 { _ = pending.confirm(id, as: number + 50, at: number < 100 ? 0 : 20_000) }
    }
    pending.drop(shownBy: [AnswerMoment(processed: 10)], at: 30_001)
    #expect(pending.mutations.count == 100)
  }

  @Test("unconfirmed mutations are counted with their entities")
  func counting() {
    var pending = pending
    _ = pending.confirm(first, as: 7, at: 103)
    #expect(pending.changes.count == 1 && pending.changes.entities == [Orchard.id(2)])
  }

  @Test("stored mutations are restored unchanged")
  func kept() async throws {
    var pending = pending
    _ = pending.confirm(first, as: 7, at: 103)
    let source = InMemoryDataSource<[UInt8]>()
    try await PendingArchive(source).save(pending.mutations)
    let (restored, unreadable) = try await PendingArchive(source).restore()
    #expect(unreadable == 0)
    // Times of another process have no meaning in this one.
    #expect(
      restored.mutations.map(\.state) == [.confirmed(transactionID: 7, at: 0), .waiting])
    #expect(restored.mutations.map(\.transaction) == pending.mutations.map(\.transaction))
    #expect(restored.mutations.map(\.order) == pending.mutations.map(\.order))
    try await PendingArchive(source).forget([first])
    let (rest, _) = try await PendingArchive(source).restore()
    #expect(rest.mutations.map(\.id) == [second])
  }

  @Test("an unreadable mutation does not affect others")
  func unreadable() async throws {
    let source = InMemoryDataSource<[UInt8]>()
    try await PendingArchive(source).save(pending.mutations)
    try await source.put(Array(#"{"id":"first","order":1}"#.utf8), id: "first")
    let (restored, unreadable) = try await PendingArchive(source).restore()
    #expect(unreadable == 1)
    #expect(restored.mutations.map(\.id) == [second])
  }

  @Test("mutations made after a restart follow the restored ones")
  func orderAfterRestart() {
    var later = PendingMutations()
    for mutation in pending.mutations.reversed() { later.insert(mutation) }
    later.add(Orchard.tree(Orchard.id(3), "Ash"), id: MutationID("third"), at: 1)
    #expect(later.mutations.map(\.id.text) == ["first", "second", "third"])
    #expect(later.mutations[2].created > later.mutations[1].created)
  }
}
