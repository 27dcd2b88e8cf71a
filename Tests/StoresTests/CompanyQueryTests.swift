import ConformanceSupport
import InstaQL
import LiveQueries
import TestSupport
import Testing
import Triples

/// The examples that a fluent query was thought up for, of the bundled company in every kind of store.
@Suite("The company demo, queried in Swift", .timeLimit(.minutes(10)))
struct CompanyQueryTests {
  private let everybody = EntityQuery<Employee>.from()

  @Test("well paid employees are sorted by salary and start date", arguments: CompanyKind.allCases)
  func wellPaid(_ kind: CompanyKind) async throws {
    try await kind.withStore { store in
      let query = everybody.filter { $0.salary > 80_000 }
        .order(by: \.salary, .descending).order(by: \.startDate)
      let found = try await query.all(in: store)
      #expect(found.count > 10)
      #expect(found.allSatisfy { $0.salary > 80_000 })
      for (a, b) in zip(found, found.dropFirst()) {
        #expect(a.salary > b.salary || a.salary == b.salary && a.startDate <= b.startDate)
      }
      let all = try await everybody.all(in: store)
      #expect(all.count == 200)
      #expect(Set(found.map(\.id)) == Set(all.filter { $0.salary > 80_000 }.map(\.id)))
      var visited: [EntityID] = []
      for try await employee in query.rows(in: store) { visited.append(employee.id) }
      #expect(visited == found.map(\.id))
    }
  }

  @Test(
    "equivalent filters give the same rows: text with values, text, a condition, two filters",
    arguments: CompanyKind.allCases)
  func filters(_ kind: CompanyKind) async throws {
    try await kind.withStore { store in
      let (least, shape) = (80_000, "S%")
      let wanted = try await everybody.all(in: store)
        .filter { $0.salary > 80_000 && $0.name.hasPrefix("S") }.map(\.id)
      #expect(!wanted.isEmpty)
      for query in [
        try everybody.filter("salary > \(least) and name like \(shape)"),
        try everybody.filter(parsing: "salary > 80000 and name like \"S%\""),
        everybody.filter { $0.salary > least && $0.name.hasPrefix("S") },
        everybody.filter { $0.salary > 80_000 }.filter { $0.name.like("S%") },
      ] {
        #expect(try await query.ids(in: store) == wanted, "\(query.plan.text)")
      }
      for hostile in ["\" or 1 = 1", "x\" or salary > 0 or name = \"", "%' or 'a' = 'a"] {
        #expect(try await everybody.filter("name = \(hostile)").count(in: store) == 0)
        #expect(try await everybody.filter { $0.name == hostile }.count(in: store) == 0)
      }
    }
  }

  @Test(
    "an order by names equals one by fields, appended or given at once, descending or reversed",
    arguments: CompanyKind.allCases)
  func orders(_ kind: CompanyKind) async throws {
    try await kind.withStore { store in
      let fields = try await everybody.order(by: \.level).order(by: \.name).ids(in: store)
      #expect(try await everybody.order("level", "name").ids(in: store) == fields)
      #expect(try await everybody.order("level").order("name").ids(in: store) == fields)
      let reversed = try await everybody.order("level", "name", direction: .descending)
        .ids(in: store)
      #expect(reversed == fields.reversed())
      let windowed = everybody.order(by: \.name).limit(3).limit(5).offset(10)
      let names = try await everybody.order(by: \.name).ids(in: store)
      #expect(try await windowed.ids(in: store) == Array(names[10..<15]))
      #expect(try await windowed.first(in: store)?.id == names[10])
      #expect(try await windowed.count(in: store) == 5)
      #expect(try await windowed.total(in: store) == 200)
      #expect(try await everybody.filter { $0.salary < 0 }.first(in: store) == nil)
      let page = try await everybody.order(by: \.name).page(first: 20).page(in: store)
      let next = everybody.order(by: \.name).page(first: 20, after: page.info?.end)
      #expect(try await next.ids(in: store) == Array(names[20..<40]))
    }
  }

  @Test(
    "parts of a query can be reused: refining one does not change another",
    arguments: CompanyKind.allCases)
  func reuse(_ kind: CompanyKind) async throws {
    // Made before there is any store, and asked of one named late.
    let active = everybody.filter(\.active)
    let rich = active.filter { $0.salary > 80_000 }
    let leading = rich.filter { exists($0.reports) { $0.active == true } }
    let plans = [everybody, active, rich, leading].map(\.plan)
    try await kind.withStore { store in
      var counts: [Int] = []
      for query in [everybody, active, rich, leading] {
        counts.append(try await query.count(in: store))
        #expect(try await query.in(store).order(by: \.name).all().count == counts.last)
      }
      #expect(Set(counts).count == 4)
      #expect(counts == counts.sorted(by: >))
      #expect(try await store.from(Employee.self).filter(\.active).count() == counts[1])
      #expect([everybody, active, rich, leading].map(\.plan) == plans)
      await #expect(throws: QueryError.noStore(namespace: "employees")) { try await rich.count() }
    }
  }

  @Test(
    "departments include their well paid employees and total salaries",
    arguments: CompanyKind.allCases)
  func nested(_ kind: CompanyKind) async throws {
    try await kind.withStore { store in
      let departments = try await store.from(Department.self).order(by: \.name)
        .with(\.employees) { $0.filter { $0.salary > 80_000 }.order(by: \.name) }.all()
      #expect(departments.count == 9)
      let costs = try await everybody.filter { $0.salary > 80_000 }
        .grouped { $0.department.name }.aggregate(.count, .sum(\.salary)).all(in: store)
      for department in departments where !department.employees.isEmpty {
        let cost = try #require(
          costs.first { $0["department.name"] == .text(department.name) })
        #expect(cost.count == department.employees.count)
        #expect(
          cost.integer(.sum(\.salary)) == department.employees.reduce(0) { $0 + $1.salary })
      }
    }
  }

  @Test("a live query follows changes", arguments: CompanyKind.allCases)
  func live(_ kind: CompanyKind) async throws {
    try await kind.withStore { store in
      let query = everybody.order(by: \.salary, .descending).order(by: \.name).limit(3)
      for try await page in query.live(in: store).awaited("a page with rows") {
        if page.rows.isEmpty { continue }
        #expect(page.rows.map(\.id) == (try await query.ids(in: store)))
        break
      }
    }
  }
}
