import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import ServerStores
import Stores
import Sync
import SyncTestSupport
import Testing
import Triples
import WebSockets

private struct Crew: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), members = LinkField<Sailor>("members")
  }
  static let namespace = "crews"
  static let fields = Fields()

  let name: String
  let members: [Sailor]

  init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.name)
    members = row.follows("members") ? try row.related(Self.fields.members) : []
  }
}

private struct Sailor: QueryEntity {
  struct Fields: Sendable {
    let name = Field<String>("name"), age = Field<Int>("age"), born = Field<Instant>("born")
    let crew = LinkField<Crew>("crew"), mentor = LinkField<Sailor>("mentor")
    let pupils = LinkField<Sailor>("pupils")
  }
  static let namespace = "sailors"
  static let fields = Fields()

  let name: String
  let age: Int?

  init(row: DataRow) throws(QueryError) {
    name = try row.value(Self.fields.name)
    age = try row.optional(Self.fields.age)
  }
}

@Suite("Typed changes of a store", .timeLimit(.minutes(5)))
struct EntityChangesTests {
  @Test(
    "fill an empty store and change it",
    arguments: [StoreKind.memory, .file, .loopback])
  func filled(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var changes = EntityChanges()
      let crew = changes.insert(Crew.self, .set(\.name, "Argo"))
      let ada = changes.insert(
        Sailor.self, .set(\.name, "Ada"), .set(\.age, 36), .link(\.crew, crew))
      try await store.apply(changes)
      let bo = try await store.insert(
        Sailor.self, .set(\.name, "Bo"), .link(\.crew, crew), .link(\.mentor, ada))
      try await store.update(Sailor.self, ada, .set(\.name, "Ada L."), .clear(\.age))

      let sailors = EntityQuery<Sailor>.from().order(by: \.name)
      let all = try await sailors.all(in: store)
      #expect(all.map(\.name) == ["Ada L.", "Bo"])
      #expect(all.map(\.age) == [nil, nil])
      // Both ends of a link that the types declare.
      let crews = try await EntityQuery<Crew>.from().with(\.members).all(in: store)
      #expect(Set(crews.first?.members.map(\.name) ?? []) == ["Ada L.", "Bo"])
      #expect(
        try await sailors.filter { $0.pupils.name == "Bo" }.ids(in: store) == [ada])

      try await store.update(Sailor.self, bo, .unlink(\.mentor, ada))
      #expect(try await sailors.filter { $0.pupils.name == "Bo" }.count(in: store) == 0)
      try await store.delete(Sailor.self, bo)
      #expect(try await sailors.count(in: store) == 1)
    }
  }

  @Test("are applied together or not at all")
  func atomic() async throws {
    let store = MemoryStore()
    let ada = try await store.insert(Sailor.self, .set(\.name, "Ada"))
    var changes = EntityChanges()
    changes.insert(Sailor.self, .set(\.name, "Bo"))
    changes.insert(Sailor.self, id: ada, .set(\.name, "again"))
    let again = changes

    let error = await failure { () throws(DataSourceError) in try await store.apply(again) }

    guard case .refused = error?.code else {
      Issue.record("an existing entity was inserted: \(String(describing: error))")
      return
    }
    let missing = await failure { () throws(DataSourceError) in
      try await store.update(Sailor.self, .random(), .set(\.name, "nobody"))
    }
    guard case .refused = missing?.code else {
      Issue.record("a missing entity was updated: \(String(describing: missing))")
      return
    }
    #expect(try await EntityQuery<Sailor>.from().all(in: store).map(\.name) == ["Ada"])
  }

  @Test("report a field that the store has as a link")
  func kinds() async throws {
    struct Wrong: QueryEntity {
      struct Fields: Sendable {
        let crew = Field<String>("crew"), name = LinkField<Wrong>("name")
      }
      static let namespace = "sailors"
      static let fields = Fields()
      init(row: DataRow) throws(QueryError) {}
    }
    let store = MemoryStore()
    let crew = try await store.insert(Crew.self, .set(\.name, "Argo"))
    let ada = try await store.insert(Sailor.self, .set(\.name, "Ada"), .link(\.crew, crew))

    let first = await failure { () throws(DataSourceError) in
      try await store.update(Wrong.self, ada, .set(\.crew, "Argo"))
    }
    let second = await failure { () throws(DataSourceError) in
      try await store.update(Wrong.self, ada, .link(\.name, ada))
    }

    #expect(first?.message == "Cannot save sailors.crew as a field: it is a link in this store.")
    #expect(second?.message == "Cannot save sailors.name as a link: it is a field in this store.")
  }

  @Test("reach a server through a store that a program opens by its address")
  func server() async throws {
    let server = SyncServer(store: MemoryStore(), limits: .forTests)
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: .forTests, .forTests)
    let address =
      "ws://\(listener.address.host):\(listener.address.port)/5a000000-0000-4000-8000-00000000a001"
    let store = try ServerStore.open(address, access: .readWrite)
    let reader = try ServerStore.open(address)

    try await store.insert(Sailor.self, .set(\.name, "Ada"))

    #expect(try await EntityQuery<Sailor>.from().all(in: reader).map(\.name) == ["Ada"])
    let refused = await failure { () throws(DataSourceError) in
      try await reader.insert(Sailor.self, .set(\.name, "Bo"))
    }
    #expect(refused != nil)
    await store.close()
    await reader.close()
    await listener.close()
  }

  @Test("an address that is none is an illegal argument")
  func addresses() async {
    for text in ["", "http://localhost", "ws://", "ws://user@host/app", "localhost:8888"] {
      let error = await failure { () throws(DataSourceError) in try ServerStore.open(text) }
      #expect(error?.code == .illegalArgument, "\(text)")
    }
  }
}
