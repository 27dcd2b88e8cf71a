import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

@Suite(
  "What is never changed in the database of an Instant server", .withPostgres,
  .timeLimit(.minutes(5)))
struct InstantGuardTests {
  private static let third = "00000000-0000-4000-8000-00000000000c"

  private func database() throws -> TestPostgres {
    try PostgresServer.running().database(
      InstantDatabase.tables + """
        INSERT INTO apps (id, title, created_at) VALUES
          ('\(InstantDatabase.mine)', 'Shop', '2024-05-06'),
          ('\(InstantDatabase.other)', 'Shop', '2024-05-07'), ('\(Self.third)', 'Club', '2024-05-08');
        INSERT INTO triples (app_id, entity_id, attr_id, value, created_at) VALUES
          ('\(InstantDatabase.mine)', '\(Self.third)', '\(Self.third)', '1', 1);
        """)
  }

  private func refusal(_ body: () async throws -> Void) async -> String {
    await #expect(throws: StoreError.self) { try await body() }?.message ?? ""
  }

  @Test("no triggers are installed in it, and no tables are exported into it")
  func guards() async throws {
    let database = try database()
    for address in [database.address(), database.address() + "#Club"] {
      let parameters = PostgresParameters(address)
      let triggers = await refusal {
        _ = try await PostgresTriggers.installation(in: parameters, on: [])
      }
      #expect(triggers.contains("Sonde installs no triggers there"), "\(triggers)")
      let tables = await refusal {
        _ = try await StoreExport.write(WholeStore(StoreSnapshot(TripleStore())), to: parameters)
      }
      #expect(tables.contains("Use another database"), "\(tables)")
    }
    #expect(try database.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "4")
  }

  @Test("the list of apps shows their sizes and ages, and an ambiguous title lists only its apps")
  func list() async throws {
    let database = try database()
    let all = await refusal {
      _ = try await PostgresStore.openAny(PostgresParameters(database.address()))
    }
    #expect(
      all.contains("#\(InstantDatabase.mine)  Shop, 1 triple, created 2024-05-06"), "\(all)")
    #expect(all.contains("#\(Self.third)  Club, 0 triples, created 2024-05-08"), "\(all)")
    let same = await refusal {
      _ = try await PostgresStore.openAny(PostgresParameters(database.address() + "#Shop"))
    }
    #expect(
      same.hasPrefix("The title 'Shop' is ambiguous: 2 apps have it. Open one with #ID"), "\(same)")
    #expect(same.contains(InstantDatabase.other) && !same.contains("Club"), "\(same)")
  }

  @Test("it is opened as read-only tables on request")
  func tables() async throws {
    var parameters = PostgresParameters(try database().address())
    parameters.opensTables = true
    let store = try await PostgresStore.openAny(parameters)
    let namespaces = try await store.get(SchemaQuery()).store.schema.namespaces
    #expect(namespaces.contains("triples") && namespaces.contains("attrs"))
    let writing = await refusal {
      _ = try await PostgresStore.openAny(parameters, access: .readWrite)
    }
    #expect(writing.contains("sonde wss://"), "\(writing)")
  }

  @Test("an app says how changes are noticed and where it can be changed", arguments: [1_000, 0])
  func app(limit: Int) async throws {
    let store = try await PostgresStore.openAny(
      PostgresParameters(try database().address() + "#Club"), maxLoadedTriples: limit)
    let snapshot = try await store.get(AllObjectsQuery())
    #expect(snapshot.changeDetection == "polling every second, without rules")
    #expect(snapshot.readOnlyReason?.contains("sonde wss://HOST/\(Self.third)") == true)
  }
}
