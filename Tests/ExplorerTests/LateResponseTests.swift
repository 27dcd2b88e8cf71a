import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Late responses")
struct LateResponseTests {
  private static func saved(_ names: [String]) -> Response {
    .savedQueries(
      names.map { SavedQuery(name: $0, store: "garden", text: "plants limit 2") }, history: [])
  }

  private static func click(_ screen: inout Screen, row: Int, column: Int) {
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: row, column: column))))
  }

  @Test("deleting a saved query keeps the cursor")
  func forgetting() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("B")
    screen.respond(Self.saved(["one", "two", "three", "four"]))
    screen.press("down down d d")
    screen.respond(Self.saved(["one", "two", "four"]))
    screen.press("d d")
    let forgotten = screen.effects.compactMap { effect in
      if case .save(.deletedQuery(let query)) = effect { query.name } else { nil }
    }
    #expect(forgotten == ["three", "four"])
    // The last one is gone, and the list was left.
    screen.press("escape")
    screen.respond(Self.saved(["one", "two"]))
    #expect(!screen.text.contains("Saved queries"))
  }

  @Test("the list of saved queries says that it cannot be read again")
  func unreadable() throws {
    let failure = Notice.cannotReadNotebook("The disk is full")
    for (keys, isReported) in [("B", true), (":", false)] {
      var screen = try Screen(columns: 110, query: QueryPlan("plants"))
      screen.press(keys)
      if isReported {
        screen.respond(Self.saved(["one", "two"]))
        screen.press("d d")
      }
      let request = try #require(screen.requests.last { $0.request == .savedQueries })
      screen.handle(.response(request.id, .failed(failure)))
      #expect(screen.text.contains(failure.text) == isReported, "\(screen.text)")
    }
  }

  @Test("a late list of saved queries does not open after leaving")
  func asking() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("B escape")
    screen.respond(Self.saved(["one"]))
    #expect(!screen.text.contains("Saved queries"))
  }

  @Test("a late menu does not open while the user types elsewhere")
  func copying() throws {
    let plan = QueryPlan("cities").limit(3_000)
    for (keys, opens) in [("", true), ("?", false), ("F", false), ("1", false)] {
      var screen = try Screen(query: plan, store: DemoData.store(), isReadAsNeeded: true)
      screen.isSlow = true
      screen.press("y")
      let (id, asked) = try #require(screen.requests.last)
      guard case .complete(let part) = asked else {
        Issue.record("\(asked)")
        return
      }
      screen.press(keys)
      let all = try QueryEngine.answer(part.plan, in: screen.store)
      screen.handle(.response(id, .rows(all, StoreSnapshot(screen.store))))
      #expect(screen.text.contains("─ Copy ") == opens)
    }
  }

  @Test(
    "a selection of all rows that are still loading ends with the next one",
    arguments: ["a", "i", "u"])
  func selecting(key: String) throws {
    let plan = QueryPlan("cities").limit(3_000)
    var screen = try Screen(query: plan, store: DemoData.store(), isReadAsNeeded: true)
    screen.isSlow = true
    screen.press("space M a")
    let asked = try #require(screen.requests.last?.request)
    guard case .complete = asked else {
      Issue.record("\(asked)")
      return
    }
    #expect(screen.canceled.last != asked)
    screen.press("M \(key)")
    #expect(screen.canceled.last == asked)
  }

  @Test("a finished export closes its pane in any tab")
  func export() throws {
    for outcome in [
      ExportOutcome.written(path: "/plants.csv", rows: 5, bytes: 99), .cancelled,
      .failed("The disk is full"),
    ] {
      var screen = try Screen(columns: 110, query: QueryPlan("plants"))
      screen.press("t E enter")
      #expect(screen.text.contains("Writing"))
      Self.click(&screen, row: 0, column: 10)
      #expect(!screen.text.contains("Writing"))
      screen.respond(.exported(outcome))
      #expect(!screen.row(23).isEmpty)
      screen.press(".")
      #expect(!screen.text.contains("Writing"), "\(screen.text)")
      screen.press("escape E")
      #expect(screen.text.contains("Export"))
    }
  }

  @Test("value counts resume when their tab is shown again")
  func counting() throws {
    var screen = try Screen(columns: 119, query: QueryPlan("plants"))
    screen.press("t l")
    screen.isSlow = true
    screen.press("z")
    #expect(screen.text.contains("counting"))
    screen.press(",")
    #expect(screen.canceled.last == screen.requests.last?.request)
    screen.isSlow = false
    screen.press(".")
    #expect(screen.text.contains("5 distinct"), "\(screen.text)")
  }

  @Test("value counts belong to the current query")
  func countedAnew() throws {
    var screen = try Screen(columns: 119, query: QueryPlan("plants"), isReadAsNeeded: true)
    screen.press("l z")
    #expect(screen.text.contains("5 distinct"))
    screen.isSlow = true
    screen.press("F")
    screen.type("height < 100")
    screen.press("enter")
    screen.answerAtLast(keepingSlow: true)
    #expect(screen.text.contains("of the previous query"), "\(screen.text)")
    // They filter nothing meanwhile.
    let asked = screen.watched.last?.document
    screen.press("enter")
    #expect(screen.watched.last?.document == asked)
    guard case .countValues(_, let answer, _)? = screen.requests.last?.request else {
      Issue.record("Nothing is counted anew")
      return
    }
    #expect(answer.plan.text == "plants filter height < 100")
    screen.respondAtLast()
    #expect(screen.text.contains("2 distinct"))
    screen.press("enter")
    #expect(screen.watched.last?.document != asked)
  }

  @Test("an explanation opens only in the tab that requested it")
  func explanation() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("t")
    screen.isSlow = true
    screen.press("x")
    screen.press(",")
    screen.respond(.explanation([TextLine("all plants")]))
    #expect(!screen.text.contains("all plants"))
    screen.press(".")
    #expect(screen.text.contains("all plants"))
    screen.press("escape x")
    screen.press("escape")
    screen.respond(.explanation([TextLine("all plants")]))
    #expect(!screen.text.contains("all plants"))
  }

  @Test("requests of a tab are canceled when it is closed")
  func closing() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("t")
    screen.isSlow = true
    screen.press("x x")
    let asked = screen.requests.suffix(2)
    #expect(screen.canceled == asked.prefix(1).map { $0.request })
    screen.press("ctrl-w")
    #expect(screen.canceled == asked.map { $0.request })
    for request in asked {
      screen.handle(.response(request.id, .explanation([TextLine("all plants")])))
    }
    #expect(!screen.text.contains("all plants"))
  }

  @Test("a lost mouse release ends a drag at the next press")
  func heldEdge() throws {
    var screen = try Screen(columns: 119, rows: 20, query: QueryPlan("plants").order("name"))
    let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let row = try #require(rows.firstIndex { $0.contains("↑name ") && $0.contains("edible") })
    let place = try #require(rows[row].firstRange(of: "edible"))
    let column = rows[row].distance(from: rows[row].startIndex, to: place.lowerBound)
    Self.click(&screen, row: row, column: column - 1)
    screen.press("F")
    screen.handle(.terminal(.mouse(Mouse(.release(.left), row: row, column: column - 1))))
    screen.press("escape")
    let before = screen.row(row)
    screen.handle(.terminal(.mouse(Mouse(.drag(.left), row: row + 4, column: column + 20))))
    #expect(screen.row(row) == before)
    Self.click(&screen, row: row, column: column - 1)
    screen.press("F")
    Self.click(&screen, row: row + 4, column: column)
    screen.press("escape")
    screen.handle(.terminal(.mouse(Mouse(.drag(.left), row: row + 4, column: column + 20))))
    #expect(screen.row(row) == before)
  }
}
