import ConformanceSupport
import DataSources
import InstaQL
import Testing
import Triples

@Suite("Running a fluent query", .timeLimit(.minutes(10)))
struct RunningQueryTests {
  let store = CompanyData.source()
  let base = EntityQuery<Employee>.from()

  @Test("building a query does not access the store; each way of running it does once")
  func laziness() async throws {
    let query = base.in(store).filter(\.active).order(by: \.salary).limit(20)
    for count in 1...10 { _ = query.limit(count).offset(1).rows() }
    _ = query.live()
    #expect(store.calls == 0)
    _ = try await query.all()
    _ = try await query.count()
    #expect(store.calls == 2)
  }

  @Test("the seed's first query: well paid by salary and start date")
  func seedExample() async throws {
    let rich = base.filter { $0.salary > 80_000 }
      .order(by: \.salary, .descending).order(by: \.startDate)
    let found = try await rich.all(in: store)
    #expect(found.count > 10)
    #expect(found.allSatisfy { $0.salary > 80_000 })
    for (a, b) in zip(found, found.dropFirst()) {
      #expect(a.salary > b.salary || a.salary == b.salary && a.startDate <= b.startDate)
    }
    let least = 80_000
    let text = try base.filter("salary > \(least)").order("salary", direction: .descending)
      .order("startDate")
    #expect(try await text.ids(in: store) == found.map(\.id))
  }

  @Test("the store may be set first, in the chain, or last, and the last one is used")
  func stores() async throws {
    let (a, b, c) = (CompanyData.source(), CompanyData.source(), CompanyData.source())
    #expect(try await a.from(Employee.self).count() == 200)
    #expect(try await base.in(a).order(by: \.name).all().count == 200)
    #expect(a.calls == 2)
    let first = try await a.from(Employee.self).in(b).first(in: c)
    #expect(first != nil)
    #expect([a.calls, b.calls, c.calls] == [2, 0, 1])
    #expect(try await b.from("employees").total() == 200)
  }

  @Test("without a store running fails with the namespace")
  func noStore() async {
    await #expect(throws: QueryError.noStore(namespace: "employees")) { try await base.all() }
    await #expect(throws: QueryError.noStore(namespace: "employees")) { try await base.count() }
    await #expect(throws: QueryError.noStore(namespace: "employees")) {
      for try await _ in base.rows() {}
    }
    await #expect(throws: QueryError.noStore(namespace: "employees")) {
      for try await _ in base.live() {}
    }
    await #expect(throws: QueryError.noStore(namespace: "employees")) {
      try await base.in(store).removing(.store).first()
    }
  }

  @Test("one query over two stores gives each one's entities")
  func reuse() async throws {
    let other = CompanyData.source()
    try other.transact {
      $0.create(
        "departments", .id("d0000000-0000-4000-8000-000000000001"),
        ["name": "New", "key": "new", "budget": 1, "floor": 9])
    }
    let all = EntityQuery<Department>.from()
    #expect(try await all.count(in: store) == 9)
    #expect(try await all.count(in: other) == 10)
  }

  @Test("parts of a chain are independent queries")
  func parts() async throws {
    let active = base.filter(\.active)
    let rich = active.filter { $0.salary > 80_000 }
    let led = rich.filter { exists($0.reports) }
    var counts: [Int] = []
    for query in [base, active, rich, led] { counts.append(try await query.count(in: store)) }
    #expect(counts[0] == 200)
    #expect(Set(counts).count == 4)
    #expect(counts == counts.sorted(by: >))
  }

  @Test("limit and offset cut the order")
  func paging() async throws {
    let ordered = base.order(by: \.name)
    let all = try await ordered.all(in: store).map(\.id)
    #expect(try await ordered.limit(5).offset(10).ids(in: store) == Array(all[10..<15]))
    let page = try await ordered.page(first: 20).page(in: store)
    #expect(page.rows.map(\.id) == Array(all[0..<20]))
    #expect(page.total == 200)
    let next = ordered.page(first: 20, after: page.info?.end)
    #expect(try await next.ids(in: store) == Array(all[20..<40]))
  }

  @Test("first is the first of all with the offset, or nil")
  func first() async throws {
    let queries = [
      base.order(by: \.salary), base.order(by: \.name).offset(3), base.limit(5).offset(2),
      base.order(by: \.name).page(last: 3), base.filter { $0.salary < 0 },
    ]
    for query in queries {
      #expect(try await query.first(in: store)?.id == query.all(in: store).first?.id)
    }
  }

  @Test("count is the size of all, total ignores the page, exists reads one")
  func counts() async throws {
    let query = base.filter(\.active).order(by: \.name).limit(7).offset(2)
    #expect(try await query.count(in: store) == query.all(in: store).count)
    #expect(try await query.total(in: store) == base.filter(\.active).count(in: store))
    #expect(try await query.exists(in: store))
    #expect(try await !base.filter { $0.salary < 0 }.exists(in: store))
    #expect(try await base.offset(199).count(in: store) == 1)
  }

  @Test("an invalid page is an error when the query runs, not when it is built")
  func faults() async {
    for query in [base.limit(0), base.page(first: -1), base.offset(-1)] {
      await #expect(throws: QueryError.self) { try await query.all(in: store) }
      await #expect(throws: QueryError.self) { try await query.count(in: store) }
      await #expect(throws: QueryError.self) { try await query.first(in: store) }
      await #expect(throws: QueryError.self) { try await query.value(\.name, in: store) }
      await #expect(throws: QueryError.self) { try await query.exists(in: store) }
      #expect(throws: QueryError.self) { try query.plan.instaQL() }
    }
  }

  @Test("one field gives its values, nil for missing ones")
  func values() async throws {
    let names = try await base.order(by: \.name).values(\.name, in: store)
    #expect(names.count == 200)
    #expect(names == (try await base.order(by: \.name).all(in: store)).map(\.name))
    let offices = EntityQuery<Office>.from().order(by: \.name)
    #expect(try await offices.value(\.city, in: store) == "Bergen")
    #expect(try await offices.filter { $0.seats < 0 }.value(\.city, in: store) == nil)
  }

  @Test("links are included, filtered and ordered")
  func relations() async throws {
    let query = EntityQuery<Department>.from().order(by: \.name).with(\.employees) {
      $0.filter { $0.level >= 3 }.order(by: \.name, .descending).with(\.reports)
    }
    let departments = try await query.all(in: store)
    #expect(departments.count == 9)
    #expect(departments.contains { $0.employees.contains { !$0.reports.isEmpty } })
    let plain = try await EntityQuery.from("departments").order("name")
      .with("employees") { $0.filter { $0.level >= 3 }.order("name", direction: .descending) }
      .all(in: store)
    for (typed, any) in zip(departments, plain) {
      #expect(try typed.employees.map(\.id) == any.row.related("employees").map(\.id))
    }
    #expect(throws: QueryError.noRelation(label: "head", namespace: "departments")) {
      try plain[0].row.related("head")
    }
  }

  @Test("iterating visits each entity, and an invalid one throws with its name, id and column")
  func iteration() async throws {
    var visited: [EntityID] = []
    for try await employee in base.rows(in: store) { visited.append(employee.id) }
    #expect(visited == (try await base.ids(in: store)))
    let bad = try #require(visited.dropFirst(20).first)
    let broken = ManualQueryStore(try Self.store(paid: ["many"]))
    let all = EntityQuery<Wage>.from()
    do throws(QueryError) {
      _ = try await all.all(in: broken)
      Issue.record("a text is no salary")
    } catch {
      guard case .decoding(let path, _) = error else { throw error }
      #expect(path.hasPrefix("wages/"))
      #expect(path.hasSuffix(".paid"))
    }
    await #expect(throws: QueryError.self) { for try await _ in all.rows(in: broken) {} }
    _ = bad
  }

  struct Wage: QueryEntity {
    struct Fields: Sendable { let paid = Field<Int>("paid") }
    static let namespace = "wages"
    static let fields = Fields()
    let paid: Int
    init(row: DataRow) throws(QueryError) { paid = try row.value(Self.fields.paid) }
  }

  static func store(paid: [Value]) throws -> TripleStore {
    var store = TripleStore()
    var builder = TransactionBuilder()
    for (place, value) in paid.enumerated() {
      builder.create(
        "wages", .id("a0000000-0000-4000-8000-00000000000\(place)"),
        JSONObject([.init(key: "paid", value: value)]))
    }
    try store.transact(builder.transaction(in: store))
    return store
  }

  @Test("a store's failure is thrown by every call")
  func failures() async {
    store.fail(DataSourceError(.failed, "The disk is gone."))
    for run in [
      { () async throws in _ = try await base.all(in: store) },
      { () async throws in _ = try await base.first(in: store) },
      { () async throws in _ = try await base.count(in: store) },
      { () async throws in _ = try await base.exists(in: store) },
    ] {
      await #expect(throws: QueryError.self) { try await run() }
    }
    store.fail(DataSourceError(.cancelled, "no"))
    await #expect(throws: QueryError.cancelled) { try await base.all(in: store) }
  }

  @Test("a canceled task gets no answer")
  func cancelling() async {
    let (store, base) = (store, base)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await base.all(in: store).count
    }
    task.cancel()
    await #expect(throws: QueryError.cancelled) { try await task.value }
  }
}
