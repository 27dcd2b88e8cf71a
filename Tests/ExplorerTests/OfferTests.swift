import Explorer
import InstaQL
import Testing
import Triples

@Suite("Footer hints")
struct OfferTests {
  private static let footer = 19

  private static func footer(after keys: String, _ query: QueryPlan = QueryPlan("plants")) throws
    -> String
  {
    var screen = try Screen(columns: 200, rows: 20, query: query)
    screen.press(keys)
    return screen.row(footer)
  }

  @Test("back is offered if there is a history")
  func back() throws {
    #expect(try !Self.footer(after: "").contains("back"))
    #expect(try Self.footer(after: "$ enter").contains("backspace back"))
  }

  @Test("undo is offered when there is something to undo")
  func undo() throws {
    #expect(try !Self.footer(after: "").contains("undo"))
    #expect(try Self.footer(after: "s").contains("u undo"))
  }

  @Test("the hints follow the task: filters, changes, selected rows")
  func tasks() throws {
    let filtered = QueryPlan("plants").filter(.compare("height", .greater, 50))
    #expect(try !Self.footer(after: "").contains("edit filter"))
    #expect(try Self.footer(after: "", filtered).contains("f filter  F edit filter"))
    #expect(try Self.footer(after: "").contains("a add  d delete"))
    #expect(try !Self.footer(after: "").contains("selected"))
    #expect(try Self.footer(after: "space").hasPrefix(" M selected  "))
    let empty = try Self.footer(after: "", QueryPlan("plants").offset(90))
    #expect(empty.hasPrefix(" a add  w relations"), "\(empty)")
  }

  @Test("hints for sorting and expanding depend on links")
  func columns() throws {
    #expect(try Self.footer(after: "").contains("s sort"))
    #expect(try !Self.footer(after: "$").contains("s sort"))
    #expect(try Self.footer(after: "$").contains("> expand"))
    #expect(try !Self.footer(after: "v").contains("> expand"))
  }

  @Test("hints for groups, sums and links depend on the column and on the width")
  func columnTasks() throws {
    let hints = "enter open  f filter  e edit  / find"
    #expect(
      try Self.footer(after: "").hasPrefix(" \(hints)  s sort  # count  : column  S desc  > expand")
    )
    #expect(try Self.footer(after: "").contains("  a add  d delete  w relations"))
    #expect(try Self.footer(after: "l").contains("/ find  + sum …  s sort  # count  : column"))
    // The sort is by another column, so that the key adds one.
    #expect(try Self.footer(after: "s l").contains("  S then by  "))
    #expect(try !Self.footer(after: "s").contains(" S "))
    #expect(try !Self.footer(after: "0 l l l l l").contains("# count"))
    #expect(
      try Self.footer(after: "$").hasPrefix(" \(hints)  > expand  * expand all  K preview"))
    #expect(
      try Self.footer(after: "$ >").hasPrefix(
        " \(hints)  > expand  < collapse  * collapse all  K preview"))
    #expect(try Self.footer(after: "# 4").hasPrefix(" enter open  f filter  s sort  + aggregate  "))
    var screen = try Screen(columns: 80, rows: 20, query: QueryPlan("plants"))
    screen.press("2 j j")
    #expect(
      screen.row(Self.footer)
        == " enter open  f filter  s sort  S desc  # count  + sum …  ? help  q quit")
  }

  @Test(
    "80 columns have room for the most used keys, and for keys that depend on the column",
    arguments: [
      ("", "", "s sort  # count"), ("l", "", "+ sum …  s sort"),
      ("$", "", "> expand  * expand all"), ("l", "F edit filter", "+ sum …"),
    ])
  func narrow(keys: String, filter: String, ofColumn: String) throws {
    let plants = QueryPlan("plants")
    var screen = try Screen(
      columns: 80, rows: 20,
      query: filter.isEmpty ? plants : plants.filter(.compare("height", .greater, 50)))
    screen.press(keys)
    let filters = filter.isEmpty ? "f filter" : "f filter  \(filter)"
    #expect(
      screen.row(Self.footer)
        == " enter open  \(filters)  e edit  / find  \(ofColumn)  ? help  q quit")
  }

  @Test("a tree offers the way back to the table, and to collapse relations if it has any")
  func tree() throws {
    let nested = QueryPlan("beds").with("plants")
    let hints = "v view  enter open  f filter  e edit  / find"
    #expect(
      try Self.footer(after: "v", nested).hasPrefix(" \(hints)  * collapse all  < collapse  "))
    #expect(
      try Self.footer(after: "v *", nested).hasPrefix(
        " \(hints)  * expand all  < collapse  > expand  "))
    #expect(try Self.footer(after: "v").hasPrefix(" v view  enter open"))
    #expect(try Self.footer(after: "", nested).contains("> expand  < collapse  * collapse all"))
  }

  @Test("groups offer aggregates, but no relations")
  func groups() throws {
    let groups = QueryPlan("plants", groups: [AttributePath(["edible"])])
    let footer = try Self.footer(after: "", groups)
    #expect(footer.hasPrefix(" enter open  f filter  s sort  + aggregate  "), "\(footer)")
    #expect(!footer.contains("relations"))
    var screen = try Screen(columns: 110, rows: 20, query: groups)
    screen.press("4 w")
    #expect(screen.notice == .rowIsGroup, "\(screen.text)")
    #expect(!screen.hears("Relations"))
  }

  @Test(
    "groups are no rows to edit, show or collapse, and their columns stay",
    arguments: [
      ("e", .rowIsGroup), ("d", .rowIsGroup), ("K", .rowIsGroup), ("<", .rowIsGroup),
      ("-", .columnsOfGroups), ("J", .columnsOfGroups),
    ] as [(String, Notice)])
  func keysInGroups(key: String, notice: Notice) throws {
    let groups = QueryPlan("plants", groups: [AttributePath(["edible"])])
    var screen = try Screen(columns: 110, rows: 20, query: groups)
    screen.press("4 \(key)")
    #expect(screen.notice == notice, "\(screen.text)")
  }

  @Test("empty lists offer no actions")
  func nothingListed() throws {
    var screen = try Screen(
      columns: 120, rows: 20, query: QueryPlan("stones"),
      store: Dataset.load([
        (
          name: "stones.json",
          bytes: Array(#"[{"id": "7a000000-0000-4000-8000-000000000001"}]"#.utf8)
        )
      ]))
    screen.press("w")
    #expect(screen.text.contains("has no links"))
    #expect(screen.row(Self.footer) == " ? help  escape close")
    screen.press("escape")
    screen.saved = []
    screen.press("B")
    #expect(screen.row(Self.footer) == " b save query  ? help  escape close")
  }

  @Test("without rows, no key that needs one is offered")
  func empty() throws {
    let footer = try Self.footer(
      after: "", QueryPlan("plants").filter(.compare("name", .equal, "none")))
    for needless in ["filter  F", "enter open", "e edit", "expand"] {
      #expect(!footer.contains(needless), "\(footer)")
    }
    #expect(footer.contains("F edit filter"))
  }

  @Test("the form shows what enter does on each line")
  func form() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("4 a")
    #expect(screen.row(Self.footer).contains("enter create"))
    #expect(!screen.row(Self.footer).contains("enter open"))
    screen.press("ctrl-s")
    #expect(screen.row(Self.footer).contains("F1 help"), "\(screen.row(Self.footer))")
  }
}
