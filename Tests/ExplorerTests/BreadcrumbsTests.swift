import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Breadcrumbs")
struct BreadcrumbsTests {
  @Test("a short path is shown completely, a long one by its store and its end")
  func text() {
    let way = ["world", "countries", "cities"]
    #expect(Breadcrumbs(of: way, width: 26).text == "world › countries › cities")
    #expect(Breadcrumbs(of: way, width: 25).text == "world › … › cities")
    #expect(Breadcrumbs(of: way, width: 18).text == "world › … › cities")
    // The store says more than that something stands between it and what is shown.
    #expect(Breadcrumbs(of: way, width: 17).text == "world › cities")
    #expect(Breadcrumbs(of: way, width: 13).text == "world › ci…es")
    #expect(Breadcrumbs(of: way, width: 9).text == "w…d › c…s")
    #expect(Breadcrumbs(of: way, width: 8).text == "cities")
    #expect(Breadcrumbs(of: way, width: -1).text == "cities")
    #expect(Breadcrumbs(of: ["都市", "国"], width: 9).text == "都市 › 国")
    #expect(Breadcrumbs(of: ["都市", "国"], width: 8).text == "…市 › 国")
    #expect(Breadcrumbs(of: [String](), width: 8).text.isEmpty)
  }

  @Test(
    "a store's long name is shortened in the middle")
  func longStore() {
    let way = ["the-database-of-the-app-2026-10.sonde", "people", "tasks"]
    #expect(Breadcrumbs(of: way, width: 55).text == way.joined(separator: " › "))
    #expect(
      Breadcrumbs(of: way, width: 45).text == "the-database-…-2026-10.sonde › people › tasks")
    #expect(Breadcrumbs(of: way, width: 32).text == "the-datab…6-10.sonde › … › tasks")
    #expect(Breadcrumbs(of: way, width: 22).text == "the-…sonde › … › tasks")
    #expect(Breadcrumbs(of: way, width: 16).text == "the…onde › tasks")
    let short = Breadcrumbs(of: way, width: 32)
    #expect(short.names.map(\.stepsBack) == [2, 1, 0])
    #expect(short.names.map(\.columns) == [0..<20, 23..<24, 27..<32])
  }

  @Test(
    "a long name of the view is shortened in the middle, and leaves space for the store")
  func longName() {
    let name = "readings_of_all_sensors_by_the_hour_in_the_garden"
    #expect(Breadcrumbs(of: ["world", name], width: 57).text == "world › \(name)")
    #expect(
      Breadcrumbs(of: ["world", name], width: 40).text == "world › readings_of_all…ur_in_the_garden"
    )
    #expect(
      Breadcrumbs(of: ["world", "cities", name], width: 40).text
        == "world › … › readings_of_a…_in_the_garden")
    #expect(Breadcrumbs(of: ["world", name], width: 13).text == "world › re…en")
    #expect(
      Breadcrumbs(of: ["the-database-of-the-app-2026-10.sonde", name], width: 40).text
        == "the-data…-10.sonde › readings_…he_garden")
  }

  @Test(
    "next to a long name, the header still shows the store",
    arguments: [Size(columns: 40, rows: 10), Size(columns: 80, rows: 24)])
  func longNameOnScreen(size: Size) throws {
    let name = "readings_of_all_sensors_by_the_hour_in_the_garden"
    let store = try Dataset.load([(name: "\(name).json", bytes: Array(#"[{"id": 1}]"#.utf8))])
    let screen = try Screen(
      columns: size.columns, rows: size.rows, query: QueryPlan(name), store: store,
      readOnlyReason: "It is open read-only")
    let way =
      size.columns == 40 ? "ga…en › re…en " : "garden › readings_of_all_se…_hour_in_the_garden "
    #expect(screen.row(0).contains(way), "\(screen.text)")
    #expect(!screen.row(0).contains("… "))
  }

  @Test("a long path is read only as far as it fits")
  func work() {
    var lookedAt = 0
    let way = (0..<100_000).lazy.map { number in
      lookedAt += 1
      return "n\(number)"
    }
    #expect(Breadcrumbs(of: way, width: 35).text == "n0 › … › n99997 › n99998 › n99999")
    #expect(lookedAt < 10)
  }

  @Test(
    "each breadcrumb and the … mark know their columns and how far back they lead")
  func places() {
    let whole = Breadcrumbs(of: ["world", "国", "cities"], width: 26)
    #expect(whole.names.map(\.stepsBack) == [2, 1, 0])
    #expect(whole.names.map(\.columns) == [0..<5, 8..<10, 13..<19])
    let cut = Breadcrumbs(of: ["world", "countries", "cities"], width: 21)
    #expect(cut.text == "world › … › cities")
    #expect(cut.names.map(\.stepsBack) == [2, 1, 0])
    #expect(cut.names.map(\.columns) == [0..<5, 8..<9, 12..<18])
  }

  @Test("a click on a breadcrumb goes back, and ] goes forward step by step")
  func click() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("beds").order("name"))
    screen.press("4 $ enter $ enter $ enter")
    #expect(
      screen.row(0).contains("garden › beds › plants › beds › plants of By the pond  "),
      "\(screen.text)")
    let shown = screen.watched.last?.document.text
    let (row, column) = try #require(screen.place(of: "beds › plants › beds"))
    screen.press("2")
    screen.click(row, column, times: 2)
    #expect(screen.watched.last?.document.text == "beds order name")
    #expect(screen.row(0).contains("garden › beds  "))
    #expect(screen.hears("Results"))
    screen.press("] ] ]")
    #expect(screen.watched.last?.document.text == shown)
  }

  @Test("on a narrow screen, the mark leads to the newest omitted view")
  func mark() throws {
    var screen = try Screen(columns: 60, query: QueryPlan("beds").order("name"))
    screen.press("4 $ enter $ enter $ enter")
    let (row, column) = try #require(screen.place(of: "… › beds › plants of"), "\(screen.text)")
    screen.click(row, column)
    #expect(screen.row(0).contains("garden › beds › plants of By the pond  "), "\(screen.text)")
    screen.press("] ] ]")
    #expect(screen.row(0).contains("… › "))
  }

  @Test("the store's name leads to the namespaces, the current view closes open panes")
  func ends() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("beds").order("name"))
    screen.press("4 $ enter 0 enter")
    #expect(screen.hears("Record"))
    let (row, column) = try #require(screen.place(of: "plants of "))
    screen.click(row, column)
    #expect(screen.hears("Results"))
    screen.click(0, try #require(screen.place(of: "garden ›")).column)
    #expect(screen.hears("Namespaces"))
    #expect(screen.row(0).contains("garden › beds › plants"))
  }

  @Test("a click on a breadcrumb does not discard a form")
  func typed() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("beds").order("name"))
    screen.press("4 $ enter 0 a")
    screen.type("Quince")
    screen.click(0, try #require(screen.place(of: "beds ›")).column)
    #expect(screen.notice == .unsavedInput)
    #expect(screen.text.contains("Quince"))
  }

  @Test("the history is long, but limited")
  func length() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    for _ in 0..<210 { screen.press("$ enter") }
    var steps = 0
    while screen.notice != .noEarlierView, steps < 300 {
      screen.press("[")
      steps += 1
    }
    #expect(steps == 201)
  }
}
