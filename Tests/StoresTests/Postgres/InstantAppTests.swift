import ConformanceCases
import DataSources
import InstaQL
import LiveQueries
import PostgresServers
import Stores
import Testing
import Triples

/// Apps in the database of a self-hosted Instant server.
@Suite(
  "The database of an Instant server",
  .enabled(if: PostgresServer.isTested), .timeLimit(.minutes(5)))
struct InstantAppTests {
  private static let tables = """
    CREATE TABLE apps (id uuid PRIMARY KEY, title text, created_at timestamp DEFAULT now(),
      status text DEFAULT 'active', deletion_marked_at timestamptz, connection_string bytea);
    CREATE TABLE attrs (id uuid PRIMARY KEY, app_id uuid, value_type text, cardinality text,
      is_unique bool, is_indexed bool, forward_ident uuid, etype text, label text, reverse_ident uuid,
      reverse_etype text, reverse_label text, checked_data_type text, indexing bool,
      setting_unique bool, checking_data_type bool, deletion_marked_at timestamptz);
    CREATE TABLE triples (app_id uuid, entity_id uuid, attr_id uuid, value jsonb, created_at bigint);
    CREATE TABLE transactions (id bigint GENERATED ALWAYS AS IDENTITY, app_id uuid,
      created_at timestamp DEFAULT now());
    INSERT INTO apps (id, title) VALUES ('a1111111-1111-1111-1111-111111111ca7', 'System');
    """

  private static let mine = "00000000-0000-4000-8000-00000000000a"
  private static let other = "00000000-0000-4000-8000-00000000000b"

  /// The facts of a file as rows of one app.
  private static func rows(of file: ConformanceFile, app: String) -> String {
    let store = file.store
    var lines = ["INSERT INTO apps (id, title) VALUES ('\(app)', '\(file.name)');"]
    func text(_ text: String?) -> String {
      text.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "NULL"
    }
    for attribute in store.schema.attributes {
      lines.append(
        "INSERT INTO attrs VALUES ('\(attribute.id)', '\(app)', '\(attribute.valueType.rawValue)', "
          + "'\(attribute.cardinality.rawValue)', \(attribute.isUnique), \(attribute.isIndexed), NULL, "
          + "\(text(attribute.namespace)), \(text(attribute.label)), NULL, "
          + "\(text(attribute.reverse?.namespace)), \(text(attribute.reverse?.label)), "
          + "\(text(attribute.checkedType?.rawValue)));")
    }
    for attribute in store.schema.attributes {
      for entity in store.rows(attribute.id, .stored).handles {
        let values = store.values(entity, attribute.id)
        for (value, time) in zip(values, store.createdTimes(entity, attribute.id)) {
          lines.append(
            "INSERT INTO triples VALUES ('\(app)', '\(store.id(of: entity))', '\(attribute.id)', "
              + "\(text(JSONWriter.text(value))), \(time));")
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  private func database(_ file: ConformanceFile) throws -> TestPostgres {
    try PostgresServer.running().database(
      Self.tables + Self.rows(of: file, app: Self.mine)
        + """
        INSERT INTO apps (id, title) VALUES ('\(Self.other)', 'other');
        INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label) VALUES
          ('00000000-0000-4000-9000-000000000001', '\(Self.other)', 'blob', 'one', 'users', 'secret'),
          ('00000000-0000-4000-9000-000000000002', '\(Self.mine)', 'blob', 'one', '$magicCodes', 'code');
        INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label, deletion_marked_at) VALUES
          ('00000000-0000-4000-9000-000000000003', '\(Self.mine)', 'blob', 'one', 'x_deleted$users',
           'x_deleted$gone', now());
        INSERT INTO triples VALUES
          ('\(Self.other)', '00000000-0000-4000-8000-000000000001',
           '00000000-0000-4000-9000-000000000001', '"top secret"', 1),
          ('\(Self.mine)', '00000000-0000-4000-8000-000000000002',
           '00000000-0000-4000-9000-000000000002', '"top secret"', 1),
          ('\(Self.mine)', '00000000-0000-4000-8000-000000000003',
           '00000000-0000-4000-9000-000000000003', '"top secret"', 1);
        """)
  }

  @Test("an app gives the answers of its own file", arguments: ["zeneca"])
  func answers(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let database = try database(file)
    let parameters = PostgresParameters(database.address() + "#\(name)")
    let store = try await PostgresStore.openAny(parameters)
    let found = try await store.get(AllObjectsQuery()).store
    #expect(found.schema.namespaces == file.store.schema.namespaces)
    for example in file.cases where example.error == nil {
      guard let document = try? QueryDocument(json: JSONWriter.text(example.query)) else {
        continue
      }
      let wanted = try? QueryEngine.json(document, in: file.store)
      let answer = try? QueryEngine.json(document, in: found)
      #expect(answer == wanted, "\(example.id)")
    }
    let error = await #expect(throws: DataSourceError.self) {
      try await store.put(nil, in: TransactionQuery(Transaction([])))
    }
    #expect(error?.message.contains("wss://") == true)
  }

  @Test("without an app the apps are listed, and a transaction of the server is noticed")
  func apps() async throws {
    let database = try database(try ConformanceFile("zeneca"))
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.openAny(PostgresParameters(database.address()))
    }
    #expect(error?.message.contains(Self.mine) == true)
    #expect(error?.message.contains("zeneca") == true)
    let store = try await PostgresStore.openAny(
      PostgresParameters(database.address() + "#" + Self.mine))
    var (before, isWritten) = (0, false)
    for try await snapshot in store.watch(AllObjectsQuery()) {
      let count = snapshot.store.count(of: "users")
      if !isWritten {
        (before, isWritten) = (count, true)
        let id = try #require(snapshot.store.schema.attribute("users", "id")?.id)
        try database.run(
          """
          BEGIN; INSERT INTO transactions (app_id) VALUES ('\(Self.mine)');
          INSERT INTO triples VALUES ('\(Self.mine)', '00000000-0000-4000-8000-0000000000ff',
            '\(id)', '"00000000-0000-4000-8000-0000000000ff"', 5);
          COMMIT;
          """)
      }
      if count == before + 1 { break }
    }
  }
}
