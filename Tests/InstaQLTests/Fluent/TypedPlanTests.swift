import ConformanceSupport
import InstaQL
import Testing
import Triples

@Suite("A typed query from an existing plan")
struct TypedPlanTests {
  @Test("a plan with declared names gives the typed query")
  func accepted() throws {
    let typed = EntityQuery<Employee>.from()
      .filter { $0.salary > 80_000 && $0.department.head.name.like("S%") }
      .filter { exists($0.reports) { $0.level > 2 } || none($0.manager) }
      .order(by: \.salary, .descending).order("department.name").order("serverCreatedAt")
      .select("name", "id").with(\.projects) { $0.filter { $0.count > 0.5 } }
    let plan = try QueryPlan(
      instaQL: try EntityQuery<Employee>.from().filter { $0.salary > 80_000 }.plan.instaQL())
    #expect(try EntityQuery<Employee>(plan: typed.plan) == typed)
    #expect(
      try EntityQuery<Employee>(plan: plan) == EntityQuery.from().filter { $0.salary > 80_000 })
  }

  @Test(
    "an undeclared name in a text filter is rejected with a suggestion",
    arguments: ["salry > 5", "any reports (salry = 1)", "salary > 5 and manager.salry is null"])
  func textFilters(text: String) throws {
    let employees = EntityQuery<Employee>.from()
    let error = QueryError.unknownField(
      "salry", namespace: "employees", hint: "Did you mean 'salary'?")
    #expect(throws: error) { try employees.filter(parsing: text) }
    #expect(throws: error) { try employees.filter("salry > \(5)") }
    #expect(throws: QueryError.self) { try employees.filter(parsing: "salary.name = 1") }
    // Without declared names, the store decides.
    _ = try EntityQuery.from("employees").filter(parsing: text)
  }

  @Test("a bound list may have parentheses, and values of any field type")
  func lists() throws {
    let employees = EntityQuery<Employee>.from()
    let names = ["Ada", "Bo"]
    let byName = employees.filter { $0.name.oneOf(names) }
    #expect(try employees.filter("name in (\(list: names))") == byName)
    #expect(try employees.filter("name in \(list: names)") == byName)
    #expect(try employees.filter("name in (\("Ada"), \(list: ["Bo"]))") == byName)
    #expect(
      try employees.filter("level in (\(list: [1, 2]))")
        == employees.filter { $0.level.oneOf([1, 2]) })
    #expect(try employees.filter("name in (\(list: [String]()))").plan.text.contains("in ()"))
    let start = try #require(Instant(milliseconds: Int64(0)))
    #expect(
      try employees.filter("startDate > \(start)") == employees.filter { $0.startDate > start })
  }

  @Test("an error at a bound value names no internal mark")
  func marks() throws {
    for (text, found) in [
      ("name \("x")", "an interpolated value"),
      ("name in 5 \(list: [1])", nil), ("(\(list: [1]))", "an interpolated list"),
    ] as [(PredicateText, String?)] {
      let error = #expect(throws: QueryError.self) {
        try EntityQuery<Employee>.from().filter(text)
      }
      let message = error?.message ?? ""
      #expect(!message.contains("\u{1A}") && !message.contains("1A"), "\(message)")
      if let found { #expect(message.contains(found), "\(message)") }
    }
  }

  @Test("a group may be ordered by an aggregate")
  func groups() throws {
    for text in [
      "employees group level order count desc",
      "employees group level aggregate sum(salary) as s order s",
    ] {
      _ = try EntityQuery<Employee>(plan: try QueryDocument(text: text).plans[0])
    }
  }

  @Test(
    "an undeclared name is rejected with a suggestion",
    arguments: [
      ("employees filter salry > 1", "salry", "employees", "Did you mean 'salary'?"),
      ("employees filter department.budgt > 1", "budgt", "departments", "Did you mean 'budget'?"),
      ("employees filter any reports (nam = 1)", "nam", "employees", "Did you mean 'name'?"),
      ("employees order slary", "slary", "employees", "Did you mean 'salary'?"),
      ("employees fields titel", "titel", "employees", "Did you mean 'title'?"),
      ("employees with reprots", "reprots", "employees", "Did you mean 'reports'?"),
      ("employees with projects { filter qqqqqqqqqq = 1 }", "qqqqqqqqqq", "projects", nil),
      ("employees group lvel", "lvel", "employees", "Did you mean 'level'?"),
      ("employees aggregate sum(salry)", "salry", "employees", "Did you mean 'salary'?"),
      ("employees order count", "count", "employees", nil),
    ] as [(String, String, String, String?)])
  func unknown(_ text: String, _ name: String, _ namespace: String, _ hint: String?) throws {
    let plan = try QueryDocument(text: text).plans[0]
    let error = #expect(throws: QueryError.self) { try EntityQuery<Employee>(plan: plan) }
    guard case .unknownField(name, namespace, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    if let hint { #expect(error?.hint == hint) }
    #expect(
      error?.message == "The entity type of '\(namespace)' does not declare a field '\(name)'.")
  }

  @Test("a plan of another namespace and a field used as a link are rejected")
  func otherNamespace() throws {
    #expect(throws: QueryError.self) { try EntityQuery<Employee>(plan: QueryPlan("offices")) }
    let followed = try QueryDocument(text: "employees filter salary.x = 1").plans[0]
    #expect(throws: QueryError.notALink(label: "salary", namespace: "employees")) {
      try EntityQuery<Employee>(plan: followed)
    }
  }

  @Test("a type without declared names accepts any plan")
  func open() throws {
    let plan = try QueryDocument(text: "anything filter a.b.c = 1 order d with e").plans[0]
    #expect(try EntityQuery<AnyEntity>(plan: plan).plan == plan)
  }

  @Test("a row matches a plan exactly when it passes the plan's filter", arguments: 1...4)
  func matches(_ seed: UInt64) async throws {
    var random = RandomWorld(seed: seed)
    let store = random.world.store()
    let source = ManualQueryStore(store)
    var (kept, left) = (0, 0)
    for _ in 0..<40 {
      let plan = random.plan()
      let rows = try await EntityQuery.from(plan.namespace).all(in: source).map(\.row)
      let ids = try await EntityQuery(plan).removing(.window, .order).ids(in: source)
      let fitting = try rows.filter { try plan.matches($0) }.map(\.id)
      #expect(fitting == ids, "seed \(seed): \(plan.text)")
      kept += fitting.count
      left += rows.count - fitting.count
    }
    #expect(kept > 0 && left > 0)
  }

  @Test("a row of another namespace does not match")
  func otherRows() async throws {
    let source = CompanyData.source()
    let office = try #require(try await EntityQuery.from("offices").first(in: source))
    #expect(try QueryPlan("offices").matches(office.row))
    #expect(try !QueryPlan("employees").matches(office.row))
    let department = try await EntityQuery.from("departments").with("employees").all(in: source)[0]
    let employee = try department.row.related("employees")[0]
    #expect(try QueryPlan("employees").matches(employee))
    #expect(try !QueryPlan("departments").matches(employee))
  }
}
