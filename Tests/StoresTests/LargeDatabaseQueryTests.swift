import DataSources
import InstaQL
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Very large queries of a database", .timeLimit(.minutes(10)))
struct LargeDatabaseQueryTests {
  private static let things = """
    CREATE TABLE things (
      id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, level INTEGER, active BOOLEAN, pay REAL,
      joined DATE, note, owner INTEGER REFERENCES things(id));
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO things SELECT i, CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 'NAME ' || i ELSE 'name ' || i END,
      CASE i % 7 WHEN 0 THEN 'l' || i WHEN 1 THEN NULL ELSE i % 50 END,
      CASE i % 5 WHEN 4 THEN 7 WHEN 3 THEN NULL ELSE i % 2 END, i * 0.1,
      date('2020-01-01', i || ' days'),
      CASE i % 3 WHEN 0 THEN i WHEN 1 THEN 'note ' || i ELSE i * 0.5 END, (i / 3) * 3 FROM n
      ORDER BY i;
    """

  /// Whether the database gave the engine's answer itself.
  private func check(_ conditions: [(ConditionNode, isPushed: Bool)]) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute("PRAGMA foreign_keys = OFF;" + Self.things, in: path)
      let memory = try await SQLiteStore.open(file: path, maxBytesInMemory: .max)
        .get(AllObjectsQuery()).store
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      for (place, (condition, isPushed)) in conditions.enumerated() {
        let document = QueryDocument([QueryPlan("things", condition: condition)])
        let snapshot = try await store.get(document)
        var output = JSONOutput(capacity: 1 << 12)
        try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
        #expect(output.text == (try QueryEngine.json(document, in: memory)), "\(place)")
        #expect((snapshot.served?.found.isEmpty == false) == isPushed, "\(place)")
      }
    }
  }

  private static func equal(_ path: AttributePath, _ values: [Value]) -> ConditionNode {
    .any(values.map { .compare(path, .equal, $0) })
  }

  @Test("with very many values is sent as a list")
  func values() async throws {
    let numbers = (0..<2_000).map { Value.integer($0 * 3) }
    let names = (0..<2_000).map { Value.text("name \($0 * 3)") }
    let dates = (1..<29).map { Value.text("2020-02-\($0 < 10 ? "0" : "")\($0)") }
    let odd: [Value] = ["name 4", .null, true, 7, "with\0zero", 2.5]
    try await check([
      (.isIn("level", numbers), true), (.isIn("name", names + odd), true),
      (.isIn("level", numbers + names + odd), true), (.isIn("note", numbers + names + odd), true),
      (.isIn("active", numbers + odd), true), (.isIn("pay", numbers + odd), true),
      (.isIn("owner.name", names), true), (.not(.isIn("name", names)), true),
      (.isIn("joined", dates + dates + dates), true),
      (.isIn("pay", (0..<2_000).map { .double(Double($0) * 0.1) }), false),
      (Self.equal("level", numbers), true), (Self.equal("name", names), true),
      (.any([Self.equal("name", names), .isNull("name", true)]), true),
      (.any(names.prefix(60).map { .compare("name", .equal, $0) } + [.isNull("name", true)]), true),
    ])
  }

  @Test("in very many parts, answers one way or the other")
  func parts() async throws {
    let unequal = (0..<1_500).map { ConditionNode.compare("level", .notEqual, .integer($0 * 3)) }
    let mixed = (0..<550).flatMap { number -> [ConditionNode] in
      [
        .compare("pay", .greater, .integer(Int64(number))),
        .compare("owner.level", .less, .integer(Int64(number % 40))),
      ]
    }
    try await check([(.all(unequal), true), (.any(mixed), true)])
  }

  @Test("in very deep parts, answers one way or the other")
  func depth() async throws {
    func nested(_ depth: Int) -> ConditionNode {
      (0..<depth).reduce(.compare("level", .equal, 5)) { inner, number in
        number % 2 == 0
          ? .not(.any([inner, .isNull("name", true)]))
          : .all([inner, .quantified(.some, "owner", .isNull("name", false))])
      }
    }
    try await check([(nested(10), true), (nested(95), false), (nested(150), false)])
  }
}
