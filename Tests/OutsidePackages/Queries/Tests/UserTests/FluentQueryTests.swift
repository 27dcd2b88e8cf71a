import DataSources
import DataSourcesTesting
import InstaQL
import Stores
import Testing
import Triples

@Suite struct `A fluent query` {
  private let folder = TemporaryFolder()
  private let query = EntityQuery<Employee>.from()

  @Test(arguments: StoreKind.allCases)
  func `makes no call until it runs`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    var queries: [EntityQuery<Employee>] = []
    for number in 1...10 {
      queries.append(
        store.from(Employee.self).filter { $0.salary > number }.order(by: \.name).limit(number))
    }
    for query in queries { _ = (query.rows(), query.live()) }
    #expect(store.calls == 0)
    #expect(try await queries[4].all().count == 5)
    #expect(store.calls == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `runs on a store that is given first, in between or last`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    #expect(try await query.all(in: store).count == 40)
    #expect(try await store.from(Employee.self).all().count == 40)
    #expect(try await query.in(store).order(by: \.name).all().map(\.name).first == "E00")
  }

  @Test(arguments: StoreKind.allCases)
  func `filters by text with values as by conditions`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    let least = 30_000
    let text = try query.filter("salary > \(least)").order(by: \.name)
    let typed = query.filter { $0.salary > least }.order(by: \.name)
    let names = try await typed.all(in: store).map(\.name)
    #expect(names.count == 10)
    #expect(try await text.all(in: store).map(\.name) == names)
    #expect(text == typed)
    let (numbers, texts) = ([1_000, 2_000], ["E00", "E01", "none"])
    #expect(try await query.filter("salary in (\(list: numbers))").count(in: store) == 2)
    #expect(try await query.filter("name in (\(list: texts))").count(in: store) == 2)
    #expect(try await query.filter { $0.active }.count(in: store) == 20)
    #expect(try await query.filter(\.active).count(in: store) == 20)
    #expect(try await query.filter { !$0.active }.count(in: store) == 20)
  }

  @Test(arguments: StoreKind.allCases)
  func `takes a hostile value for a value`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    for hostile in ["\" or 1 = 1", "' or '1' = '1", "x`", "E01\" or name = \"E02", "\u{1A}", "%"] {
      #expect(try await query.filter("name = \(hostile)").count(in: store) == 0, "\(hostile)")
      #expect(try await query.filter { $0.name == hostile }.count(in: store) == 0, "\(hostile)")
    }
  }

  @Test func `adds its filters up`() {
    #expect(
      query.filter { $0.salary > 1 }.filter(\.active)
        == query.filter { $0.salary > 1 && $0.active })
  }

  @Test(arguments: StoreKind.allCases)
  func `orders by names as by fields, and appends keys`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    let byField = query.order(by: \.active).order(by: \.salary, .descending)
    let byName = query.order("active").order("salary", direction: .descending)
    #expect(byField == byName)
    let salaries = try await byField.all(in: store).map(\.salary)
    #expect(try await byName.all(in: store).map(\.salary) == salaries)
    for half in [salaries.prefix(20), salaries.suffix(20)] {
      #expect(half.sorted(by: >) == Array(half))
    }
    #expect(query.order("active", "name") == query.order("active").order("name"))
    let up = try await query.order(by: \.salary).all(in: store).map(\.salary)
    let down = try await query.order(by: \.salary, .descending).all(in: store).map(\.salary)
    #expect(up == up.sorted())
    #expect(down == up.reversed())
  }

  @Test(arguments: StoreKind.allCases)
  func `gives a page, whose last limit counts`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    let all = try await query.order(by: \.salary).all(in: store).map(\.salary)
    let page = query.order(by: \.salary).limit(5).offset(10)
    #expect(try await page.all(in: store).map(\.salary) == Array(all[10..<15]))
    #expect(try await page.limit(2).all(in: store).map(\.salary) == Array(all[10..<12]))
    #expect(try await page.limit(nil).offset(nil).all(in: store).count == 40)
    #expect(try await page.offset(38).all(in: store).map(\.salary) == Array(all[38..<40]))
    for wrong in [query.limit(0), query.limit(-1), query.offset(-1)] {
      await #expect(throws: QueryError.self) { try await wrong.all(in: store) }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `visits every row`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    var names: [String] = []
    for try await employee in query.order(by: \.name).rows(in: store) {
      names.append(employee.name)
    }
    #expect(names.count == 40)
    #expect(names == names.sorted())
  }

  @Test(arguments: StoreKind.allCases)
  func `throws at a row that cannot be read, naming the column`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    let wages = EntityQuery<Wage>.from()
    let first = await #expect(throws: QueryError.self) { try await wages.all(in: store) }
    let second = await #expect(throws: QueryError.self) {
      for try await _ in wages.rows(in: store) {}
    }
    for error in [first, second] {
      let error = try #require(error)
      #expect(error.message.contains("salary"), "\(error)")
      guard case .decoding = error else {
        Issue.record("\(error)")
        continue
      }
    }
    #expect(try await wages.count(in: store) == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `gives the first row by its order, and counts all`(kind: StoreKind) async throws {
    let store = try await kind.company(folder)
    let all = try await query.order(by: \.salary).all(in: store).map(\.salary)
    #expect(try await query.order(by: \.salary).first(in: store)?.salary == 1_000)
    let page = query.order(by: \.salary).limit(5).offset(10)
    #expect(try await page.first(in: store)?.salary == all[10])
    #expect(try await query.filter { $0.salary < 0 }.first(in: store) == nil)
    for query in [query, page, query.filter { $0.salary < 0 }, query.offset(38)] {
      #expect(try await query.count(in: store) == query.all(in: store).count)
    }
    #expect(try await page.total(in: store) == 40)
  }

  @Test func `passes the errors of its store`() async throws {
    let store = try await StoreKind.memory.company(folder)
    store.fail(DataSourceError(.failed, "The disk is gone."))
    let error = QueryError.store("The disk is gone.")
    await #expect(throws: error) { try await query.all(in: store) }
    await #expect(throws: error) { try await query.first(in: store) }
    await #expect(throws: error) { try await query.count(in: store) }
    await #expect(throws: error) { for try await _ in query.rows(in: store) {} }
  }

  @Test func `without a store throws the name of what it selects`() async {
    let error = QueryError.noStore(namespace: "employees")
    await #expect(throws: error) { try await query.all() }
    await #expect(throws: error) { try await query.first() }
    await #expect(throws: error) { try await query.count() }
    await #expect(throws: error) { for try await _ in query.rows() {} }
    await #expect(throws: error) { for try await _ in query.live() {} }
  }

  @Test func `uses one store at a time, the last`() async throws {
    let a = try await StoreKind.memory.company(folder)
    let b = try await StoreKind.memory.company(folder)
    let c = try await StoreKind.memory.company(folder)
    #expect(try await a.from(Employee.self).in(b).first(in: c) != nil)
    #expect([a.calls, b.calls, c.calls] == [0, 0, 1])
    _ = try await a.from(Employee.self).in(b).first()
    #expect([a.calls, b.calls, c.calls] == [0, 1, 1])
  }

  @Test(arguments: StoreKind.allCases)
  func `runs on many stores`(kind: StoreKind) async throws {
    let many = try await kind.company(folder)
    let few = try await kind.company(folder, 3)
    #expect(try await query.count(in: many) == 40)
    #expect(try await query.count(in: few) == 3)
    #expect(try await query.order(by: \.name).all(in: few).map(\.name) == ["E00", "E01", "E02"])
  }

  @Test(arguments: StoreKind.allCases)
  func `is a value, so the parts of a chain have counts of their own`(kind: StoreKind) async throws
  {
    let store = try await kind.company(folder)
    let before = query.plan
    let active = query.filter(\.active)
    let ordered = active.order(by: \.salary)
    let few = ordered.limit(5)
    _ = (few.offset(1), few.in(store), few.removing(.filter))
    #expect(query.plan == before)
    #expect(Set([query, active, ordered, few]).count == 4)
    #expect(query.in(store) == query)
    var counts: [Int] = []
    for part in [query, active, ordered, few] { counts.append(try await part.count(in: store)) }
    #expect(counts == [40, 20, 20, 5])
  }

  @Test func `follows the changes of its answer`() async throws {
    let store = MemoryStore()
    try await store.insert(Employee.self, .set(\.name, "Ada"), .set(\.salary, 5))
    var pages = query.filter { $0.salary > 3 }.order(by: \.name).live(in: store).makeAsyncIterator()
    #expect(try await pages.next()?.rows.map(\.name) == ["Ada"])
    let bo = try await store.insert(Employee.self, .set(\.name, "Bo"), .set(\.salary, 1))
    try await store.update(Employee.self, bo, .set(\.salary, 4))
    #expect(try await pages.next()?.rows.map(\.name) == ["Ada", "Bo"])
    try await store.delete(Employee.self, bo)
    #expect(try await pages.next()?.rows.map(\.name) == ["Ada"])
  }
}

@Suite struct `The text of a condition` {
  /// A text and the line and column of its first mistake.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var line = 1
    var column: Int
    var testDescription: String { text }

    init(_ text: String, _ column: Int, line: Int = 1) {
      (self.text, self.column, self.line) = (text, column, line)
    }
  }

  static let mistakes = [
    Mistake("", 1), Mistake("salary >", 9), Mistake("salary > 1 and", 15), Mistake("a = 1 b", 7),
    Mistake("name = \"x", 8), Mistake("a =\n  ", 3, line: 2), Mistake("(a = 1", 7),
    Mistake("a = 1)", 6), Mistake("a > null", 5), Mistake("a = b", 5), Mistake("a > 1 > 2", 7),
    Mistake("a in 1", 6), Mistake("a in (1,)", 9), Mistake("a like 5", 8),
    Mistake("a = \"\\q\"", 6),
    Mistake("a..b = 1", 3), Mistake("é = # ", 5), Mistake("x = \"日本\" and ) ", 14),
  ]

  @Test(arguments: mistakes)
  func `reports the place of its first mistake`(mistake: Mistake) throws {
    let error = #expect(throws: QueryError.self) {
      try EntityQuery.from("things").filter(parsing: mistake.text)
    }
    let position = try #require(error?.position)
    #expect(position == (mistake.line, mistake.column), "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `is the same condition as in Swift`() throws {
    let query = EntityQuery<Employee>.from()
    #expect(try query.filter(parsing: "salary > 80000") == query.filter { $0.salary > 80_000 })
    #expect(
      try query.filter(parsing: "name like 'E%' and not active or salary in (1, 2)")
        == query.filter { $0.name.like("E%") && !$0.active || $0.salary.oneOf([1, 2]) })
  }

  @Test func `names the nearest field for an unknown one`() {
    let query = EntityQuery<Employee>.from()
    for make in [
      { try query.filter("salry > 5") }, { try query.filter(parsing: "salry > 5") },
    ] {
      let error = #expect(throws: QueryError.self) { try make() }
      #expect(error?.hint?.contains("salary") == true)
    }
  }
}
