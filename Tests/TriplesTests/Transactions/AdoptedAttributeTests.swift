import Testing
import Triples

@Suite("An attribute that another client created first")
struct AdoptedAttributeTests {
  @Test("two clients with the same new names write to the same attributes")
  func sameNames() throws {
    let empty = TripleStore()
    let (a, b) = (EntityID.random(), EntityID.random())
    // Both start from the empty store.
    let first = try Self.writing(a, linkedTo: b, in: empty)
    let second = try Self.writing(b, linkedTo: a, in: empty)
    var store = empty
    try store.transact(first)
    try store.transact(second)
    #expect(store.schema.attributes(of: "notes").map(\.label).sorted() == ["id", "title"])
    #expect(store.count(of: "notes") == 2)
    for entity in [a, b] {
      let handle = try #require(store.handle(of: entity))
      let title = try #require(store.schema.attribute("notes", "title"))
      let next = try #require(store.schema.attribute("notes", "next"))
      #expect(store.value(handle, title.id) == .text(entity.text))
      #expect(store.values(handle, next.id) == [.text((entity == a ? b : a).text)])
    }
    #expect(store.checkInvariants() == [])
  }

  @Test("a name in use for another type of value is rejected")
  func otherKind() throws {
    let empty = TripleStore()
    var builder = TransactionBuilder()
    builder.link("notes", .id(EntityID.random().text), "title", [.id(EntityID.random().text)])
    let link = try builder.transaction(in: empty)
    var store = empty
    try store.transact(try Self.writing(.random(), linkedTo: .random(), in: empty))
    #expect(throws: TransactionError.self) { try store.transact(link) }
  }

  private static func writing(
    _ entity: EntityID, linkedTo other: EntityID, in store: TripleStore
  ) throws -> Transaction {
    var builder = TransactionBuilder()
    builder.update("notes", .id(entity.text), ["title": .text(entity.text)])
    builder.link("notes", .id(entity.text), "next", [.id(other.text)])
    return try builder.transaction(in: store)
  }
}
