import ConformanceSupport
import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

/// Apps in the database of a self-hosted Instant server.
@Suite(
  "The database of an Instant server",
  .withPostgres, .enabled(if: ConformanceFile.folder != nil), .timeLimit(.minutes(5)))
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

  @Test("an app gives the answers of its own file", arguments: ["movies", "zeneca"])
  func answers(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let database = try database(file)
    let parameters = PostgresParameters(database.address() + "#\(name)")
    let store = try await PostgresStore.openAny(parameters)
    let found = try await store.get(AllObjectsQuery()).store
    // The database does not keep the order in which they were made.
    #expect(found.schema.namespaces.sorted() == file.store.schema.namespaces.sorted())
    for example in file.cases where example.error == nil {
      guard let document = try? QueryDocument(json: JSONWriter.text(example.query)) else {
        continue
      }
      guard let wanted = try? QueryEngine.json(document, in: file.store) else { continue }
      let answer = try QueryEngine.json(document, in: found)
      #expect(
        try JSONReader.value(of: Array(answer.utf8)).isSameJSON(
          as: JSONReader.value(of: Array(wanted.utf8))), "\(example.id): \(answer) and \(wanted)")
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

  @Test("a role with the documented privileges reads an app, and no other app")
  func rights() async throws {
    let database = try database(try ConformanceFile("zeneca"))
    try database.run(
      """
      DO $$ BEGIN CREATE ROLE app_reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      GRANT SELECT ON attrs, triples, transactions TO app_reader;
      GRANT SELECT (id, title, created_at, status, deletion_marked_at) ON apps TO app_reader;
      """)
    let store = try await PostgresStore.openAny(
      PostgresParameters(database.address(user: "app_reader") + "#zeneca"))
    let found = try await store.get(AllObjectsQuery()).store
    #expect(found.count(of: "users") > 0)
    for attribute in found.schema.attributes {
      #expect(!attribute.namespace.hasPrefix("$magic") && !attribute.label.contains("deleted$"))
      for entity in found.rows(attribute.id, .stored).handles {
        #expect(found.value(entity, attribute.id) != "top secret")
      }
    }
  }

  @Test("a transaction that is committed after a later one is noticed")
  func outOfOrder() async throws {
    let database = try database(try ConformanceFile("zeneca"))
    try database.run(
      "INSERT INTO transactions (id, app_id) OVERRIDING SYSTEM VALUE VALUES (6, '\(Self.mine)')")
    let store = try await PostgresStore.openAny(
      PostgresParameters(database.address() + "#" + Self.mine))
    var before: Int?
    for try await snapshot in store.watch(AllObjectsQuery()) {
      let count = snapshot.store.count(of: "users")
      guard let known = before else {
        before = count
        let id = try #require(snapshot.store.schema.attribute("users", "id")?.id)
        try database.run(
          """
          BEGIN; INSERT INTO transactions (id, app_id) OVERRIDING SYSTEM VALUE VALUES (5, '\(Self.mine)');
          INSERT INTO triples VALUES ('\(Self.mine)', '00000000-0000-4000-8000-0000000000ff',
            '\(id)', '"00000000-0000-4000-8000-0000000000ff"', 5);
          COMMIT;
          """)
        continue
      }
      if count == known + 1 { break }
    }
  }
}
