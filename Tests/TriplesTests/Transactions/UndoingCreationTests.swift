import Testing
import Triples

@Suite("Taking back what was made")
struct UndoingCreationTests {
  private let new = Company.id(9)

  /// Somebody is made, and this takes it back.
  private func made(in store: inout TripleStore) throws -> Transaction {
    let changes = try store.transact(
      Transaction([
        Company.set(new, "people.id", new), Company.set(new, "people.name", "New"),
        Company.set(new, "people.manager", Company.ana),
      ]), at: 200)
    var undo = Transaction(undoing: changes, in: store)
    undo.undoing = MutationID()
    return undo
  }

  @Test("nothing is left of it where nobody touched it")
  func untouched() throws {
    var store = try Company.store()
    let before = store.count(of: "people")
    let undo = try made(in: &store)
    try store.transact(undo)
    #expect(store.count(of: "people") == before && store.checkInvariants() == [])
  }

  @Test("what others lead to it is not taken from under them")
  func ledTo() throws {
    var store = try Company.store()
    let undo = try made(in: &store)
    try store.transact(Transaction([Company.set(Company.bo, "people.manager", new)]))
    let error = #expect(throws: TransactionError.self) { try store.transact(undo) }
    #expect(error?.message == "people.manager leads to it meanwhile: nothing was written.")
    try store.transact(Transaction([Company.set(Company.bo, "people.manager", Company.ana)]))
    try store.transact(undo)
    #expect(store.checkInvariants() == [])
  }

  @Test("what others wrote into it is not taken away with it")
  func changed() throws {
    var store = try Company.store()
    let undo = try made(in: &store)
    try store.transact(Transaction([Company.set(new, "people.name", "Other")]))
    let error = #expect(throws: TransactionError.self) { try store.transact(undo) }
    #expect(
      error?.message == #"people.name was changed to "Other" meanwhile: nothing was written."#)
  }

  @Test("a value that was set where there was none stays where it is another one since")
  func set() throws {
    var store = try Company.store()
    let changes = try store.transact(Transaction([Company.set(Company.bo, "people.nick", "B")]))
    let undo = Transaction(undoing: changes, in: store)
    try store.transact(Transaction([Company.set(Company.bo, "people.nick", "Bobo")]))
    #expect(throws: TransactionError.self) { try store.transact(undo) }
    // One that is gone already need not go.
    try store.transact(
      Transaction([.retractTriple(.id(Company.bo), Company.attributeID("people.nick"), "Bobo")]))
    try store.transact(undo)
    #expect(store.checkInvariants() == [])
  }
}
