import Testing
import Triples

@Suite("Undoing a creation")
struct UndoingCreationTests {
  private let new = Company.id(9)

  /// Creates an entity and returns the transaction that undoes it.
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

  @Test("nothing is left if the entity is unchanged")
  func untouched() throws {
    var store = try Company.store()
    let before = store.count(of: "people")
    let undo = try made(in: &store)
    try store.transact(undo)
    #expect(store.count(of: "people") == before && store.checkInvariants() == [])
  }

  @Test("an entity that others link to is not removed")
  func stillReferenced() throws {
    var store = try Company.store()
    let undo = try made(in: &store)
    try store.transact(Transaction([Company.set(Company.bo, "people.manager", new)]))
    let error = #expect(throws: TransactionError.self) { try store.transact(undo) }
    #expect(
      error?.message
        == "Conflict: another entity now links to this entity by people.manager. Nothing was written."
    )
    try store.transact(Transaction([Company.set(Company.bo, "people.manager", Company.ana)]))
    try store.transact(undo)
    #expect(store.checkInvariants() == [])
  }

  @Test("values that others wrote are not removed")
  func changed() throws {
    var store = try Company.store()
    let undo = try made(in: &store)
    try store.transact(Transaction([Company.set(new, "people.name", "Other")]))
    let error = #expect(throws: TransactionError.self) { try store.transact(undo) }
    #expect(
      error?.message == #"Conflict: people.name has been changed to "Other". Nothing was written."#)
  }

  @Test("a value that was set first and changed since is kept")
  func set() throws {
    var store = try Company.store()
    let changes = try store.transact(Transaction([Company.set(Company.bo, "people.nick", "B")]))
    let undo = Transaction(undoing: changes, in: store)
    try store.transact(Transaction([Company.set(Company.bo, "people.nick", "Bobo")]))
    #expect(throws: TransactionError.self) { try store.transact(undo) }
    // A value that is gone already does not conflict.
    try store.transact(
      Transaction([.retractTriple(.id(Company.bo), Company.attributeID("people.nick"), "Bobo")]))
    try store.transact(undo)
    #expect(store.checkInvariants() == [])
  }
}
