import Explorer
import InstaQL
import TerminalUI
import Testing

/// With the cursor on another namespace than that of the results.
@Suite("Editing queries from the namespaces and the schema")
struct NamespaceQueryTests {
  private static func screen(_ way: String) throws -> Screen {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants").limit(3))
    screen.press(way)
    return screen
  }

  @Test("the filter is that of the namespace under the cursor", arguments: ["1 up", "1 up 2"])
  func filter(way: String) throws {
    var screen = try Self.screen(way)
    screen.press("F")
    #expect(screen.row(1).contains("Filter of beds"))
    screen.type("area > 9")
    #expect(!screen.text.contains("expected a field"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "beds filter area > 9")
    #expect(screen.hears("Results"))
    screen.press("[")
    #expect(screen.watched.last?.document.text == "plants limit 3")
  }

  @Test(
    "so are the order, the limit and the whole query",
    arguments: [
      ("O", "area desc", "beds order area desc"), ("L", "2", "beds limit 2"),
      ("Q", " limit 1", "beds limit 1"),
    ])
  func clauses(key: String, text: String, query: String) throws {
    var screen = try Self.screen("1 up")
    screen.press(key)
    screen.type(text)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == query, "\(screen.text)")
  }

  @Test("its names are offered as completions")
  func words() throws {
    var screen = try Self.screen("1 up F")
    screen.type("are")
    #expect(screen.text.contains("area"))
    screen.press("tab")
    screen.type(" > 9")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "beds filter area > 9")
  }

  @Test("its last query is edited, and escape has no effect")
  func left() throws {
    var screen = try Self.screen("1 up enter")
    screen.press("L")
    screen.type("2")
    screen.press("enter 1 down enter 1 up L")
    #expect(screen.row(2).contains("2"))
    let asked = screen.watched.last?.document.text
    screen.press("escape")
    #expect(screen.watched.last?.document.text == asked)
    #expect(screen.hears("Namespaces"))
  }

  @Test("going back leads to the view of the namespace before, and forward returns")
  func back() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("4 l # 1 up enter")
    #expect(screen.watched.last?.document.text == "beds")
    screen.press("u")
    #expect(screen.notice == .nothingToUndoInQuery.hinting(.key(.back)))
    screen.press("backspace")
    #expect(screen.watched.last?.document.text == "plants group height order count desc")
    #expect(screen.row(0).contains("garden › plants  "), "\(screen.row(0))")
    screen.press("]")
    #expect(screen.watched.last?.document.text == "beds")
    screen.press("[ u")
    #expect(screen.watched.last?.document.text == "plants")
  }

  @Test("without an earlier view, the notice names the key that undoes the query change")
  func undoInsteadOfBack() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("4 backspace")
    #expect(screen.notice == .noEarlierView)
    screen.press("l # backspace")
    #expect(screen.notice == .noEarlierView.hinting(.key(.undo)))
    #expect(screen.text.contains("No earlier view.  u undo"), "\(screen.text)")
    screen.press("u backspace")
    #expect(screen.notice == .noEarlierView)
  }

  @Test("going back leads through all views of the namespace before, opening it to the first one")
  func backAlongPath() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("4 l # enter 1 up enter [")
    #expect(screen.row(0).contains("garden › plants › height = "), "\(screen.row(0))")
    screen.press("[")
    #expect(screen.watched.last?.document.text == "plants group height order count desc")
    screen.press("[")
    #expect(screen.notice == .noEarlierView.hinting(.key(.undo)))
    screen.press("] 1 up enter 1 down enter")
    #expect(screen.watched.last?.document.text == "plants group height order count desc")
  }

  @Test("a screen reader announces the namespace")
  func spoken() throws {
    var screen = try Screen(
      columns: 100, rows: 20, query: QueryPlan("plants").limit(3), isScreenReader: true)
    screen.press("1 up F")
    #expect(screen.text.contains("Filter of beds"), "\(screen.text)")
  }

  @Test("selecting relations shows the namespace")
  func relations() throws {
    var screen = try Self.screen("1 up w")
    #expect(screen.text.contains("Relations"))
    screen.press("space escape")
    #expect(screen.watched.last?.document.text == "beds with plants")
  }

  @Test("its rows are exported and piped once they are loaded", arguments: ["1 up", "1 up 2"])
  func export(way: String) throws {
    var screen = try Self.screen(way)
    screen.press("E")
    #expect(screen.watched.last?.document.text == "beds")
    screen.press("enter")
    let exported = try #require(screen.ordered)
    #expect(exported.answer.namespace == "beds" && exported.path == "beds.csv")
    var other = try Self.screen(way)
    other.isSlow = true
    other.press("|")
    #expect(other.notice == .keysQueued(1))
    #expect(!other.text.contains("─ Pipe ─"))
    other.answerAtLast()
    #expect(other.text.contains("─ Pipe ─"), "\(other.text)")
    other.type("wc -l")
    other.press("enter")
    #expect(try #require(other.ordered).answer.namespace == "beds")
  }

  @Test("for the current namespace, the current query is exported")
  func exportSame() throws {
    let screen = try Self.screen("1 E enter")
    #expect(try #require(screen.ordered).answer.rows.count == 3)
  }

  @Test("for the current namespace, the current query is edited")
  func same() throws {
    var screen = try Self.screen("1 L")
    #expect(screen.row(1).contains("─ Limit ─"))
    #expect(screen.row(2).contains("3"))
    screen.press("escape 3 L")
    #expect(screen.row(1).contains("─ Limit ─"))
  }
}
