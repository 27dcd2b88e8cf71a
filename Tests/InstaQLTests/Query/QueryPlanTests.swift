import InstaQL
import Testing
import Triples

@Suite("Editing a plan")
struct QueryPlanTests {
  static let base = QueryPlan("employees")

  @Test("each call returns a copy and leaves the plan unchanged")
  func copies() throws {
    let base = Self.base
    let made = [
      base.filter(.isNull("name", true)), base.order("name"), base.limit(3), base.offset(2),
      base.page(first: 5), base.fields(["name"]), base.count(), base.with("todos"),
    ]
    #expect(base == QueryPlan("employees"))
    #expect(Set(made).count == made.count)
    #expect(made.allSatisfy { $0 != base })
  }

  @Test("several filters are equivalent to one with and")
  func filtersAddUp() {
    let a = ConditionNode.compare("a", .equal, 1)
    let b = ConditionNode.compare("b", .greater, 2)
    let c = ConditionNode.isNull("c", false)
    let once = Self.base.filter(.all([a, b, c]))
    #expect(Self.base.filter(a).filter(b).filter(c) == once)
    #expect(Self.base.filter(a).filter(b.and(c)) == once)
    #expect(Self.base.filter(a).condition == a)
    #expect(a.or(b).or(c) == .any([a, b, c]))
  }

  @Test("a condition that a plan already requires is not added again")
  func filtersDoNotRepeat() {
    let a = ConditionNode.compare("a", .equal, 1)
    let b = ConditionNode.compare("b", .greater, 2)
    let once = Self.base.filter(a)
    #expect(once.filter(a) == once)
    #expect(once.filter(.all([a, b])) == Self.base.filter(.all([a, b])))
    #expect(Self.base.filter(a.or(b)).filter(a) == Self.base.filter(.all([a.or(b), a])))
  }

  @Test("sort keys added separately equal those added together")
  func orderAppends() throws {
    let typed = try QueryDocument(text: "employees order salary desc, name")
    #expect(typed == QueryDocument(Self.base.order("salary", .descending).order("name")))
  }

  @Test("the order of a column cycles from ascending to descending to none")
  func toggling() {
    var plan = Self.base.order("name")
    plan.toggleOrder("age", asFurtherKey: true)
    #expect(plan.order == [OrderKey("name"), OrderKey("age")])
    plan.toggleOrder("age", asFurtherKey: true)
    #expect(plan.orderKey(of: "age")?.direction == .descending)
    #expect(plan.orderKey(of: "age")?.place == 1)
    plan.toggleOrder("age", asFurtherKey: true)
    #expect(plan.order == [OrderKey("name")])
    plan.toggleOrder("age")
    #expect(plan.order == [OrderKey("age")])
    plan.toggleOrder("age")
    plan.toggleOrder("age")
    #expect(plan.order.isEmpty)
  }

  @Test("the order of a column can begin with the descending one")
  func togglingFromDescending() {
    var plan = Self.base.order("name")
    plan.toggleOrder("age", beginning: .descending, asFurtherKey: true)
    #expect(plan.order == [OrderKey("name"), OrderKey("age", .descending)])
    plan.toggleOrder("age", beginning: .descending, asFurtherKey: true)
    #expect(plan.order == [OrderKey("name"), OrderKey("age")])
    plan.toggleOrder("age", beginning: .descending, asFurtherKey: true)
    #expect(plan.order == [OrderKey("name")])
  }

  @Test("a new order removes the cursors of the old one")
  func orderForgetsCursors() {
    let cursor = Cursor(
      entity: EntityID("x"), attribute: AttributeID("a"), value: 1, createdAt: nil)
    var plan = Self.base.order("name").page(first: 3, after: cursor)
    plan.toggleOrder("age")
    #expect(plan.page == Page(first: 3))
  }

  @Test("a limit replaces first and last, and nil removes it")
  func limits() {
    #expect(Self.base.page(last: 3).limit(2).page == Page(limit: 2))
    #expect(Self.base.limit(2).limit(nil) == Self.base)
  }

  @Test("nested plans are accessed along links and created if necessary")
  func nested() {
    var plan = Self.base
    plan[along: ["team", "lead"]] = QueryPlan("people").limit(1)
    #expect(plan.relations.map(\.label) == ["team"])
    #expect(plan[along: ["team", "lead"]] == QueryPlan("lead").limit(1))
    #expect(plan[along: ["team", "nobody"]] == nil)
    plan[along: ["team", "lead"]] = nil
    #expect(plan == Self.base.with("team"))
    #expect(Self.base.with("b").with("a") == Self.base.with("a").with("b"))
    #expect(Self.base.with("a") { $0.limit(1) }.with("a") == Self.base.with("a"))
    #expect(plan.without("team") == Self.base)
  }

  @Test("parts are removed separately")
  func removing() {
    var plan = Self.base.filter(.all([.isNull("a", true), .isNull("b", true)])).order("c").with("d")
    plan.removeCondition(at: 0)
    #expect(plan.condition == .isNull("b", true))
    plan.removeCondition(at: 5)
    #expect(plan.removing(.order, .relations) == Self.base.filter(.isNull("b", true)))
    plan.removeCondition(at: 0)
    #expect(plan.removing(.order, .relations) == Self.base)
    #expect(plan.removing(.filter, .order, .page, .fields, .count, .relations).isPlain)
  }

  @Test("invalid numbers are kept and reported as a fault")
  func faults() {
    #expect(Page(limit: 0).fault?.option == "limit")
    #expect(Page(offset: -1).fault?.reason == "the value must be 0 or more, not -1")
    #expect(Page(first: 1, last: 2).fault?.option == "last")
    #expect(Page(offset: 0, last: 2).fault == nil)
    #expect(
      throws: QueryError.invalid(path: "a.$.limit", reason: "the value must be 1 or more, not 0")
    ) {
      try QueryPlan("a").limit(0).instaQL()
    }
  }

  @Test("paths within a quantifier start at the end of its link")
  func paths() {
    let condition = ConditionNode.all([
      .quantified(.every, "todos", .not(.compare("goal.title", .equal, "x"))),
      .compareFields("a", .less, "b"), .idStartsWith(["c"], "0"),
    ])
    var paths: [String] = []
    condition.forEachPath { paths.append($0.dotted) }
    #expect(paths == ["todos", "todos.goal.title", "a", "b", "c.id"])
    #expect(condition.depth == 4)
  }
}
