import GRDB
import CompilerTestSupport
import Testing

@Suite(
  "Swift types for a store", .enabled(if: SwiftCompiler.modules != nil), .waitsForPrograms,
  .timeLimit(.minutes(10)))
struct SwiftTypesTests {
  /// A program that asks for some of what was printed.
  private static func use(_ query: String) -> String {
    """

    func use(_ store: any QueryStore) async throws(QueryError) {
      for try await row in store.\(query).rows() { _ = row }
    }
    """
  }

  private static func check(_ store: String, _ query: String) throws {
    let run = try Program.run(["schema", store, "--format", "swift"])
    #expect(run.status == 0, "\(run.error)")
    let complaints = try SwiftCompiler.check(run.output + use(query))
    #expect(complaints.isEmpty, "\(complaints)\n\(run.output)")
  }

  @Test(
    "the types printed for a demo compile, and a query of them too",
    arguments: [
      (
        "world",
        #"from(City.self).filter({ $0.population > 1_000_000 && $0.country.name == "Peru" })"#
      ),
      ("company", "from(Employee.self).filter({ $0.salary > 80_000 }).order(by: \\.startDate)"),
      ("goals", "from(Goal.self).order(by: \\.title)"),
    ])
  func demos(_ name: String, _ query: String) throws {
    try Self.check(name, query)
  }

  @Test("types for a SQLite database compile with any names")
  func database() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/shop.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, "class" TEXT, born DATE);
            CREATE TABLE "order items" (id INTEGER PRIMARY KEY, "2nd price" REAL, is_gift BOOLEAN,
              customer_id INTEGER REFERENCES customers(id), self TEXT, init BLOB);
            INSERT INTO customers VALUES (1, 'Ann', 'a', '1970-01-02');
            INSERT INTO "order items" VALUES (1, 2.5, 1, 1, 'x', x'01');
            """)
      }
      try queue.close()
      try Self.check(path, "from(Customer.self).filter({ $0.name.like(\"A%\") })")
    }
  }

  @Test("types for a backup compile")
  func backup() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/company.zip"
      let export = try Program.run(["export", "company", "--to", path])
      #expect(export.status == 0, "\(export.error)")
      try Self.check(path, "from(Department.self).with(\\.employees)")
    }
  }
}
