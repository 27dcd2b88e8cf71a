import DataSourcesTesting
import Foundation
import GRDB
import InstaQL
import Stores
import TestSupport
import Testing
import Triples

/// Plans as SQL, run by SQLite over the same data that the engine answers from.
@Suite("Plans as SQL", .timeLimit(.minutes(10)))
struct SQLTests {
  /// The bundled company as tables, and as a store.
  private struct Company {
    let store: TripleStore
    let database: DatabaseQueue
    var names = SQLNames()

    init() throws {
      store = try FolderStore.load(folder: CompanyKind.folderPath)
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        db.add(
          collation: DatabaseCollation("language") { a, b in
            let order = Collation.compare(a, b)
            return order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
          })
      }
      database = try DatabaseQueue(configuration: configuration)
      names.creation = "made at"
      names.collation = "language"
      // A name that has to be quoted, and one that is another one there.
      names.tables["employees"] = "staff \"members\""
      names.columns[store.schema.attribute("employees", "salary")!.id] = "pay"
      try database.writeWithoutTransaction { db in try fill(db) }
    }

    private func table(_ namespace: String) -> String {
      Self.quoted(names.tables[namespace] ?? namespace)
    }

    private static func quoted(_ name: String) -> String {
      "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    private func fill(_ db: Database) throws {
      for namespace in store.schema.namespaces {
        let links = store.schema.links(of: namespace).filter { $0.direction == .forward }
        let values =
          store.schema.attributes(of: namespace).filter {
            $0.label != "id" && $0.valueType == .blob
          }
          + links.map(\.attribute).filter { $0.cardinality == .one }
        let columns = values.map { Self.quoted(names.columns[$0.id] ?? $0.label) }
        let all = ([Self.quoted("id"), Self.quoted("made at")] + columns).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(table(namespace)) (\(all))")
        let marks = repeatElement("?", count: values.count + 2).joined(separator: ", ")
        for entity in store.rows(of: namespace).handles {
          let cells: [DatabaseValue] = values.map { attribute in
            if attribute.valueType == .ref {
              let target = store.targets(entity, Link(attribute, .forward)).first
              return target.map { store.id(of: $0).text.databaseValue } ?? .null
            }
            return (store.value(entity, attribute.id) ?? .null).databaseValue
          }
          let head = [
            store.id(of: entity).text.databaseValue,
            store.createdAt(entity, in: namespace).databaseValue,
          ]
          try db.execute(
            sql: "INSERT INTO \(table(namespace)) VALUES (\(marks))",
            arguments: StatementArguments(head + cells))
        }
        for attribute in links.map(\.attribute) where attribute.cardinality == .many {
          let pairs = Self.quoted("\(namespace)_\(attribute.label)")
          try db.execute(sql: "CREATE TABLE \(pairs) (source, target)")
          for entity in store.rows(of: namespace).handles {
            for target in store.targets(entity, Link(attribute, .forward)) {
              try db.execute(
                sql: "INSERT INTO \(pairs) VALUES (?, ?)",
                arguments: [store.id(of: entity).text, store.id(of: target).text])
            }
          }
        }
      }
    }

    /// The ids that the database gives for a plan.
    func ids(_ plan: QueryPlan) throws -> [String] {
      let statement = try plan.sql(.sqlite, schema: store.schema, names: names)
      return try database.read { db in
        try String.fetchAll(
          db, sql: statement.text,
          arguments: StatementArguments(statement.values.map(\.databaseValue)))
      }
    }

    /// The ids that the engine gives.
    func expected(_ plan: QueryPlan) throws -> [String] {
      try QueryEngine.answer(plan, in: store).rows.map { store.id(of: $0).text }
    }
  }

  @Test("SQLite returns the engine's rows in the same order")
  func answers() throws {
    let company = try Company()
    var found = 0
    for text in [
      "employees", "employees filter salary > 80000", "employees filter not salary > 80000",
      "employees filter name like \"S%\"", "employees filter name like \"s%\"",
      "employees filter name ilike \"s_n%\"", "employees filter not name like \"%a%\"",
      "employees filter name contains \"50%\" or name begins \"A\" or name ends \"n\"",
      "employees filter name contains \"*\" or name contains \"[a-z]\"",
      "employees filter department.name = \"Sales\"",
      "employees filter department.name != \"Sales\"",
      "employees filter not department.name = \"Sales\"",
      "employees filter manager is null", "employees filter manager is not null",
      "employees filter manager.manager.name is null",
      "employees filter reports.level > 3", "employees filter not reports.level > 3",
      "employees filter any reports (level > 2 and active = true)",
      "employees filter no reports (level > 2)",
      "employees filter every reports (level < 3) and reports is not null",
      "employees filter any projects (status = \"active\" and any members (level = 5))",
      "projects filter members.department.name = \"Sales\" order name",
      "employees filter level in (1, 3, 5)", "employees filter level not in (1, 3)",
      "employees filter level in ()", "employees filter level between 2 and 3",
      "employees filter active = true and (level = 1 or level = 2)",
      "employees filter startDate >= \"2020-01-01\" order startDate desc limit 7",
      "employees filter salary > field(manager.salary)",
      "employees filter not salary > field(manager.salary)",
      "employees filter name != field(title)", "employees filter salary = \"80000\"",
      "employees filter salary != \"80000\"", "employees filter name = 5",
      "employees filter name = \"\\\" or 1 = 1 --\"",
      "employees order salary desc, name limit 10 offset 5", "employees order name",
      "employees order department.name desc, name", "employees order manager.name limit 12",
      "employees order level desc offset 190", "employees order name last 5",
      "employees order level desc last 3", "employees order name last 5 offset 4",
      "employees order name last 9 offset 195", "employees order serverCreatedAt desc limit 4",
      "departments order budget", "offices filter employees.salary > 100000 order city",
    ] {
      let plan = try QueryDocument(text: text).plans[0]
      let expected = try company.expected(plan)
      #expect(try company.ids(plan) == expected, "\(text)")
      found += expected.isEmpty ? 0 : 1
    }
    #expect(found > 35)
  }

  @Test("ids, prefixes of ids and links are queried by key")
  func keys() throws {
    let company = try Company()
    let employee = try company.expected(QueryPlan("employees").order("salary"))[7]
    let department = try company.expected(QueryPlan("departments"))[2]
    for condition in [
      ConditionNode.compare("id", .equal, .text(employee)),
      .compare("id", .notEqual, .text(employee)), .isIn("id", [.text(employee), 5]),
      .compare("department", .equal, .text(department)),
      .compare("department", .notEqual, .text(department)),
      .compare("department.id", .equal, .text(department)),
      .idStartsWith([], String(employee.prefix(3))),
      .idStartsWith(["department"], String(department.prefix(5)).uppercased()),
      .isIn("department", [.text(department)]), .not(.isNull("department", false)),
      .sharing([.compare("level", .equal, 3), .compare("active", .equal, true)]),
      .any([]), .all([]), .isIn("level", [.null, 2]),
    ] {
      let plan = QueryPlan("employees", condition: condition)
      #expect(try company.ids(plan) == company.expected(plan), "\(plan.text)")
    }
  }

  @Test("random conditions have the same rows as in the engine", arguments: [1, 2, 3])
  func random(_ seed: UInt64) throws {
    let company = try Company()
    var queries = RandomDatabaseQueries(
      random: SeededGenerator(seed: seed), roots: ["employees"],
      links: ["employees": ["reports", "manager"]],
      targets: ["reports": "employees", "manager": "employees"],
      fields: ["employees": ["name", "level", "salary", "active", "startDate", "title", "id"]],
      values: [
        2, 3, 4.0, 80_000, 95_000.5, true, false, "2020-01-01", "Sales", "M", "Engineer", "",
      ])
    var (matched, refused) = (0, 0)
    for _ in 0..<150 {
      let condition = queries.condition(in: "employees", depth: 0)
      let plan = QueryPlan("employees", condition: condition)
      let expected = try company.expected(plan)
      do {
        #expect(try company.ids(plan) == expected, "seed \(seed): \(plan.text)")
        matched += expected.isEmpty ? 0 : 1
      } catch QueryError.notInSQL {
        refused += 1
      }
    }
    #expect(matched > 20 && refused < 110, "\(matched) matched, \(refused) refused")
  }

  @Test("each dialect has its own syntax, and values are always bound")
  func dialects() throws {
    let schema = try FolderStore.load(folder: CompanyKind.folderPath).schema
    let text = "employees filter name ilike \"x'y\" and level = 2 order name desc limit 3 offset 1"
    let plan = try QueryDocument(text: text).plans[0].fields(["name"])
    let sqlite = try plan.sql(.sqlite, schema: schema)
    #expect(
      sqlite.text == #"SELECT t1."id" AS "id", t1."name" AS "name" FROM "employees" AS t1"#
        + #" WHERE ((t1."name" IS NOT NULL AND t1."name" LIKE ?1 ESCAPE '\') AND"#
        + #" (t1."level" IS NOT NULL AND t1."level" = ?2))"#
        + #" ORDER BY t1."name" DESC, t1."id" DESC LIMIT ?3 OFFSET ?4"#)
    #expect(sqlite.values == ["x'y", 2, 3, 1])
    let postgres = try plan.sql(.postgres, schema: schema)
    #expect(
      postgres.text == #"SELECT t1."id" AS "id", t1."name" AS "name" FROM "employees" AS t1"#
        + #" WHERE ((t1."name" IS NOT NULL AND t1."name" ILIKE $1 ESCAPE '\') AND"#
        + #" (t1."level" IS NOT NULL AND t1."level" = $2))"#
        + #" ORDER BY t1."name" DESC NULLS LAST, t1."id" DESC NULLS LAST LIMIT $3 OFFSET $4"#)
    #expect(try QueryPlan("offices").count().sql(.sqlite, schema: schema).text.contains("count(*)"))
  }

  @Test(
    "queries beyond one statement and unknown names are rejected",
    arguments: [
      "employees with reports", "employees group level", "employees filter nmae = \"x\"",
      "employees filter salary.x = 1", "employees order reports.name", "nothing",
      "employees limit 0", "employees order name after '[\"a\",\"b\",1,1]' limit 1",
      "employees filter together (department.name = \"x\", department.floor = 1)",
      "employees filter name = {}", "employees filter level >= false",
      "employees filter startDate = 5", "employees fields nmae", "employees with x { order y }",
    ])
  func refusals(_ text: String) throws {
    let schema = try FolderStore.load(folder: CompanyKind.folderPath).schema
    guard let plan = try? QueryDocument(text: text).plans[0] else { return }
    #expect(throws: QueryError.self) { try plan.sql(.sqlite, schema: schema) }
  }
}

extension Value {
  /// As SQLite keeps it.
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .bool(let flag): flag.databaseValue
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .array, .object: JSONWriter.text(self).databaseValue
    }
  }
}
