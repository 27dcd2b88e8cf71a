import InstaQL
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Summaries on the screen")
struct SummaryScreenTests {
  private func screen(_ text: String, columns: Int = 90) throws -> Screen {
    try Screen(columns: columns, rows: 20, query: try QueryDocument(text: text).plans[0])
  }

  @Test("groups are a table of values with labels and dates")
  func table() throws {
    let screen = try screen(
      "plants group bed aggregate count(), average(height) as mean, max(sown) order mean desc")
    try expectScreen(screen.text, named: "summary")
  }

  @Test("the digits of counts are grouped, unlike those of numbers that may be years")
  func counts() throws {
    let plants = (1...1_000).map { #"{"key": "p\#($0)", "name": "Plant \#($0)", "height": 1985}"# }
    let screen = try Screen(
      columns: 90, rows: 20,
      query: try QueryDocument(text: "plants aggregate count(), max(height)").plans[0],
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    #expect(screen.text.contains(#/ 1,000 +1985 /#), "\(screen.text)")
  }

  @Test("averages of numbers with few decimals have two decimals")
  func averages() throws {
    let plants = [(10, "a"), (11, "a"), (11, "a"), (20, "b"), (21, "b"), (31, "c")].enumerated()
      .map { #"{"key": "p\#($0)", "name": "\#($1.1)", "height": \#($1.0)}"# }
    let screen = try Screen(
      columns: 90, rows: 20,
      query: try QueryDocument(text: "plants group name aggregate average(height) as mean")
        .plans[0],
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    #expect(screen.line(with: "10.66…") != nil, "\(screen.text)")
    #expect(screen.line(with: "20.50") != nil && screen.line(with: "31.0") != nil)
  }

  @Test("small averages, and those of numbers with many decimals, keep their decimals")
  func smallAverages() {
    let thirds: [Value] = [.double(2.0 / 3)]
    #expect(NumberText.decimals(of: thirds, averaging: [.integer(1)]) == .few)
    let large: [Value] = [.double(200.0 / 3), .double(1.125)]
    #expect(NumberText.decimals(of: large, averaging: [.integer(1), .null]) == .cut(2))
    #expect(NumberText.decimals(of: large, averaging: [.double(0.125)]) == .few)
    #expect(NumberText.decimals(of: large, averaging: []) == .few)
    #expect(NumberText.decimals(of: [.double(0.5)], averaging: [.integer(1)]) == .equal(1))
    #expect(NumberText.text(1.125, .long, .cut(2)) == "1.12…")
    #expect(NumberText.text(1.5, .long, .cut(2)) == "1.5")
  }

  @Test("enter opens the entities of a group, and backspace returns to it")
  func members() throws {
    var screen = try screen("plants group bed order count desc, bed")
    screen.press("down enter")
    #expect(screen.watched.last?.document.text.contains("plants filter bed") == true)
    screen.press("backspace")
    #expect(screen.watched.last?.document.plans[0].isSummary == true)
  }

  @Test("the breadcrumb of a group is its value, or the label of a linked entity")
  func breadcrumb() throws {
    var screen = try screen("plants filter height > 0 group edible")
    screen.press("enter")
    #expect(screen.row(0).contains("garden › plants › edible = false  "))
    screen.press("backspace")
    #expect(screen.row(0).contains("garden › plants  "))
    var linked = try self.screen("plants group bed order count desc, bed")
    linked.press("enter")
    #expect(linked.row(0).contains(#/garden › plants › bed(\.name)? = ./#))
  }

  @Test("groups begin with the first one, and undo returns to the row and the column")
  func firstGroup() throws {
    var screen = try screen("plants fields name, edible order name")
    screen.press("down down down right #")
    #expect(screen.text.contains("row 1 of 2"))
    screen.press("u")
    #expect(screen.text.contains("row 4 of 5"))
    screen.press("s")
    #expect(screen.watched.last?.document.text == "plants order edible fields name, edible")
  }

  @Test("the cursor stays on its group: after a look at its rows, and in another order")
  func sameGroup() throws {
    var screen = try screen("plants group name order name")
    screen.press("down enter")
    #expect(screen.text.contains("row 1 of 1"))
    screen.press("backspace")
    #expect(screen.text.contains("row 2 of 5"))
    screen.press("s")
    #expect(screen.watched.last?.document.text == "plants group name order name desc")
    #expect(screen.text.contains("row 4 of 5"))
  }

  @Test("aggregates of all rows are grouped by a typed column")
  func groupedTotal() throws {
    var screen = try screen("plants filter height > 1 aggregate max(height)")
    screen.press("#")
    screen.type("edi")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "plants filter height > 1 group edible aggregate max(height) order max_height desc",
      "\(screen.text)")
    screen.press("#")
    #expect(screen.notice == .rowIsGroup)
  }

  @Test(
    "an aggregate is added to groups by letters of a function and of a column",
    arguments: ["sh", "sum hei", "sum(height)", "total height"])
  func addedAggregate(typed: String) throws {
    var screen = try screen("plants group edible order count desc")
    screen.press("+")
    screen.type(typed)
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "plants group edible aggregate count(), sum(height) order count desc", "\(screen.text)")
    #expect(screen.notice == .addedAggregate("sum(height)"))
    // The cursor is on the new column.
    screen.press("s")
    #expect(
      screen.watched.last?.document.text
        == "plants group edible aggregate count(), sum(height) order sum_height")
  }

  @Test("the list of aggregates omits those that the query has")
  func listedAggregates() throws {
    var screen = try screen("plants group edible aggregate count(), sum(height)")
    screen.press("+")
    #expect(screen.line(with: "│ average(height)") != nil, "\(screen.text)")
    screen.type("max s")
    #expect(screen.line(with: "│ max(sown)") != nil, "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("sum")
    screen.press("enter")
    #expect(screen.notice == .noMatch, "\(screen.text)")
    #expect(screen.hears("Aggregates"))
  }

  @Test("an aggregate is removed from groups, with the sort and the condition that name it")
  func removedAggregate() throws {
    var screen = try screen(
      "plants group edible aggregate count(), max(height) "
        + "having max_height > 1 and count > 1 order max_height desc")
    screen.press("$")
    #expect(screen.row(19).contains("- remove"), "\(screen.row(19))")
    screen.press("-")
    #expect(screen.watched.last?.document.text == "plants group edible having count > 1")
    #expect(screen.notice == .removedAggregate("max(height)"))
    screen.press("-")
    #expect(screen.notice == .onlyAggregate)
    screen.press("0 -")
    #expect(screen.notice == .columnsOfGroups)
  }

  @Test(
    "a cell of a group filters the rows, and an aggregate filters the groups",
    arguments: [
      ("0 f enter", "filter edible = false group edible having count > 1"),
      ("0 X", "filter edible != false group edible having count > 1"),
      ("$ X", "group edible having count > 1 and count != 2"),
      ("$ f enter", "group edible having count > 1 and count = 2"),
      ("$ f < enter", "group edible having count > 1 and count < 2"),
      ("$ f < 9 enter", "group edible having count > 1 and count < 9"),
      ("$ f space < 9 enter", "group edible having count > 1 and count < 9"),
      ("$ f i n space ( 2 ) enter", "group edible having count > 1 and count in (2)"),
      ("$ f end enter", "group edible"),
    ])
  func filter(keys: String, clauses: String) throws {
    var screen = try screen("plants group edible having count > 1")
    screen.press(keys)
    #expect(screen.watched.last?.document.text == "plants " + clauses, "\(screen.text)")
  }

  @Test("a filter of groups is typed in a line of its own")
  func typedFilter() throws {
    var screen = try screen("plants group edible aggregate max(height) order max_height desc")
    screen.press("$ f")
    #expect(screen.text.contains("Filter groups by max_height"), "\(screen.text)")
    screen.press(">")
    #expect(screen.text.contains("Filter of groups"), "\(screen.text)")
    screen.type("1 limit 2")
    screen.press("enter")
    #expect(screen.text.contains(Notice.onlyCondition.text), "\(screen.text)")
    screen.press("ctrl-u enter")
    #expect(
      screen.watched.last?.document.text
        == "plants group edible aggregate max(height) order max_height desc")
    #expect(screen.hears("Results"))
  }

  @Test("on an aggregate, the filter of the groups is edited as text")
  func editedFilter() throws {
    var screen = try screen("plants group edible having count > 1")
    screen.press("$ F")
    #expect(screen.text.contains("Filter of groups"), "\(screen.text)")
    screen.type("and count < 3")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "plants group edible having count > 1 and count < 3")
    screen.press("0 F")
    #expect(screen.text.contains("─ Filter ─"), "\(screen.text)")
  }

  @Test("a group of a link filters the rows by the linked row")
  func filterByLink() throws {
    var screen = try screen("plants group bed order count desc")
    screen.press("f enter")
    let text = try #require(screen.watched.last?.document.text)
    #expect(text.hasPrefix("plants filter bed") && text.hasSuffix(" group bed order count desc"))
    #expect(screen.text.contains("row 1 of 1"), "\(screen.text)")
  }

  @Test("groups can be sorted by a column")
  func order() throws {
    var screen = try screen("plants group edible")
    screen.press("right s s")
    #expect(screen.watched.last?.document.text == "plants group edible order count desc")
  }

  @Test("one key replaces the order of new groups by the largest values, then adds to the sort")
  func furtherOrder() throws {
    let groups = "plants group edible aggregate count(), sum(height) order "
    var screen = try screen(groups + "count desc", columns: 120)
    screen.press("$")
    #expect(screen.row(19).contains("  S desc"), "\(screen.row(19))")
    screen.press("S")
    #expect(screen.watched.last?.document.text == groups + "sum_height desc")
    screen.press("0")
    #expect(screen.row(19).contains("  S then by"), "\(screen.row(19))")
    screen.press("S")
    #expect(screen.watched.last?.document.text == groups + "sum_height desc, edible desc")
  }

  @Test("a column named count is grouped, and the number of rows has another name")
  func columnNamedCount() throws {
    let store = try Dataset.load([
      (
        name: "things.json",
        bytes: Array(#"[{"key": "a", "count": 3}, {"key": "b", "count": 3}, {"key": "c"}]"#.utf8)
      )
    ])
    var screen = try Screen(
      columns: 110, query: QueryPlan("things").fields(["count"]), store: store)
    screen.press("4 0 #")
    #expect(
      screen.watched.last?.document.text
        == "things group count aggregate count() as rows order rows desc")
    #expect(screen.notice == .grouped(by: "count"))
    #expect(screen.text.contains("row 1 of 2"), "\(screen.text)")
  }

  @Test("a click on the title of a column sorts the groups by it")
  func click() throws {
    var screen = try screen("plants group edible")
    let (row, column) = try #require(screen.place(of: " count"))
    screen.click(row, column + 1)
    #expect(screen.watched.last?.document.text == "plants group edible order count")
  }

  @Test("changed entities change groups at once")
  func live() throws {
    var screen = try screen("plants group edible")
    #expect(screen.text.contains("true"))
    try screen.change(
      to: Garden.store(plants: #"[{"key": "fig", "name": "Fig", "edible": false}]"#))
    #expect(screen.line(with: "false")?.contains("1") == true)
    #expect(screen.line(with: "true") == nil)
  }

  @Test("keys for entities explain what enter does on a group")
  func complaints() throws {
    for key in ["e", "d", ">", "space"] {
      var screen = try screen("plants group edible")
      screen.press(key)
      #expect(!screen.row(19).isEmpty)
      #expect(screen.text.contains("edible"))
    }
  }

  @Test("groups cannot be selected, and selected rows are not counted above them")
  func selection() throws {
    var screen = try screen("plants fields name, edible order name")
    screen.press("space space")
    #expect(screen.text.contains("2 selected · row 3 of 5"), "\(screen.text)")
    screen.press("right #")
    #expect(screen.text.contains("row 1 of 2"), "\(screen.text)")
    #expect(!screen.text.contains("2 selected"), "\(screen.text)")
    screen.press("M")
    #expect(screen.notice == .rowIsGroup, "\(screen.text)")
    #expect(screen.hears("Results"))
    screen.press("u")
    #expect(screen.text.contains("2 selected · row 3 of 5"), "\(screen.text)")
  }

  @Test("groups can be copied and searched in all formats")
  func forms() throws {
    var screen = try screen("plants group edible")
    screen.press("v v")
    #expect(screen.text.contains(#"{"edible":false,"count":2}"#))
    screen.press("y t")
    #expect(
      screen.effects.last == .copy("edible  count\n──────  ─────\nfalse       2\ntrue        3\n"))
  }

  @Test("a search in groups moves to the match, n and N continue, escape returns")
  func find() throws {
    var screen = try screen(
      "plants group bed aggregate count(), average(height) as mean, max(sown) order mean desc")
    screen.press("/")
    screen.type("pond")
    #expect(screen.text.contains("match 1 of 1"), "\(screen.text)")
    #expect(screen.text.contains("row 3 of 3"))
    #expect(screen.workspace.view().rows(on: .matchCurrent) == ["pond"])
    screen.press("escape")
    #expect(screen.text.contains("row 1 of 3"), "\(screen.text)")
    // Both dates contain it, and no other cell.
    screen.press("/")
    screen.type("-0")
    screen.press("enter")
    for (number, key) in zip([1, 2, 1, 2], ["n", "n", "N", "N"]) {
      #expect(
        screen.notice == .match(MatchPlace(number: number, count: 2, column: "max_sown")),
        "\(screen.text)")
      #expect(screen.text.contains("row \(number + 1) of 3"), "\(screen.text)")
      screen.press(key)
    }
    screen.press("/")
    screen.type("wall by")
    #expect(screen.text.contains("No match for “wall by”"), "\(screen.text)")
  }

  @Test("aggregates of all rows and groups as JSON are searched")
  func findAggregate() throws {
    var total = try screen("plants aggregate count(), max(height)")
    total.press("/")
    total.type("345")
    #expect(total.text.contains("match 1 of 1, in max_height"), "\(total.text)")
    var groups = try screen("plants group edible")
    groups.press("v v /")
    groups.type("true")
    #expect(groups.text.contains("row 2 of 2"), "\(groups.text)")
    #expect(groups.workspace.view().rows(on: .matchCurrent) == ["true"])
  }

  @Test("a search continues beyond the groups that are searched at once")
  func findFar() throws {
    let plants = (1...1_000).map { #"{"key": "p\#($0)", "name": "Plant \#($0)"}"# }
    var screen = try Screen(
      columns: 90, rows: 20,
      query: try QueryDocument(text: "plants group name order name").plans[0],
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    #expect(screen.line(with: "Plant 998") == nil, "\(screen.text)")
    screen.press("/")
    screen.type("plant 998")
    screen.press("enter")
    #expect(screen.line(with: "Plant 998") != nil, "\(screen.text)")
  }

  @Test("many columns scroll to the selected one and never overflow a narrow screen")
  func narrow() throws {
    var screen = try screen(
      "plants group name, height, edible, sown, note, bed aggregate count(), average(height)",
      columns: 60)
    let titles = try #require(screen.line(with: "sown  "))
    #expect(titles.contains("›") && !titles.contains("‹"), "\(titles)")
    for _ in 0..<8 { screen.press("right") }
    #expect(try #require(screen.line(with: "average_height")).contains("‹"))
    let none = try self.screen("plants filter height < 0 group edible")
    #expect(none.text.contains("so there are no groups"))
  }
}
