import ConformanceSupport
import InstaQL
import Testing
import Triples

@Suite("Aggregates, groups and distinct rows", .timeLimit(.minutes(10)))
struct SummaryTests {
  let store = CompanyData.source()
  let base = EntityQuery<Employee>.from()

  @Test("aggregates include the entities that all returns")
  func totals() async throws {
    for query in [base, base.filter(\.active), base.order(by: \.salary).limit(7)] {
      let salaries = try await query.all(in: store).map(\.salary)
      let row = try await query.aggregate(
        .count, .sum(\.salary), .average(\.salary), .min(\.salary), .max(\.salary, named: "top")
      ).values(in: store)
      #expect(row.count == salaries.count)
      #expect(row.integer(.sum(\.salary)) == salaries.reduce(0, +))
      let average = Double(salaries.reduce(0, +)) / Double(salaries.count)
      #expect(row.number(.average(\.salary)) == average)
      #expect(row[.min(\.salary)] == .integer(Int64(salaries.min() ?? 0)))
      #expect(row["top"] == .integer(Int64(salaries.max() ?? 0)))
    }
  }

  @Test("without entities count and sum are 0, and average, min and max are nil")
  func nothing() async throws {
    let row = try await base.filter { $0.salary < 0 }.aggregate(
      .count, .sum(\.salary), .average(\.salary), .min(\.name), .max(\.startDate)
    ).values(in: store)
    #expect(row.count == 0)
    #expect(row.integer(.sum(\.salary)) == 0)
    #expect(row[.average(\.salary)] == nil)
    #expect(row[.min(\.name)] == nil)
    #expect(row[.max(\.startDate)] == nil)
  }

  @Test("the average of integers is a double, and a sum may exceed integers")
  func numbers() async throws {
    let values: [Value] = [.integer(1), .integer(2), .null]
    let wages = EntityQuery<RunningQueryTests.Wage>.from()
    let small = ManualQueryStore(try RunningQueryTests.store(paid: values))
    let row = try await wages.aggregate(.average(\.paid), .count(\.paid), .count).values(in: small)
    #expect(row.number(.average(\.paid)) == 1.5)
    #expect(row.integer(.count(\.paid)) == 2)
    #expect(row.count == 3)
    let large = ManualQueryStore(
      try RunningQueryTests.store(paid: [.integer(.max), .integer(.max), .double(0.5)]))
    let sum = try await wages.aggregate(.sum(\.paid)).values(in: large)
    #expect(sum.number(.sum(\.paid)) == 0x1p64)
    let mixed = ManualQueryStore(
      try RunningQueryTests.store(paid: [.text("9"), .bool(true), .double(0.5)]))
    #expect(try await wages.aggregate(.sum(\.paid)).values(in: mixed)[.sum(\.paid)] == 0.5)
  }

  @Test("a median is the middle number, and a distinct count ignores duplicates")
  func medians() async throws {
    let wages = EntityQuery<RunningQueryTests.Wage>.from()
    let cases: [(paid: [Value], median: Value?, different: Int)] = [
      ([], nil, 0), ([.null], nil, 0), ([.integer(7)], .integer(7), 1),
      ([.integer(9), .integer(1), .integer(5)], .integer(5), 3),
      ([.integer(4), .integer(1), .double(1.0), .integer(2)], .double(1.5), 3),
      ([.integer(.max), .integer(.max)], .integer(.max), 1),
      ([.text("x"), .bool(true), .integer(3)], .integer(3), 3),
    ]
    for (paid, median, different) in cases {
      let source = ManualQueryStore(try RunningQueryTests.store(paid: paid))
      let row = try await wages.aggregate(.median(\.paid), .countDistinct(\.paid))
        .values(in: source)
      #expect(row[.median(\.paid)] == median, "\(paid)")
      #expect(row.integer(.countDistinct(\.paid)) == different, "\(paid)")
    }
    let typed = try QueryDocument(text: "wages aggregate count(distinct paid), median(paid) as m")
    #expect(typed.text == "wages aggregate count(distinct paid), median(paid) as m")
    #expect(try QueryDocument(text: typed.text) == typed)
    #expect(
      try QueryDocument(text: "wages aggregate avg(paid), total(paid)")
        == QueryDocument(text: "wages aggregate average(paid), sum(paid)"))
  }

  @Test("groups contain each entity once, in the order of their values")
  func groups() async throws {
    let groups = try await base.grouped(by: \.level).aggregate(.count, .average(\.salary))
      .all(in: store)
    let levels = groups.map { $0[\.level] ?? -1 }
    #expect(levels == Array(Set(levels)).sorted())
    #expect(groups.reduce(0) { $0 + ($1.count ?? 0) } == 200)
    for group in groups {
      let level = try #require(group[\.level])
      let salaries = try await base.filter { $0.level == level }.values(\.salary, in: store)
      #expect(group.count == salaries.count)
      let sum = salaries.reduce(0) { $0 + ($1 ?? 0) }
      #expect(group.number(.average(\.salary)) == Double(sum) / Double(salaries.count))
    }
  }

  @Test("groups by a link are ordered by an aggregate and then limited")
  func groupsOverLinks() async throws {
    let query = base.grouped { $0.department.name }.aggregate(.sum(\.salary, named: "cost"))
      .order(by: .sum(\.salary, named: "cost"), .descending).limit(3)
    let top = try await query.all(in: store)
    #expect(top.count == 3)
    let costs = top.compactMap { $0.integer(.sum(\.salary, named: "cost")) }
    #expect(costs == costs.sorted(by: >))
    let name = try #require(top[0]["department.name"].flatMap(String.init(queryValue:)))
    let paid = try await base.filter { $0.department.name == name }.values(\.salary, in: store)
    #expect(costs[0] == paid.reduce(0) { $0 + ($1 ?? 0) })
  }

  @Test("without aggregates groups are counted; an entity in several groups counts in each")
  func counted() async throws {
    let groups = try await EntityQuery<Employee>.from().grouped { $0.projects.path }
      .all(in: store)
    let projects = try await EntityQuery.from("projects").with("members").all(in: store)
    for group in groups {
      guard let name = group["projects.name"] else { continue }
      let project = try #require(projects.first { $0["name"] == name })
      #expect(try group.count == project.row.related("members").count)
    }
    #expect(groups.count == projects.count + 1)
  }

  @Test("selected fields are typed tuples, and distinct ones occur once")
  func projections() async throws {
    let rows = try await base.order(by: \.name).limit(3).select(\.name, \.salary).all(in: store)
    let all = try await base.order(by: \.name).limit(3).all(in: store)
    #expect(rows.map(\.0) == all.map(\.name))
    #expect(rows.map(\.1) == all.map(\.salary))
    let titles = base.order(by: \.level, .descending).select(\.level, \.active)
    let distinct = try await titles.distinct().all(in: store)
    let levels = distinct.map { $0.0 ?? -1 }
    #expect(levels == levels.sorted(by: >))
    #expect(Set(distinct.map { "\($0.0 ?? -1) \($0.1 ?? false)" }).count == distinct.count)
    #expect(try await titles.distinct().count(in: store) == distinct.count)
    #expect(try await titles.count(in: store) == 200)
    #expect(
      try await base.order(by: \.level).distinctValues(\.level, in: store)
        == Array(Set(levels)).sorted())
    let first = try await base.order(by: \.name).select(\.name, \.level).first(in: store)
    #expect(first?.0 == all[0].name)
  }

  @Test("one selected field gives values, not tuples")
  func singleField() async throws {
    let names: [String?] = try await base.order(by: \.name).select(\.name).all(in: store)
    #expect(names == (try await base.order(by: \.name).all(in: store)).map(\.name))
    let levels: [Int?] = try await base.order(by: \.level).select(\.level).distinct().all(in: store)
    #expect(levels == (try await base.order(by: \.level).distinctValues(\.level, in: store)))
    let first: String?? = try await base.order(by: \.name).select(\.name).first(in: store)
    #expect(first == names[0])
  }

  @Test("each row of a table has a plan for its entities")
  func members() throws {
    let cases = [
      "employees filter level > 1 group level, active", "employees group department",
      "employees group department.name aggregate count()", "employees fields level distinct",
      "employees filter salary > 0 order salary desc limit 7 aggregate count()",
      "offices group nothing",
    ]
    for text in cases {
      let plan = try QueryDocument(text: text).plans[0]
      let answer = try QueryEngine.answer(plan, in: CompanyData.store)
      let table = try #require(answer.table)
      #expect(answer.columnKinds.count == table.columns.count)
      let counts = table["count"] ?? table.rows.map { _ in nil }
      for (row, count) in counts.enumerated() {
        let members = try #require(answer.members(ofRow: row))
        let found = try QueryEngine.answer(members, in: CompanyData.store).rows.count
        #expect(found > 0)
        if count != .null { #expect(count == .integer(Int64(found)), "\(members.text)") }
      }
    }
  }

  @Test("groups, aggregates and distinct have a text and a storage form, but no InstaQL")
  func forms() throws {
    let cases = [
      "employees group level aggregate count(), average(salary) as mean order mean desc limit 3",
      "employees filter active = true aggregate sum(salary), min(name), count(title)",
      "employees group department.name, level", "employees order name fields title distinct",
      "employees group level order count desc, level",
    ]
    for text in cases {
      let document = try QueryDocument(text: text)
      #expect(document.text == text)
      #expect(try QueryDocument(json: document.canonicalJSON) == document)
      #expect(throws: QueryError.self) { try document.instaQL() }
      #expect(try QueryDocument(text: text, schema: CompanyData.store.schema) == document)
    }
    let typed = base.grouped(by: \.level).aggregate(.count, .average(\.salary, named: "mean"))
      .order(by: .average(\.salary, named: "mean"), .descending).limit(3)
    #expect(typed.query.plan.text == cases[0])
    #expect(throws: QueryError.self) {
      try QueryDocument(text: "employees group leve", schema: CompanyData.store.schema)
    }
  }

  @Test("an invalid table query is an error with position and reason")
  func refusals() async throws {
    let refused = [
      "employees group level with reports", "employees group level after '[\"a\",\"b\",1,1]'",
      "employees group level order name", "employees distinct", "employees group level, level",
      "employees with reports { group level }", "employees aggregate sum(level), sum(level)",
    ]
    for text in refused {
      let plan = try #require(try QueryDocument(text: text).plans.first)
      #expect(throws: QueryError.self, "\(text)") {
        try QueryEngine.answer(plan, in: CompanyData.store)
      }
    }
    do throws(QueryError) {
      let plan = try QueryDocument(text: "employees group level order levl").plans[0]
      _ = try QueryEngine.answer(plan, in: CompanyData.store)
    } catch {
      #expect(
        error.message == "At 'employees.$.order': groups can be sorted only by their columns:"
          + " level, count. Did you mean 'level'?")
    }
  }

  @Test("in JSON a table is a list of objects, one for each row")
  func json() throws {
    let text = "offices group country aggregate count(), sum(seats) order country limit 2"
    let json = try QueryEngine.json(try QueryDocument(text: text), in: CompanyData.store)
    #expect(
      json == "{\"data\":{\"offices\":[{\"country\":\"Canada\",\"count\":1,\"sum_seats\":36},"
        + "{\"country\":\"France\",\"count\":1,\"sum_seats\":60}]}}")
  }

  @Test("in flat formats a table is a table")
  func flat() throws {
    let text = "offices group country aggregate count() limit 2"
    let plan = try QueryDocument(text: text).plans[0]
    let answer = try QueryEngine.answer(plan, in: CompanyData.store)
    let csv = try ResultFormat.csv.bytes(of: [answer])
    #expect(String(decoding: csv, as: UTF8.self) == "country,count\nCanada,1\nFrance,1\n")
    let lines = try ResultFormat.ndjson.bytes(of: [answer])
    #expect(
      String(decoding: lines, as: UTF8.self)
        == "{\"country\":\"Canada\",\"count\":1}\n{\"country\":\"France\",\"count\":1}\n")
  }
}
