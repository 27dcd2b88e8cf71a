import Foundation
import InstaQL
import CompilerTestSupport
import TestSupport
import Testing
import Triples

@Suite(
  "Compile-time checks of queries", .enabled(if: SwiftCompiler.modules != nil),
  .timeLimit(.minutes(10)))
struct CompilingTests {
  /// Exactly the lines marked as refused must not compile.
  private static let refused = #"""
    import DataSources
    import InstaQL
    import Triples

    struct Goal: QueryEntity {
      struct Fields: Sendable {
        let title = Field<String>("title"), salary = Field<Int>("salary")
        let score = Field<Double>("score"), done = Field<Bool>("done")
        let todos = LinkField<Todo>("todos")
      }
      static let namespace = "goals"
      static let fields = Fields()
      init(row: DataRow) throws(QueryError) {}
    }

    struct Todo: QueryEntity {
      struct Fields: Sendable { let title = Field<String>("title"), goal = LinkField<Goal>("goal") }
      static let namespace = "todos"
      static let fields = Fields()
      init(row: DataRow) throws(QueryError) {}
    }

    let goals = EntityQuery<Goal>.from()

    func kinds(number: Int, text: String, maybe: String?) throws {
      _ = goals.filter { $0.salary > 5 && $0.score > 5 && $0.title == text && 5 < $0.salary }
      _ = goals.order(by: \.done).order(by: \.title, .descending)
      _ = goals.filter { $0.salary > "x" }  // refused
      _ = goals.filter { $0.salry > 5 }  // refused
      _ = goals.filter { $0.score > number }  // refused
      _ = goals.filter { $0.title == maybe }  // refused
      _ = goals.filter { $0.salary.like("x") }  // refused
      _ = goals.filter { $0.salary }  // refused
      _ = goals.filter { $0.done }
      _ = goals.filter(\.salary)  // refused
      _ = goals.filter { _ in number > 5 }  // refused
      _ = try goals.filter("title = \(text)")
      _ = try goals.filter(text)  // refused
    }

    func entities() {
      let goal: Condition<Goal> = !(Shape<Goal, Goal>.any.title == nil)  // refused
      _ = goals.filter { $0.todos.goal.title == "x" }
      _ = goals.filter { goal in exists(goal.todos) { $0.title == "x" && goal.done } }  // refused
      _ = goals.filter { $0.todos == "x" }  // refused
      _ = goals.with(\.title)  // refused
      _ = goals.order(by: \.todos)  // refused
      _ = goals.with(\.todos) { $0.filter { $0.title == "x" } }
      _ = goals.with(\.todos) { $0.filter { $0.done } }  // refused
      _ = goals.filter { exists($0.todos.goal) { $0.done } && every($0.todos.goal) { $0.done } }
      _ = goals.filter { none($0.todos.goal) { $0.salary } }  // refused
      _ = goal
    }

    func parts(store: any QueryStore) async throws {
      var query = goals
      query.plan = QueryPlan("todos")  // refused
      query = query.limit(1)
      for try await goal in query.rows(in: store) { _ = goal }
      for try await goal in query { _ = goal }  // refused
      _ = goals.distinct()  // refused
      _ = try await goals.select(\.title, \.salary).distinct().all(in: store)
      _ = goals.aggregate(.count, .sum(\.salary))
      _ = goals.aggregate(.sum(\.title))  // refused
    }
    """#

  @Test("invalid queries do not compile, and valid ones do")
  func refusals() async throws {
    let lines = Self.refused.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = lines.indices.filter { lines[$0].hasSuffix("// refused") }.map { $0 + 1 }
    let found = Set(
      try await onOwnThread { try SwiftCompiler.check(Self.refused) }.filter(\.isError).map(\.line))
    for line in expected where !found.contains(line) {
      Issue.record("this compiles: \(lines[line - 1])")
    }
    for line in found.sorted() where !expected.contains(line) {
      Issue.record("this does not compile: \(lines[line - 1])")
    }
  }

  @Test(
    "the types generated for a store compile", arguments: ["company", "goals", "hostile"])
  func written(name: String) async throws {
    let store = try name == "hostile" ? Self.hostile : CompanyData.load(name)
    let source = EntityTypes.swiftSource(for: store)
    let use = """

      func use(_ store: any QueryStore) async throws(QueryError) {
        for try await row in store.from(\(Self.uses[name] ?? "")) .rows() { _ = row }
      }
      """
    let complaints = try await onOwnThread { try SwiftCompiler.check(source + use) }
    #expect(complaints.isEmpty, "\(complaints)\n\(source)")
    let plain = EntityTypes.swiftSource(for: store.schema)
    #expect(!plain.isEmpty)
  }

  private static let uses = [
    "company": "Employee.self).filter({ $0.salary > 80_000 && $0.department.name == \"Sales\" }",
    "goals": "Goal.self).order(by: \\.title", "hostile": "StringEntity.self",
  ]

  /// Names that are Swift keywords, types of the library, invalid identifiers, or equal after
  /// conversion.
  private static var hostile: TripleStore {
    get throws {
      let rows = """
        [{"id": "a", "init": 1, "self": "x", "class": true, "row": 2, "2fa": 1.5, "a b": [1],
        "a-b": null, "": {}, "\\"q\\\\": "x", "Type": 1, "日本": "x", "fields": 2, "namespace": 3}]
        """
      let names = ["strings", "values", "class", "2fa", "$users", "a\"b", "people", "Person"]
      return try Dataset.load(names.map { (name: $0 + ".json", bytes: Array(rows.utf8)) })
    }
  }

  @Test("the type of a number or an untyped attribute is inferred from the values")
  func types() throws {
    let source = EntityTypes.swiftSource(for: CompanyData.store)
    for line in [
      "struct Employee: QueryEntity {", "let salary = Field<Int>(\"salary\")",
      "let startDate = Field<Instant>(\"startDate\")", "let active = Field<Bool>(\"active\")",
      "let manager = LinkField<Employee>(\"manager\")",
      "let progress = Field<Double>(\"progress\")",
      "func reports() throws(QueryError) -> [Employee] {",
      "func manager() throws(QueryError) -> Employee? {",
    ] { #expect(source.contains("  " + line) || source.contains("\n" + line), "\(line)") }
    let plain = EntityTypes.swiftSource(for: CompanyData.store.schema)
    #expect(plain.contains("salary = Field<Double>"))
  }

  @Test("the guide compiles")
  func guide() async throws {
    let source = try Guide.source()
    #expect(try await onOwnThread { try SwiftCompiler.check(source) }.filter(\.isError) == [])
  }

  /// A measurement, which `make typecheck` asks for on a machine that does nothing else.
  @Test(
    "no expression of the guide takes the compiler half a second",
    .enabled(if: ProcessInfo.processInfo.environment["SONDE_TIME_TYPE_CHECKING"] != nil))
  func guideTimes() async throws {
    let source = try Guide.source()
    let found = try #require(try await onOwnThread { try SwiftCompiler.timings(of: source) }.first)
    let line = source.split(separator: "\n", omittingEmptySubsequences: false)[found.line - 1]
    print("The slowest expression of the guide takes \(found.milliseconds) ms:\(line)")
    #expect(found.milliseconds < 500)
  }
}
