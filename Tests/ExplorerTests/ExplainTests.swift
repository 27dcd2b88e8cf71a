import Explorer
import DataSources
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Explanations")
struct ExplainTests {
  @Test("each condition is shown with its result and the deciding values")
  func isIn() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"))
    screen.press("F")
    screen.type(
      "height > 100 and (edible = true or bed.name like \"By%\") and not (name in (\"Iris\"))")
    screen.press("enter x")
    expectBlock(
      """
      │ Fig matches: row 1 of 2
      │   ✓ height > 100           height is 250
      │   ✓ any of these:
      │   ✓   edible = true        edible is true
      │   ✗   bed.name like "By%"  bed.name is "South wall"
      │   ✓ none of these:
      │   ✗   name in ("Iris")     name is "Fig"

      │ How the query is evaluated
      │   plants: (height > 100 and (edible = true or bed → name like "By%") and not (name in ("Iris")))
      │       all conditions below must match; estimated 2, found 2 rows
      │     height > 100
      │         scan; estimated 2, found 3 rows
      """, in: screen.text.withoutTimes)
  }

  @Test("an entity outside the results can be chosen and explained")
  func isOut() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height > 100 and bed.area > 10")
    screen.press("enter x enter")
    screen.type("iri")
    screen.press("enter")
    #expect(screen.text.contains("Iris does not match: a condition is false"))
    #expect(screen.line(with: "✗ height > 100")?.contains("height is 80") == true)
    #expect(screen.line(with: "✗ bed.area > 10")?.contains("bed.area is 8") == true)
  }

  @Test("the returned groups are counted as groups")
  func groups() throws {
    let plan = try QueryDocument(text: "plants group name").plans[0]
    var screen = try Screen(columns: 130, rows: 24, query: plan)
    screen.press("x")
    #expect(screen.text.contains("returned all 5 groups; took "), "\(screen.text)")
  }

  @Test("a row beyond the limit is explained")
  func limited() throws {
    var screen = try Screen(
      columns: 130, rows: 24, query: QueryPlan("plants").order("name").limit(2))
    screen.press("x enter")
    screen.type("ume")
    screen.press("enter")
    #expect(screen.text.contains("matches as row 5 of 5, but is outside the limit"))
  }

  @Test("an entity can be chosen by its id or a prefix")
  func byID() throws {
    var screen = try Screen(
      columns: 130, rows: 24, query: QueryPlan("plants").filter(.compare("name", .equal, "Fig")))
    let store = screen.store
    let key = try #require(store.schema.attribute("plants", "key"))
    let iris = try #require(
      store.rows(of: "plants").handles.first { store.value($0, key.id) == .text("iris") })
    let id = store.id(of: iris).text
    for typed in [String(id.prefix(6)), id, " " + id.uppercased() + " "] {
      screen.press("x enter")
      screen.handle(.terminal(.paste(typed)))
      screen.press("enter")
      #expect(screen.text.contains("Iris does not match: a condition is false"), "\(typed)")
      screen.press("escape")
    }
  }

  @Test("a nested row is explained by the query of its relation")
  func nested() throws {
    let plan = QueryPlan("beds").with("plants") { $0.filter(.compare("height", .greater, 50)) }
    var screen = try Screen(columns: 130, rows: 24, query: plan)
    screen.press("$ down down x")
    #expect(screen.text.contains("Fig matches: row 1 of 2"))
    #expect(screen.line(with: "✓ height > 50")?.contains("height is 250") == true)
    #expect(screen.line(with: "✓ bed.id = ") != nil)
  }

  @Test("a server is queried for what the rows do not contain")
  func elsewhere() throws {
    let plan = QueryPlan("plants").filter(.compare("height", .greater, 100)).limit(1)
    var screen = try Screen(columns: 130, rows: 24, query: plan, isPartial: true)
    screen.press("x")
    #expect(screen.text.contains("Fig matches: the server returned it"))
    #expect(screen.line(with: "✓ height > 100")?.contains("height is 250") == true)
    screen.press("enter")
    screen.type("ume")
    screen.press("enter")
    #expect(screen.text.contains("matches, but the server did not return it"))
    screen.press("enter")
    screen.type("mint")
    screen.press("enter")
    #expect(screen.text.contains("Mint does not match: a condition is false"))
    #expect(screen.line(with: "✗ height > 100")?.contains("height is 40") == true)
  }

  @Test("a database is not called a server")
  func database() throws {
    let plan = QueryPlan("plants").filter(.compare("height", .greater, 100)).limit(1)
    var screen = try Screen(
      columns: 130, rows: 24, query: plan, changeDetection: "data_version", isPartial: true)
    screen.press("x")
    #expect(screen.text.contains("Fig matches: the database returned it"))
    #expect(screen.text.contains("The database evaluates the query"))
    #expect(!screen.text.contains("server"))
  }

  @Test("the statements of a database and their query plans are shown")
  func statements() async throws {
    let plan = QueryPlan("plants").filter(.compare("height", .greater, 100)).limit(1)
    var screen = try Screen(
      columns: 130, rows: 24, query: plan, changeDetection: "data_version", isPartial: true)
    screen.press("x")
    guard case .explain(let request)? = screen.requests.last?.request else {
      Issue.record("Nothing is explained")
      return
    }
    #expect(request.databaseQuery == QueryDocument(plan))
    var served = ServedAnswer()
    served.statements = [
      ServedAnswer.Statement(
        text: "SELECT 1", values: [], rows: 1, time: .zero, plan: ["Seq Scan on plants"])
    ]
    let store = ExplainedStore(snapshot: StoreSnapshot(try Garden.store(), served: served))
    let lines = await QueryManager(store: store).lines(of: request).map(\.text)
    #expect(lines.first == "Fig matches: the database returned it")
    #expect(lines.contains("How the database evaluates the query"))
    #expect(lines.contains("  SELECT 1") && lines.contains("    Seq Scan on plants"), "\(lines)")
  }

  @Test("an entity that is no row is explained by its path")
  func other() throws {
    var screen = try Screen(
      columns: 130, rows: 24, query: QueryPlan("plants").filter(.compare("height", .greater, 100)))
    screen.press("enter G enter x")
    #expect(
      screen.text.contains(
        "South wall is not a row of this query: it is a row of beds, but the query returns plants"))
    #expect(screen.text.contains("It was opened through links: Fig › bed › South wall"))
    #expect(screen.text.contains("Fig matches: row 1 of 3"))
    #expect(screen.line(with: "✓ height > 100")?.contains("height is 250") == true)
    // The next explanation is of a row again, without links.
    screen.press("escape escape escape x")
    #expect(screen.text.contains("Fig matches"))
    #expect(!screen.text.contains("through links"))
  }

  @Test("a pasted id is explained, even from another namespace")
  func foreignID() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"))
    let store = screen.store
    let bed = try #require(store.rows(of: "beds").handles.first)
    screen.press("x enter")
    screen.handle(.terminal(.paste(store.id(of: bed).text)))
    #expect(screen.text.contains("No row of plants has this id."))
    #expect(screen.text.contains("enter explain this id"))
    screen.press("enter")
    #expect(screen.text.contains("South wall does not match: it belongs to beds"))
    screen.press("enter")
    screen.handle(.terminal(.paste("00000000-0000-4000-8000-00000000abcd")))
    screen.press("enter")
    #expect(screen.text.contains("it does not exist"))
    screen.press("enter")
    screen.type("zzz")
    screen.press("enter")
    #expect(screen.notice == .noMatch)
  }

  @Test("for an unknown id, a permission rule is mentioned")
  func hidden() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"), isPartial: true)
    screen.press("x enter")
    screen.handle(.terminal(.paste("00000000-0000-4000-8000-00000000abcd")))
    screen.press("enter")
    #expect(screen.text.contains("The server did not return"))
  }

  @Test("missing, null and unlinked values are distinguished")
  func absent() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("sown is null and note is null and not bed.name = \"x\"")
    screen.press("enter x enter")
    screen.type("odd")
    screen.press("enter")
    #expect(screen.line(with: "✓ sown is null")?.contains("sown is missing") == true)
    #expect(screen.line(with: "✗ note is null")?.contains("note is \"é\"") == true)
    #expect(screen.line(with: "bed.name is")?.contains("bed.name is not linked") == true)
    screen.press("enter")
    screen.type("ume")
    screen.press("enter")
    #expect(screen.line(with: "✓ sown is null")?.contains("sown is null  ") == true)
  }

  @Test("quantifiers are shown for each linked entity")
  func quantified() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("beds"))
    screen.press("F")
    screen.type("every plants (height > 100)")
    screen.press("enter x enter")
    screen.type("pond")
    screen.press("enter")
    #expect(screen.text.contains("By the pond does not match"))
    #expect(screen.text.contains("✗   Iris"))
    #expect(screen.text.contains("✗   Mint"))
  }
}

extension String {
  /// The text without durations.
  var withoutTimes: String {
    replacing(/[0-9.]+ (µs|us|ms|ns|s)\b */, with: "")
  }

  @Test("an explanation has the same name everywhere")
  func named() throws {
    var screen = try Screen(columns: 90, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("x")
    #expect(screen.hears("Explain"), "\(screen.text)")
    screen.press("f5")
    #expect(screen.row(23).contains("does nothing in Explain"), "\(screen.text)")
    screen.press("?")
    #expect(screen.text.contains("Keys in Explain"), "\(screen.text)")
  }
}

/// A store with one snapshot, which it gives only to a reader that asks for the statements.
private struct ExplainedStore: StoreDataSource {
  let snapshot: StoreSnapshot

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    throw DataSourceError(.failed, "not explained")
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] { [] }

  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    throw DataSourceError(.failed, "not explained")
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    continuation.finish()
    return stream
  }

  func watch(_ document: QueryDocument, showing view: AnswerView) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    if view.explains { continuation.yield(snapshot) }
    continuation.finish()
    return stream
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot { snapshot }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] { [] }
}
