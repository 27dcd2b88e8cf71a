import ConformanceSupport
import InstaQL
import Testing
import Triples

@Suite("A fluent query")
struct EntityQueryTests {
  let base = EntityQuery<Employee>.from()

  @Test("a typed condition has the expected text form")
  func conditions() {
    let cases: [(EntityQuery<Employee>, String)] = [
      (base.filter { $0.salary > 80_000 }, "salary > 80_000"),
      (base.filter { 80_000 >= $0.salary }, "salary <= 80_000"),
      (base.filter(\.active), "active = true"),
      (base.filter { $0.active }, "active = true"),
      (base.filter { employee in employee.manager.active }, "manager.active = true"),
      (base.filter { $0.active && !($0.level < 3) }, "active = true and not level < 3"),
      (base.filter { !$0.active || $0.level == 3 }, "not active = true or level = 3"),
      (base.filter { $0.title == nil }, "title is null"),
      (base.filter { $0.title != nil && $0.title != "x" }, "title is not null and title != \"x\""),
      (base.filter { $0.level.between(2...4) }, "level >= 2 and level <= 4"),
      (base.filter { $0.level.between(2..<4) }, "level >= 2 and level < 4"),
      (base.filter { $0.level.oneOf([1, 2]) }, "level in (1, 2)"),
      (base.filter { $0.level.noneOf([1, 2]) }, "level not in (1, 2)"),
      (
        base.filter { $0.name.like("S%") || ilike($0.name, "s%") },
        "name like \"S%\" or name ilike \"s%\""
      ),
      (base.filter { $0.name.hasPrefix("50%") }, "name like \"50\\%%\""),
      (base.filter { $0.name.hasSuffix("a_b") }, "name like \"%a\\_b\""),
      (base.filter { $0.name.contains("\\") }, #"name like "%\\\%""#),
      (base.filter { $0.name == $0.title }, "name = field(title)"),
      (base.filter { $0.department.name == "Sales" }, "department.name = \"Sales\""),
      (base.filter { $0.manager.department.floor > 2 }, "manager.department.floor > 2"),
      (
        base.filter { exists($0.reports) { $0.active && $0.level > 2 } },
        "any reports (active = true and level > 2)"
      ),
      (base.filter { none($0.reports) { !$0.active } }, "no reports (not active = true)"),
      (base.filter { every($0.reports) { $0.level < 3 } }, "every reports (level < 3)"),
      (
        base.filter { exists($0.reports) { $0.active } || every($0.reports) { $0.active } },
        "any reports (active = true) or every reports (active = true)"
      ),
      (base.filter { none($0.reports) { $0.active } }, "no reports (active = true)"),
      (
        base.filter { exists($0.manager) && none($0.projects) },
        "manager is not null and projects is null"
      ),
    ]
    for (query, text) in cases { #expect(query.plan.condition?.text == text) }
  }

  @Test("a field may have a name that the library uses")
  func anyNames() {
    let query = EntityQuery<Project>.from()
      .filter { $0.path == "x" && $0.count > 0.5 && $0.description == .done }
      .order(by: \.filter).order(by: \.count, .descending)
    #expect(
      query.plan.text == "projects filter name = \"x\" and progress > 0.5 and status = \"done\""
        + " order deadline, progress desc")
  }

  @Test("names and text give the same query as types")
  func untyped() throws {
    let limit = 80_000
    let typed = base.filter { $0.salary > 80_000 && $0.name.like("S%") }
      .order(by: \.name, .descending).limit(5)
      .with(\.projects) { $0.filter { $0.count > 0.5 } }
    let text = try EntityQuery.from("employees")
      .filter("salary > \(limit) and name like \("S%")")
      .order("name", direction: .descending).limit(5)
      .with("projects") { query throws(QueryError) in try query.filter("progress > 0.5") }
    let shape = EntityQuery.from("employees")
      .filter { $0.salary > 80_000 && like($0["name"], "S%") }
      .order("name", direction: .descending).limit(5)
      .with("projects") { $0.filter { $0.progress > 0.5 } }
    #expect(typed.plan == text.plan)
    #expect(typed.plan == shape.plan)
    #expect(typed.key == shape.key)
  }

  @Test("a path of names may include links that only the store knows")
  func untypedPaths() {
    let query = EntityQuery.from("employees").filter {
      $0.department.name == "Sales" && exists($0.reports) { $0.level > 2 } && $0["a b"] != nil
        && $0.active == true
    }
    #expect(
      query.plan.condition?.text == "department.name = \"Sales\" and any reports (level > 2)"
        + " and `a b` is not null and active = true")
  }

  @Test("a query is immutable: deriving five others leaves it unchanged")
  func immutability() throws {
    let before = base.plan
    let made = [
      base.filter(\.active), base.order(by: \.name), base.limit(3), base.offset(1),
      base.with(\.reports), base.select("name"), try base.filter(parsing: "level = 1"),
    ]
    #expect(base.plan == before)
    #expect(Set(made).count == made.count)
  }

  @Test("several filters are equivalent to and")
  func cumulative() {
    #expect(
      base.filter { $0.salary > 1 }.filter { $0.level > 2 }
        == base.filter { $0.salary > 1 && $0.level > 2 })
  }

  @Test("order keys are appended, by name as by field")
  func orderAppends() {
    let fields = base.order(by: \.level, .descending).order(by: \.name, .descending)
    #expect(fields == base.order("level", "name", direction: .descending))
    #expect(fields.plan.order.count == 2)
    #expect(base.order(by: \.active).plan.order[0].path == "active")
  }

  @Test("the last limit counts, and nil removes it")
  func windows() {
    #expect(base.limit(5).limit(7).plan.page == Page(limit: 7))
    #expect(base.limit(5).limit(nil).plan.page == .whole)
    #expect(base.limit(5).page(first: 2).plan.page == Page(first: 2))
    #expect(base.page(last: 2).limit(3).plan.page == Page(limit: 3))
  }

  @Test("each part can be removed")
  func removing() {
    let all = base.filter(\.active).order(by: \.name).limit(3).select("name").with(\.reports)
    #expect(all.removing(.filter, .order, .window, .select, .related) == base)
    #expect(all.removing(.order).plan.order.isEmpty)
    #expect(all.removing(.order).plan.condition != nil)
  }

  @Test("a hostile text that is bound stays a value")
  func interpolation() throws {
    for hostile in ["\" or 1 = 1", "' or 'a' = 'a", "\u{1A}", "`", "\\", "salary > 0"] {
      let query = try base.filter("name = \(hostile)")
      #expect(query.plan.condition == .compare("name", .equal, .text(hostile)))
    }
    let ids = [1, 2]
    #expect(
      try base.filter("level in \(list: ids.map(\.queryValue))").plan.condition
        == .isIn("level", [1, 2]))
  }

  @Test("a syntax error has its position")
  func mistakes() {
    #expect(throws: QueryError.self) { try base.filter(parsing: "salary >") }
    do throws(QueryError) {
      _ = try base.filter(parsing: "salary >")
    } catch {
      #expect(error.position?.line == 1)
      #expect(error.position?.column == 9)
    }
  }

  @Test("a query can be passed between tasks")
  func crossing() async {
    let query = base.filter(\.active)
    let other = await Task.detached { query.limit(3) }.value
    #expect(other == query.limit(3))
  }
}
