import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

/// A PostgreSQL database of its own, opened for changes.
struct TestShop {
  static let sql = """
    CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE TABLE makers (id int PRIMARY KEY, name text NOT NULL UNIQUE);
    CREATE TABLE things (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title varchar(10) NOT NULL,
      price numeric(30, 10) CHECK (price >= 0), is_new boolean, made date, at timestamptz,
      photo bytea, words text[], info jsonb, feeling mood, twice numeric
      GENERATED ALWAYS AS (price * 2) STORED, maker_id int REFERENCES makers);
    CREATE TABLE parts (
      code text PRIMARY KEY, thing_id bigint NOT NULL REFERENCES things ON DELETE CASCADE);
    CREATE TABLE screws (id uuid PRIMARY KEY, part text REFERENCES parts ON DELETE CASCADE,
      other text REFERENCES parts ON DELETE SET NULL, size int NOT NULL DEFAULT 1);
    CREATE TABLE labels (word text PRIMARY KEY);
    CREATE TABLE thing_labels (
      thing bigint REFERENCES things, word text REFERENCES labels, PRIMARY KEY (thing, word));
    CREATE TABLE nodes (id int PRIMARY KEY, up int NOT NULL REFERENCES nodes DEFERRABLE);
    CREATE TABLE log (what text);
    CREATE VIEW cheap AS SELECT * FROM things WHERE price < 5;
    INSERT INTO makers VALUES (1, 'Ann'), (2, 'Bo');
    INSERT INTO things (title, price, is_new, made, at, photo, words, info, feeling, maker_id) VALUES
      ('Lamp', 4.5, true, '2020-01-02', '2020-01-02 03:04:05.123456+00', '\\x00ff10', '{a,NULL}',
        '{"n": 12345678901234567890.5}', 'happy', 1),
      ('Chair', NULL, false, NULL, NULL, NULL, NULL, 'null', NULL, NULL);
    INSERT INTO parts VALUES ('bulb', 1), ('cord', 1);
    INSERT INTO screws VALUES ('00000000-0000-4000-8000-000000000001', 'bulb', 'cord', 3);
    INSERT INTO labels VALUES ('light'), ('home');
    INSERT INTO thing_labels VALUES (1, 'light'), (1, 'home'), (2, 'home');
    INSERT INTO log VALUES ('start');
    """

  let database: TestPostgres
  let store: PostgresStore
  let schema: Schema

  init(_ sql: String = TestShop.sql, user: String = "sonde") async throws {
    database = try PostgresServer.running().database(sql)
    store = try await PostgresStore.open(
      PostgresParameters(database.address(user: user)), access: .readWrite)
    schema = try await store.get(SchemaQuery()).store.schema
  }

  func id(_ namespace: String, _ number: Int64) -> EntityID {
    EntityID(number: number, in: EntityID.high(of: namespace)) ?? .random()
  }

  func id(_ namespace: String, key: String) -> EntityID {
    EntityID.derived(from: "\(namespace)/\(key)")
  }

  func attribute(_ namespace: String, _ label: String) -> AttributeID {
    schema.attribute(namespace, label)?.id
      ?? schema.link(namespace, label)?.attribute.id ?? AttributeID("none")
  }

  func member(_ entity: EntityID, of namespace: String) -> TransactionStep {
    let identity = schema.identity(of: namespace)?.id ?? AttributeID("none")
    return .addTriple(.id(entity), identity, .text(entity.text))
  }

  func set(
    _ entity: EntityID, _ label: String, _ value: Value, of namespace: String = "things"
  ) -> TransactionStep {
    .addTriple(.id(entity), attribute(namespace, label), value)
  }

  /// All rows of all tables, as the server spells them.
  func dump() throws -> String {
    try ["makers", "things", "parts", "screws", "labels", "thing_labels", "nodes", "log"]
      .map { try database.run("SELECT '\($0)', t::text FROM \($0) AS t ORDER BY 2") }
      .joined(separator: "\n")
  }

  func refusal(_ steps: [TransactionStep]) async -> String {
    await refusal(Transaction(steps))
  }

  func refusal(_ transaction: Transaction) async -> String {
    let error = await #expect(throws: DataSourceError.self) {
      try await store.transact(transaction)
    }
    guard case .refused? = error?.code else {
      return "not refused: \(String(describing: error))"
    }
    return error?.message ?? ""
  }
}
