import DataSources
import Foundation
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// What a PostgreSQL database is as a store.
@Suite(
  "A PostgreSQL database",
  .withPostgres, .timeLimit(.minutes(5)))
struct PostgresReadingTests {
  private func store(_ sql: String) async throws -> (PostgresStore, TestPostgres) {
    let database = try PostgresServer.running().database(sql)
    return (try await PostgresStore.open(PostgresParameters(database.address())), database)
  }

  private func answer(_ text: String, _ store: PostgresStore) async throws -> Answer {
    let document = try QueryDocument(text: text)
    let snapshot = try await store.get(document)
    let plan = document.plans[0]
    return try QueryEngine.answer(
      plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
  }

  private func values(_ text: String, _ label: String, _ store: PostgresStore) async throws
    -> [Value?]
  {
    let answer = try await answer(text, store)
    return answer.rows.map { answer.value($0, label) }
  }

  @Test("only the first columns of valid indexes have an index")
  func indexes() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE t (id int PRIMARY KEY, a text, b text, c text, d text UNIQUE, e jsonb, f text);
      CREATE INDEX ON t (a); CREATE INDEX ON t (b, c); CREATE INDEX ON t USING gin (e);
      CREATE INDEX ON t (lower(f));
      CREATE TABLE parts (id int, word text, other text) PARTITION BY RANGE (id);
      CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (9);
      CREATE INDEX ON parts (word);
      CREATE VIEW seen AS SELECT a, b FROM t;
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    let indexed = schema.attributes.filter { !$0.isIdentity && $0.hasIndex }.map {
      "\($0.namespace).\($0.label)"
    }
    #expect(
      indexed.sorted() == ["parts.word", "t.a", "t.b", "t.d", "t.e", "t.id"], "\(indexed)")
    // Conditions with any operator are possible on the others, too.
    #expect(schema.attribute("t", "c")?.isIndexed == true)
  }

  @Test(
    "every type is shown by its value",
    arguments: [
      ("int2", "'-32768'", .integer(-32768)), ("int8", "'9223372036854775807'", .integer(.max)),
      ("float4", "'0.1'", .double(0.1)), ("float8", "'1e300'", .double(1e300)),
      ("float8", "'NaN'", "NaN"), ("float8", "'-Infinity'", "-Infinity"),
      ("numeric", "'12.50'", .double(12.5)),
      ("numeric", "'12345678901234567890.123'", "12345678901234567890.123"),
      ("numeric", "'1e21'", .double(1e21)), ("numeric", "'0.0000001'", .double(1e-7)),
      ("numeric", "'-12.3400e-5'", .double(-0.0001234)),
      ("jsonb", "'[1e21, 1e-7, 1e19]'", [.double(1e21), .double(1e-7), .double(1e19)]),
      ("numeric(30,0)", "'42'", .integer(42)), ("bool", "'t'", true), ("text", "'Ärger'", "Ärger"),
      ("char(5)", "'ab'", "ab"), ("varchar(3)", "'abc'", "abc"), ("name", "'n'", "n"),
      ("uuid", "'6F9619FF-8B86-D011-B42D-00C04FC964FF'", "6f9619ff-8b86-d011-b42d-00c04fc964ff"),
      ("date", "'2025-01-10'", "2025-01-10"), ("date", "'infinity'", "infinity"),
      ("timestamptz", "'2025-01-10 10:00:00.123456+05:45'", "2025-01-10T04:15:00.123456Z"),
      ("timestamp", "'2025-01-10 10:00'", "2025-01-10T10:00:00"),
      ("timestamptz", "'0044-03-15 12:00:00+00 BC'", "0044-03-15 12:00:00+00 BC"),
      ("timestamptz", "'10000-01-01 12:00:00+00'", "10000-01-01 12:00:00+00"),
      ("timestamp", "'10000-01-01 12:00:00'", "10000-01-01 12:00:00"),
      ("time", "'10:00'", "10:00:00"), ("interval", "'1 day 2 hours'", "P1DT2H"),
      ("jsonb", "'{\"a\": [1, null]}'", ["a": [1, .null]]), ("json", "'7'", .integer(7)),
      ("int[]", "'{1,NULL,3}'", [1, .null, 3]), ("text[]", "'{\"a,b\",c}'", ["a,b", "c"]),
      ("bytea", "'\\xdeadbeef'", ["bytes": 4]), ("inet", "'10.0.0.1/8'", "10.0.0.1/8"),
      ("inet", "'10.0.0.1'", "10.0.0.1"), ("inet", "'::1'", "::1"),
      ("int4range", "'[1,5)'", "[1,5)"), ("bit(3)", "'101'", "101"), ("xml", "'<a/>'", "<a/>"),
      ("point", "'(1,2)'", "(1,2)"), ("money", "'3.50'", .double(3.5)),
      ("mood", "'so so'", "so so"), ("positive", "7", .integer(7)),
      ("pair", "'(1,two)'", ["number": 1, "word": "two"]), ("text", "NULL", .null),
    ] as [(String, String, Value)])
  func types(_ type: String, _ literal: String, _ wanted: Value) async throws {
    let (store, _) = try await store(
      """
      CREATE TYPE mood AS ENUM ('glad', 'so so');
      CREATE DOMAIN positive AS int CHECK (value > 0);
      CREATE TYPE pair AS (number int, word text);
      CREATE TABLE things (id int PRIMARY KEY, v \(type));
      INSERT INTO things VALUES (1, \(literal)), (2, NULL);
      """)
    #expect(try await values("things order id", "v", store) == [wanted, .null])
  }

  @Test("NaN, infinite numbers and addresses are found by the text that is shown")
  func shownTexts() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE things (id int PRIMARY KEY, score float8, size numeric, host inet);
      INSERT INTO things VALUES (1, 'NaN', 1, '10.0.0.1'), (2, 2, 'NaN', '10.0.0.1/24'),
        (3, 'Infinity', NULL, '::1'), (4, '-Infinity', 3, NULL);
      """)
    for (condition, ids) in [
      ("score = \"NaN\"", [1]), ("score = \"Infinity\"", [3]), ("score != \"NaN\"", [2, 3, 4]),
      ("size = \"NaN\"", [2]), ("score in (\"NaN\", \"-Infinity\", 2)", [1, 2, 4]),
      ("host = \"10.0.0.1\"", [1]), ("host = \"10.0.0.1/24\"", [2]), ("host = \"::1\"", [3]),
      ("host like \"%.1\"", [1]), ("host = \"10.0.0.1/32\"", []),
    ] as [(String, [Int64])] {
      let found = try await values("things filter \(condition) order id", "id", store)
      #expect(found == ids.map { .integer($0) }, "\(condition)")
    }
    let schema = try await store.get(SchemaQuery()).store.schema
    for text in ["score = \"NaN\"", "score in (\"NaN\", 2)", "size != \"Infinity\""] {
      _ = try QueryDocument(text: "things filter \(text)", schema: schema)
    }
    for text in ["score = \"nan\"", "score > \"NaN\""] {
      #expect(throws: QueryError.self) {
        try QueryDocument(text: "things filter \(text)", schema: schema)
      }
    }
  }

  @Test("in a database without an encoding, bytes that are not UTF-8 are shown and replaced")
  func anyBytes() async throws {
    let database = try PostgresServer.running().database(
      """
      SET client_encoding = 'SQL_ASCII';
      CREATE TABLE things (id int PRIMARY KEY, word text);
      INSERT INTO things VALUES (1, E'caf\\xe9'), (2, E'\\xc3\\xa4');
      """,
      options: "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let store = try await PostgresStore.open(
      PostgresParameters(database.address()), access: .readWrite)
    #expect(try await values("things order id", "word", store) == ["caf\u{FFFD}", "ä"])
    #expect(store.remark?.contains("bytes that are not UTF-8") == true)
    #expect(
      try await store.wholeStore(bytes: .counted).remarks.contains { $0.contains("not UTF-8") })
    let schema = try await store.get(SchemaQuery()).store.schema
    let word = try #require(schema.attribute("things", "word"))
    let id = try #require(EntityID(number: 1, in: EntityID.high(of: "things")))
    let made = try await store.transact(Transaction([.addTriple(.id(id), word.id, "ö")]))
    #expect(made.changes == nil)
    let written = try database.run(
      "SELECT encode(convert_to(word, 'SQL_ASCII'), 'hex') FROM things WHERE id = 1")
    #expect(written == "c3b6")
  }

  @Test("dates BC and after the year 9999 are compared as they are shown, in SQL and in memory")
  func distantDates() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE p (id int PRIMARY KEY, born date, at timestamptz, name text);
      INSERT INTO p VALUES
        (1, '0044-03-15 BC', '0044-03-15 12:00:00+00 BC', 'a'),
        (2, '2020-01-01', '2020-01-01 00:00:00+00', 'a'),
        (3, '12000-01-01', '12000-01-01 00:00:00.5+00', 'a'),
        (4, '0100-01-01 BC', '0100-01-01 12:00:00+00 BC', 'a');
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    for (condition, ids) in [
      (#"born < "0044-03-15 BC""#, [4]), (#"born <= "0044-03-15 BC""#, [1, 4]),
      (#"born = "0044-03-15 BC""#, [1]), (#"born in ("0100-01-01 BC", "2020-01-01")"#, [2, 4]),
      (#"born < "12000-01-01""#, [1, 2, 4]), (#"born = "12000-01-01""#, [3]),
      (#"born > "9999-12-31""#, [3]), (#"born > "9999-01-01 BC""#, [1, 2, 3, 4]),
      (#"born < "9999-01-01 BC""#, []), (#"born = "9999-01-01 BC""#, []),
      (#"at = "0044-03-15 12:00:00+00 BC""#, [1]), (#"at < "0044-03-15 12:00:00 BC""#, [4]),
      (#"at > "12000-01-01 00:00:00+00""#, [3]), (#"at > "12000-01-01 00:00:00.5+00""#, []),
    ] as [(String, [Int64])] {
      for memory in ["", #" and lower(name) = "a""#] {
        let text = "p filter \(condition)\(memory) order id"
        // With the schema, an invalid date is an error.
        _ = try QueryDocument(text: text, schema: schema)
        #expect(try await values(text, "id", store) == ids.map { .integer($0) }, "\(text)")
      }
    }
    for memory in ["", #" filter lower(name) = "a""#] {
      #expect(try await values("p\(memory) order at", "id", store) == [4, 1, 2, 3])
    }
  }

  @Test("infinity is a date after all others in a filter, and -infinity one before all others")
  func infiniteDates() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE p (id int PRIMARY KEY, born date, at timestamptz);
      INSERT INTO p VALUES (1, 'infinity', 'infinity'), (2, '2020-01-01', '2020-01-01 00:00:00+00'),
        (3, '-infinity', '-infinity'), (4, NULL, NULL);
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    for (condition, ids) in [
      (#"= "infinity""#, [1]), (#"= "-infinity""#, [3]), (#"!= "infinity""#, [2, 3, 4]),
      (#"< "infinity""#, [2, 3]), (#">= "infinity""#, [1]), (#"> "-infinity""#, [1, 2]),
      (#"in ("infinity", "2020-01-01")"#, [1, 2]),
    ] as [(String, [Int64])] {
      for field in ["born", "at"] {
        let text = "p filter \(field) \(condition) order id"
        _ = try QueryDocument(text: text, schema: schema)
        #expect(try await values(text, "id", store) == ids.map { .integer($0) }, "\(text)")
      }
    }
  }

  @Test("the earliest date that PostgreSQL has is greater than an earlier date in a filter")
  func earliestDate() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE p (id int PRIMARY KEY, born date);
      INSERT INTO p VALUES (1, '4714-11-24 BC'), (2, '2020-01-01');
      """)
    for (comparison, ids) in [(">", [1, 2]), (">=", [1, 2]), ("<", []), ("<=", []), ("=", [])]
      as [(String, [Int64])]
    {
      let text = "p filter born \(comparison) \"9999-01-01 BC\" order id"
      #expect(try await values(text, "id", store) == ids.map { .integer($0) }, "\(text)")
    }
  }

  @Test("a foreign server that is unreachable does not make the database unreachable")
  func unreachableServer() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE things (id int PRIMARY KEY);
      INSERT INTO things VALUES (1), (2);
      CREATE FUNCTION far() RETURNS int LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not connect to server "far"' USING ERRCODE = '08001'; END $$;
      CREATE VIEW lines AS SELECT far() AS line;
      """)
    let error = await #expect(throws: DataSourceError.self) {
      try await store.get(try QueryDocument(text: "lines"))
    }
    #expect(error?.message.contains("could not connect to server \"far\"") == true)
    let summary = try await store.get(AllObjectsQuery())
    #expect(summary.served?.counts == ["things": 2])
    #expect(summary.freshness == .live)
  }

  @Test("an export leaves out foreign tables that cannot be read, and names them with the reason")
  func unreadableTables() async throws {
    let (store, _) = try await store(
      """
      CREATE FOREIGN DATA WRAPPER none; CREATE SERVER files FOREIGN DATA WRAPPER none;
      CREATE TABLE things (id int PRIMARY KEY);
      INSERT INTO things VALUES (1), (2);
      CREATE FOREIGN TABLE lines (line text) SERVER files;
      CREATE FOREIGN TABLE a (line text) SERVER files;
      """)
    for bytes in [AnswerView.Bytes.counted, .spelled] {
      let whole = try await store.wholeStore(bytes: bytes)
      #expect(whole.store.schema.namespaces == ["things"])
      #expect(whole.store.count(of: "things") == 2)
      let remark =
        "Not exported: the foreign tables a, lines, which cannot be read: foreign-data wrapper "
        + "\"none\" has no handler."
      #expect(whole.remarks == [remark])
      #expect(whole.unreadable == whole.remarks)
    }
    // A query that needs the table in memory still fails.
    let query = try QueryDocument(text: "lines filter line matches \"a\"")
    let error = await #expect(throws: DataSourceError.self) { try await store.get(query) }
    #expect(error?.message.contains("no handler") == true, "\(String(describing: error))")
  }

  @Test("a foreign key that is declared twice is one link")
  func repeatedKey() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text);
      CREATE TABLE notes (id int PRIMARY KEY, author int REFERENCES users,
        FOREIGN KEY (author) REFERENCES users (id) ON DELETE CASCADE);
      INSERT INTO users VALUES (1, 'Ann'); INSERT INTO notes VALUES (5, 1);
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(schema.namespaces.sorted() == ["notes", "users"])
    #expect(schema.links(of: "notes").map(\.label) == ["author"])
    #expect(try await values("notes filter author.name = \"Ann\"", "id", store) == [5])
  }

  @Test("keys of any type identify rows and link in both directions")
  func keys() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE countries (code text PRIMARY KEY, name text);
      CREATE TABLE cities (id uuid PRIMARY KEY, name text, country text REFERENCES countries,
        twin_id uuid REFERENCES cities);
      CREATE TABLE rooms (house int, number int, PRIMARY KEY (house, number));
      CREATE TABLE beds (id serial PRIMARY KEY, house int, number int,
        FOREIGN KEY (house, number) REFERENCES rooms);
      CREATE TABLE tags (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word text);
      CREATE TABLE city_tags (city uuid REFERENCES cities, tag bigint REFERENCES tags,
        PRIMARY KEY (city, tag));
      CREATE TABLE log (at timestamptz, words text);
      INSERT INTO countries VALUES ('fr', 'France'), ('it''s', 'Odd');
      INSERT INTO cities VALUES ('00000000-0000-4000-8000-000000000001', 'Paris', 'fr', NULL),
        ('00000000-0000-4000-8000-000000000002', 'Lyon', 'fr',
         '00000000-0000-4000-8000-000000000001');
      INSERT INTO rooms VALUES (1, 2), (1, 3);
      INSERT INTO beds (house, number) VALUES (1, 2), (1, 2), (1, NULL);
      INSERT INTO tags (word) VALUES ('old'), ('big');
      INSERT INTO city_tags VALUES ('00000000-0000-4000-8000-000000000001', 1),
        ('00000000-0000-4000-8000-000000000001', 2);
      INSERT INTO log VALUES ('2025-01-01', 'a'), ('2025-01-01', 'a');
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(schema.namespaces == ["beds", "cities", "countries", "log", "rooms", "tags"])
    func related(_ text: String, _ label: String) async throws -> [Int] {
      let answer = try await answer(text, store)
      return try answer.rows.map { try answer.related(label, of: $0).rows.count }
    }
    #expect(try await related("countries order name with cities", "cities") == [2, 0])
    #expect(try await related("cities order name with twin", "twin") == [1, 0])
    #expect(try await related("cities order name with cities", "cities") == [0, 1])
    #expect(try await related("cities order name with tags", "tags") == [0, 2])
    #expect(try await related("tags order word with cities", "cities") == [1, 1])
    #expect(try await related("rooms with beds", "beds") == [2, 0])
    #expect(try await related("beds with rooms", "rooms") == [1, 1, 0])
    #expect(try await values("log", "words", store) == ["a", "a"])
    #expect(
      try await values(
        "cities filter country.name = \"France\" and tags.word = \"old\"", "name", store)
        == ["Paris"])
    let country = try await answer("countries filter name = \"Odd\"", store)
    let id = country.store.id(of: country.rows[0]).text
    #expect(try await values("countries filter id = \"\(id)\"", "name", store) == ["Odd"])
  }

  @Test("names that need quotes are quoted everywhere")
  func quoting() async throws {
    let (store, _) = try await store(
      #"""
      CREATE SCHEMA "Org Chart";
      CREATE TABLE "Org Chart"."Per""son" ("the id" int PRIMARY KEY, "select" text,
        "boss id" int REFERENCES "Org Chart"."Per""son");
      INSERT INTO "Org Chart"."Per""son" VALUES (1, 'Ann', NULL), (2, 'Bob', 1);
      """#)
    let namespace = try #require(await store.get(SchemaQuery()).store.schema.namespaces.first)
    #expect(namespace == "Org Chart.Per\"son")
    let plan = QueryPlan(
      namespace, condition: .compare("select", .equal, "Bob"),
      order: [OrderKey("select")]
    ).with("boss")
    let snapshot = try await store.get(QueryDocument(plan))
    let answer = try QueryEngine.answer(
      plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
    #expect(answer.rows.map { answer.value($0, "select") } == ["Bob"])
    #expect(try answer.related("boss", of: answer.rows[0]).rows.count == 1)
  }

  @Test("a name with a dot keeps its form, unless a schema must be added, where it is quoted")
  func dots() async throws {
    let (store, _) = try await store(
      """
      CREATE SCHEMA shop;
      CREATE TABLE shop.item (id int PRIMARY KEY);
      CREATE TABLE "shop.item" (id int PRIMARY KEY);
      CREATE TABLE "shop.note" (id int PRIMARY KEY);
      CREATE SCHEMA a;
      CREATE SCHEMA "a.b";
      CREATE TABLE a."b.c" (id int PRIMARY KEY);
      CREATE TABLE "a.b".c (id int PRIMARY KEY);
      INSERT INTO "a.b".c VALUES (7);
      CREATE TABLE parts (id int) PARTITION BY LIST (id);
      CREATE TABLE "a.b"."c.d" PARTITION OF parts FOR VALUES IN (1);
      INSERT INTO parts VALUES (1);
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(
      Set(schema.namespaces) == [
        "shop.item", "public.\"shop.item\"", "shop.note", "a.\"b.c\"", "\"a.b\".c", "parts",
      ])
    #expect(try await values("`\"a.b\".c`", "id", store) == [7])
    #expect(try await values("`a.\"b.c\"`", "id", store) == [])
    #expect(try await values("`\"a.b\".\"c.d\"`", "id", store) == [1])
  }

  @Test("partitioned tables and views are shown, and unreadable tables reported")
  func kinds() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE m (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
      CREATE TABLE m1 PARTITION OF m FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
      INSERT INTO m VALUES (1, '2025-02-03');
      CREATE VIEW v AS SELECT id FROM m;
      CREATE MATERIALIZED VIEW w AS SELECT id FROM m WITH NO DATA;
      CREATE TABLE hidden (id int PRIMARY KEY, word text);
      INSERT INTO hidden VALUES (1, 'top secret');
      CREATE TABLE partly (id int PRIMARY KEY, shown text, kept text);
      INSERT INTO partly VALUES (1, 'a', 'top secret');
      CREATE TABLE guarded (id int PRIMARY KEY, owner text);
      INSERT INTO guarded VALUES (1, 'me'), (2, 'you'), (3, 'me');
      ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
      CREATE POLICY mine ON guarded USING (owner = 'me');
      DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      GRANT SELECT ON m, v, w, guarded TO reader;
      GRANT SELECT (id, shown) ON partly TO reader;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address(user: "reader")))
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(schema.namespaces == ["guarded", "m", "partly", "v", "w"])
    #expect(store.remark?.contains("public.hidden") == true)
    #expect(store.remark?.contains("guarded") == true)
    #expect(schema.attribute("partly", "kept") == nil)
    #expect(try await answer("guarded", store).rows.count == 2)
    #expect(try await values("m", "at", store) == ["2025-02-03"])
    #expect(try await answer("v", store).rows.count == 1)
    let error = await #expect(throws: DataSourceError.self) { try await answer("w", store) }
    #expect(error?.message.contains("\"w\" has not been populated") == true)
    let counts = try await store.get(AllObjectsQuery()).served?.counts
    #expect(counts == ["guarded": 2, "m": 1, "partly": 1, "v": 1])
    let whole = try await store.wholeStore(bytes: .spelled)
    #expect(whole.store.schema.namespaces == ["guarded", "m", "partly"])
    #expect(
      whole.remarks.suffix(2) == [
        "Not exported: the view v, because its rows come from tables.",
        "Not exported: the materialized view w, which has not been populated.",
      ])
    let owner = try await PostgresStore.open(PostgresParameters(database.address()))
    #expect(owner.remark?.contains("guarded") != true, "\(owner.remark ?? "")")
  }

  @Test("rows without a key have no links if the role cannot read all of their columns")
  func partlyReadableLinks() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text);
      CREATE TABLE visits (who int REFERENCES users, secret text);
      INSERT INTO users VALUES (1, 'Ann'); INSERT INTO visits VALUES (1, 'top secret');
      DO $$ BEGIN CREATE ROLE reader LOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$;
      GRANT SELECT ON users TO reader; GRANT SELECT (who) ON visits TO reader;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address(user: "reader")))
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(schema.links(of: "users").isEmpty && schema.links(of: "visits").isEmpty)
    #expect(try await values("visits", "who", store) == [1])
    #expect(try await values("visits filter who + 1 = 2", "who", store) == [1])
  }

  @Test("queries in memory do not read foreign tables that they do not name")
  func brokenForeignTable() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'Ann');
      CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER away FOREIGN DATA WRAPPER nowhere;
      CREATE FOREIGN TABLE f (a int) SERVER away;
      """)
    #expect(try await values("t filter lower(name) = \"ann\"", "id", store) == [1])
    let error = await #expect(throws: DataSourceError.self) {
      try await answer("f filter a + 1 = 2", store)
    }
    #expect(error?.message.contains("nowhere") == true)
  }

  @Test("a role's own settings do not affect the data shown")
  func settings() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE t (id int PRIMARY KEY, at timestamptz, d date);
      INSERT INTO t VALUES (1, '2025-01-10 10:00+00', '2025-01-10');
      DO $$ BEGIN CREATE ROLE odd LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      ALTER ROLE odd SET DateStyle = 'SQL, DMY';
      ALTER ROLE odd SET TimeZone = 'Asia/Kathmandu';
      GRANT SELECT ON t TO odd;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address(user: "odd")))
    #expect(try await values("t", "at", store) == ["2025-01-10T10:00:00Z"])
    #expect(
      try await values("t filter at = \"2025-01-10T10:00:00Z\"", "d", store) == ["2025-01-10"])
  }

  @Test("a password is never shown")
  func passwords() async throws {
    let address = "postgres://ann:s3cr%2Fet@127.0.0.1:1/db?password=an0ther"
    let parameters = PostgresParameters(address)
    for shown in [parameters.shown, parameters.name] {
      #expect(!shown.contains("s3cr") && !shown.contains("an0ther"), "\(shown)")
    }
    let words = PostgresParameters("host=127.0.0.1 port=1 password='s3 cr' dbname=db").shown
    #expect(words == "host=127.0.0.1 port=1 password=… dbname=db")
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(parameters)
    }
    #expect(error?.message.contains("127.0.0.1") == true)
    #expect(error?.message.contains("s3cr") == false)
    let broken = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(PostgresParameters("postgres://ann:p@ss/s3cr@host:port/db"))
    }
    #expect(broken?.message.contains("s3cr") == false, "\(broken?.message ?? "")")
  }

  @Test("a password with reserved characters logs in, encoded in a URI or quoted after its keyword")
  func passwordLogin() async throws {
    let user = PostgresServer.lockedUser
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);
      DO $$ BEGIN CREATE ROLE \(user) LOGIN PASSWORD 'p@ss:w/ord%';
        EXCEPTION WHEN duplicate_object THEN END $$;
      GRANT SELECT ON t TO \(user);
      """)
    for address in [
      database.address(user: user + ":p%40ss%3Aw%2Ford%25"),
      "host=\(database.server.folder) dbname=\(database.name) user=\(user) password='p@ss:w/ord%'",
    ] {
      let parameters = PostgresParameters(address)
      let store = try await PostgresStore.open(parameters)
      #expect(try await answer("t", store).rows.count == 1)
      #expect(!parameters.shown.contains("ord%"), "\(parameters.shown)")
    }
    for (login, words) in [
      (user + ":p%40ss%3Aw%2Ford", "password authentication failed"), (user, "requires a password"),
    ] {
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgresStore.open(PostgresParameters(database.address(user: login)))
      }
      let message = error?.message ?? ""
      #expect(message.contains(words), "\(message)")
      #expect(!message.contains("w/ord") && !message.contains("w%2Ford"), "\(message)")
    }
  }

  @Test(
    "every password of an address is hidden, in any form",
    arguments: [
      ("postgres://ann:s%40x@h/db", "postgres://ann:…@h/db"),
      ("PostgreSQL://ann:sx@h/db", "postgresql://ann:…@h/db"),
      ("postgres://ann:s?x@h/db?sslmode=require", "postgres://ann:…@h/db?sslmode=require"),
      ("postgres://ann:s#x@h/db", "postgres://ann:…@h/db"),
      ("postgres://ann:s@x@h/db#app", "postgres://ann:…@h/db#app"),
      ("postgres://h:5432/db?user=a@b#me@x", "postgres://h:5432/db?user=a@b#me@x"),
      ("postgres://h/db?sslpassword=sx&password=sy", "postgres://h/db?sslpassword=…&password=…"),
      ("postgres://h/db?p%61ssword=sx&user=ann", "postgres://h/db?p%61ssword=…&user=ann"),
      ("host=h sslpassword=sx password=sy user=ann", "host=h sslpassword=… password=… user=ann"),
      ("host=h password = 's\\' x' user=ann", "host=h password = … user=ann"),
      ("host=h password=s://x#y", "host=h password=…"),
      ("password=sx host=h", "password=… host=h"),
      ("host=h passfile=/a user=ann", "host=h passfile=/a user=ann"),
      ("host=h pasword=sx user=ann", "host=h pasword=… user=ann"),
      ("pasword=sx host=h", "pasword=… host=h"),
      ("host=h password=sx sy user=ann", "host=h password=… … user=ann"),
      ("host=h password=sx sy", "host=h password=… …"),
      ("postgres://h/db?pasword=sx&user=ann", "postgres://h/db?pasword=…&user=ann"),
    ])
  func passwordForms(_ address: String, _ shown: String) {
    #expect(PostgresParameters.isAddress(address))
    #expect(PostgresParameters(address).shown == shown)
  }

  @Test(
    "an address with a mistake is rejected with the correction, and without parts of the password",
    arguments: [
      ("postgres://ann:SEC@RET@127.0.0.1:1/x", "contains '@', which must be written %40"),
      ("postgres://ann:SEC@RET/RET@127.0.0.1:1/x", "contains '@', which must be written %40"),
      ("postgres://ann:SEC/RET@127.0.0.1:1/x", "contains '/', which must be written %2F"),
      ("postgres://ann:1/RET@127.0.0.1:1/x", "contains '/', which must be written %2F"),
      ("postgres://ann:SEC%zRET@127.0.0.1:1/x", "contains '%', which must be written %25"),
      (
        "host=127.0.0.1 port=1 pasword=SECRET",
        "unknown parameter 'pasword'. Did you mean 'password'?"
      ),
      (
        "postgres://127.0.0.1:1/x?pasword=SECRET",
        "unknown parameter 'pasword'. Did you mean 'password'?"
      ),
      ("host=127.0.0.1 port=1 password=SEC RET dbname=x", "a word of the address has no keyword"),
    ])
  func mistakes(_ address: String, _ words: String) async throws {
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(PostgresParameters(address))
    }
    let message = error?.message ?? ""
    #expect(message.contains(words), "\(message)")
    #expect(!message.contains("SEC") && !message.contains("RET"), "\(message)")
  }

  @Test("a user's name that is also the password stays in the error")
  func nameAsPassword() async throws {
    let database = try PostgresServer.running().database("CREATE TABLE t (id int PRIMARY KEY);")
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.open(
        PostgresParameters(database.address(user: "stranger:stranger")))
    }
    let message = error?.message ?? ""
    #expect(message.contains("role \"stranger\" does not exist"), "\(message)")
  }

  @Test("the name of a database may contain an @")
  func databaseNames() async throws {
    for address in [
      "postgres://127.0.0.1:1/a@b", "postgres://[::1]:1/a@b", "postgres:///a@b?port=1",
    ] {
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgresStore.open(PostgresParameters(address))
      }
      #expect(error?.message.contains("must be written") == false, "\(error?.message ?? "")")
    }
  }

  @Test("a key without a default is required in a new row, and other keys are not")
  func requiredKeys() async throws {
    let (store, _) = try await store(
      """
      CREATE TABLE plain (id int PRIMARY KEY, n int);
      CREATE TABLE counted (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n int);
      CREATE TABLE coded (code text PRIMARY KEY);
      """)
    let schema = try await store.get(SchemaQuery()).store.schema
    #expect(schema.attribute("plain", "id")?.isRequired == true)
    #expect(schema.attribute("counted", "id")?.isRequired == false)
    #expect(schema.attribute("coded", "code")?.isRequired == true)
  }

  @Test(
    "no error of a connection contains a password",
    arguments: [
      "postgres://ann:s3cr%zzet@127.0.0.1:1/db", "postgres://ann:s3cr?et@127.0.0.1:1/db",
      "postgres://ann:s3cr#et@127.0.0.1:1/db", "postgres://127.0.0.1:1/db?password=s3cr%zzet",
      "postgres://127.0.0.1:1/db?sslpassword=x&password=s3cret&nosuch=1",
      "host=127.0.0.1 port=1 password='s3cr et", "host=127.0.0.1 port=1 password = 's3cr\\'et' x",
      "host=127.0.0.1 port=no sslpassword=x password=s3cret",
    ])
  func passwordErrors(_ address: String) async throws {
    for isWritable in [false, true] {
      let error = await #expect(throws: StoreError.self) {
        _ = try await PostgresStore.openAny(
          PostgresParameters(address), access: isWritable ? .readWrite : .readOnly)
      }
      #expect(error?.message.contains("s3cr") == false, "\(error?.message ?? "")")
    }
  }

  @Test(
    "a canceled query is canceled at the server, and no transaction stays open",
    arguments: [false, true])
  func canceling(isOnScreen: Bool) async throws {
    let (store, database) = try await store(
      """
      CREATE VIEW slow_view AS SELECT 1 AS id, pg_sleep(3600) IS NULL AS x;
      CREATE TABLE t (id int PRIMARY KEY);
      """)
    let slow = QueryDocument(QueryPlan("slow_view"))
    let asking = Task {
      guard isOnScreen else {
        _ = try await store.get(slow)
        return
      }
      let view = AnswerView(window: .init(skipped: 0, count: 50))
      for try await _ in store.watch(slow, showing: view) {}
    }
    let running = """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
      AND query LIKE '%slow_view%' AND pid <> pg_backend_pid()
      """
    try await waitUntil("the statement runs") { try database.run(running) == "1" }
    asking.cancel()
    try await waitUntil("the statement has ended") { try database.run(running) == "0" }
    #expect(
      try database.log().contains { $0.contains("canceling statement due to user request") })
    if isOnScreen {
      _ = try? await asking.awaited("a cancellation")
    } else {
      await #expect(throws: DataSourceError.self) { try await asking.awaited("a cancellation") }
    }
    _ = try await store.get(QueryDocument(QueryPlan("t")))
    #expect(
      try database.run(
        """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND state LIKE 'idle in transaction%'
        """) == "0")
  }

  @Test("a session that the server ended is reopened")
  func reconnecting() async throws {
    let (store, database) = try await store(
      "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);")
    #expect(try await answer("t", store).rows.count == 1)
    try database.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(try await answer("t", store).rows.count == 1)
  }
}
