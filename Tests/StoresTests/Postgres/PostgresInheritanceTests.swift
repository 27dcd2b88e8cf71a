import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

@Suite("Tables that inherit from others in PostgreSQL", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresInheritanceTests {
  private static let family = """
    CREATE TABLE labels (id int PRIMARY KEY, word text);
    CREATE TABLE par (id int PRIMARY KEY, n text, label_id int REFERENCES labels);
    CREATE TABLE chi (PRIMARY KEY (id)) INHERITS (par);
    CREATE TABLE par_labels (
      par int REFERENCES par, label int REFERENCES labels, PRIMARY KEY (par, label));
    CREATE TABLE old_par_labels () INHERITS (par_labels);
    INSERT INTO labels VALUES (1, 'a'), (2, 'b');
    INSERT INTO par VALUES (1, 'p1', 1), (2, 'p2', 1);
    INSERT INTO chi VALUES (2, 'c2', 2);
    INSERT INTO par_labels VALUES (2, 1);
    INSERT INTO old_par_labels VALUES (2, 2);
    CREATE TABLE years (id int, year int, n text, PRIMARY KEY (id, year)) PARTITION BY LIST (year);
    CREATE TABLE year1 PARTITION OF years FOR VALUES IN (1);
    INSERT INTO years VALUES (1, 1, 'y');
    """

  private func dump(_ shop: TestShop) throws -> String {
    try shop.database.run(
      "SELECT 'par', p::text FROM ONLY par AS p UNION ALL SELECT 'chi', c::text FROM chi AS c "
        + "UNION ALL SELECT 'pairs', j::text FROM ONLY par_labels AS j "
        + "UNION ALL SELECT 'old', o::text FROM old_par_labels AS o ORDER BY 1, 2")
  }

  private func rows(_ query: String, of namespace: String, _ shop: TestShop) async throws
    -> [String]
  {
    let store = try await shop.store.get(try QueryDocument(text: query)).store
    let name = shop.attribute(namespace, "n")
    return store.rows(of: namespace).handles.map { store.value($0, name)?.textIfAny ?? "none" }
      .sorted()
  }

  @Test("a parent shows its own rows, and each child is a namespace of its own")
  func reading() async throws {
    let shop = try await TestShop(Self.family)
    #expect(try await rows("par", of: "par", shop) == ["p1", "p2"])
    #expect(try await rows("par filter label.word = \"a\"", of: "par", shop) == ["p1", "p2"])
    #expect(try await rows("par filter label.word = \"b\"", of: "par", shop) == [])
    #expect(try await rows("par filter labels.word = \"b\"", of: "par", shop) == [])
    #expect(try await rows("chi", of: "chi", shop) == ["c2"])
    #expect(try await rows("years", of: "years", shop) == ["y"])
    #expect(!shop.schema.namespaces.contains("year1"))
    let summary = try await shop.store.get(AllObjectsQuery())
    #expect(summary.served?.counts["par"] == 2)
    let whole = try await shop.store.wholeStore(bytes: .counted).store
    #expect(whole.rows(of: "par").handles.count == 2)
  }

  @Test("a partition is not listed, but queries reach it by its name with schema")
  func partitions() async throws {
    let shop = try await TestShop(
      Self.family + """
        ALTER TABLE years ADD label_id int REFERENCES labels;
        CREATE TABLE year2 PARTITION OF years FOR VALUES IN (2);
        INSERT INTO years VALUES (1, 2, 'z', 2), (2, 2, 'w', NULL);
        """)
    let schema = shop.schema
    #expect(!schema.namespaces.contains("public.year2"))
    let texts = [
      "`public.year2` order n": ["w", "z"],
      "`public.year2` filter label.word = \"b\"": ["z"],
      "`public.year2` filter id * 2 = 4": ["w"],
      "`public.year1`": ["y"],
    ]
    for (text, names) in texts {
      let plan = try QueryDocument(text: text, schema: schema).plans[0]
      let snapshot = try await shop.store.get(QueryDocument(plan))
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      let found = answer.rows.compactMap { answer.value($0, "n")?.textIfAny }.sorted()
      #expect(found == names, "\(text)")
    }
    #expect(throws: QueryError.self) {
      try QueryDocument(text: "`public.year2` filter nn = 1", schema: schema)
    }
    #expect(throws: QueryError.self) { try QueryDocument(text: "`public.year3`", schema: schema) }
    let unqualified = #expect(throws: QueryError.self) {
      try QueryDocument(text: "year2", schema: schema)
    }
    #expect(unqualified?.hint == "Did you mean `public.year2`?")
    let json = #"{"public.year2": {"$": {"where": {"n": "w"}}}}"#
    #expect(
      try QueryDocument(text: json, schema: schema).plans.map(\.namespace) == ["public.year2"])
    let whole = try await shop.store.wholeStore(bytes: .counted).store
    #expect(!whole.schema.namespaces.contains("public.year2"))
    #expect(try await shop.store.get(SchemaQuery()).store.schema == schema)
  }

  @Test("a change or deletion of a parent's row leaves the child's row with the same key")
  func writing() async throws {
    let shop = try await TestShop(Self.family)
    let first = try dump(shop)
    let second = shop.id("par", 2)
    let changed = try await shop.store.transact(
      Transaction([shop.set(second, "n", "new", of: "par")]))
    #expect(try dump(shop) == first.replacing("(2,p2,1)", with: "(2,new,1)"))
    try await shop.store.transact(
      Transaction(undoing: try #require(changed.changes), in: changed.store))
    #expect(try dump(shop) == first)
    let gone = try await shop.store.transact(
      Transaction([.deleteEntity(.id(second), namespace: "par")]))
    #expect(try dump(shop) == "chi|(2,c2,2)\nold|(2,2)\npar|(1,p1,1)")
    try await shop.store.transact(
      Transaction(undoing: try #require(gone.changes), in: gone.store))
    #expect(try dump(shop) == first)
  }
}

extension Value {
  fileprivate var textIfAny: String? { if case .text(let text) = self { text } else { nil } }
}
