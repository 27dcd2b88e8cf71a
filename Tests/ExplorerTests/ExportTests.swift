import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Export dialog")
struct ExportTests {
  @Test("it proposes the shown rows as CSV, named after the namespace")
  func offer() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E")
    try expectScreen(screen.text, named: "export")
    screen.press("enter")
    let order = try #require(screen.ordered)
    #expect(order.form == .result(.csv) && order.rows == .shown && order.path == "plants.csv")
    #expect(!order.isReplacing)
    #expect(order.answer.rows.count == 5)
  }

  @Test("tab completes a typed path as far as the files agree")
  func completion() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E")
    screen.type("da")
    screen.press("tab")
    #expect(screen.requests.last?.request == .paths("da"))
    screen.respond(.paths(["data/"]))
    #expect(screen.text.contains("file      data/ "), "\(screen.text)")
    screen.press("tab")
    let both = ["data/abc.csv", "data/abd.csv"]
    screen.respond(.paths(both))
    #expect(screen.text.contains("file      data/ab "), "\(screen.text)")
    screen.press("tab")
    screen.respond(.paths(both))
    #expect(screen.notice == .paths(both))
    screen.press("tab")
    screen.respond(.paths([]))
    #expect(screen.notice == .noPath)
    // A late response has no effect.
    screen.press("tab x")
    screen.respond(.paths(both))
    #expect(screen.text.contains("file      data/abx "), "\(screen.text)")
  }

  @Test("it counts the groups of a query with groups")
  func groups() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants").group(by: "bed"))
    screen.press("E")
    #expect(screen.text.contains("  3 shown "), "\(screen.text)")
    screen.press("enter")
    let order = try #require(screen.ordered)
    var portions = Rendering(.result(.csv), of: order.answer, in: Catalog(snapshot: order.snapshot))
      .portions()
    #expect(portions.count == 3)
    while try portions.next() != nil {}
    #expect(portions.done == 3)
  }

  @Test("columns are written as the screen shows them, or all fields of the query")
  func columns() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("4 l - l H E")
    #expect(screen.text.contains("  5 shown ") && screen.text.contains("‹ as shown ›"))
    screen.press("enter")
    let shown = try #require(screen.ordered).text(as: .csv).split(separator: "\n")
    let titles = shown[0].split(separator: ",")
    #expect(titles.prefix(3) == ["name", "sown", "edible"] && titles.contains("bed"), "\(titles)")
    #expect(!titles.contains("height") && !titles.contains("id"))
    #expect(shown[1].hasPrefix("Fig,2019-04-01,true,"), "\(shown)")
    #expect(shown[1].split(separator: ",").contains("South wall"), "\(shown)")
    #expect(try screen.ordered?.remarks == ["Not in the file: height."])
    screen.respond(.exported(.written(path: "/a/plants.csv", rows: 5, bytes: 9)))
    screen.press("E up right")
    #expect(screen.text.contains("‹ all fields and id ›"), "\(screen.text)")
    screen.press("enter")
    let all = try #require(screen.ordered).text(as: .csv).split(separator: "\n")[0]
    #expect(all.split(separator: ",").contains("id"), "\(all)")
    #expect(all.split(separator: ",").contains("height"), "\(all)")
    #expect(try screen.ordered?.remarks == [])
  }

  @Test("the column that a file calls id keeps its name and its values")
  func ownID() throws {
    let store = try Dataset.load([
      (name: "rows.csv", bytes: Array("id,name,n\n1,a,10\n2,b,20\n".utf8))
    ])
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("rows"), store: store)
    screen.press("E enter")
    #expect(try #require(screen.ordered).text(as: .csv) == "name,n,id\na,10,1\nb,20,2\n")
    #expect(try screen.ordered?.remarks == [])
    screen.respond(.exported(.written(path: "/a/rows.csv", rows: 2, bytes: 9)))
    screen.press("E up right enter")
    #expect(try #require(screen.ordered).text(as: .csv) == "id,name,n\n1,a,10\n2,b,20\n")
  }

  @Test("lists of rows that link to a row are written only if the query or the user selects them")
  func lists() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("beds").order("name"))
    screen.press("E enter")
    let shown = try #require(screen.ordered)
    #expect(try shown.text(as: .csv).hasPrefix("name,area,key\nBy the pond,8,pond\n"))
    #expect(try shown.remarks == ["Not in the file: plants."])
    screen = try Screen(
      columns: 120, rows: 20, query: QueryPlan("beds").order("name").with("plants"))
    screen.press("E enter")
    let included = try #require(screen.ordered)
    #expect(try included.text(as: .csv).contains("\nBy the pond,8,pond,Iris; Mint\n"))
    #expect(try included.remarks == [])
  }

  @Test("a list that the rows of a file have themselves, and the file's own id, are written")
  func ownLists() throws {
    let (one, two) = (
      "a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002"
    )
    let schema = #"""
      {"entities": {"people": {"label": "name", "attrs": {"name": {"valueType": "string"}}}},
       "links": {"friends": {"forward": {"on": "people", "label": "friends", "has": "many"},
                             "reverse": {"on": "people", "label": "friendOf", "has": "many"}}}}
      """#
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (
        name: "people.csv",
        bytes: Array("id,name,friends\n\(one),Ann,\(two)\n\(two),Bob,\n".utf8)
      ),
    ])
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("people"), store: store)
    screen.press("E enter")
    let order = try #require(screen.ordered)
    #expect(try order.text(as: .csv) == "id,name,friends\n\(one),Ann,Bob\n\(two),Bob,\n")
    #expect(try order.remarks == ["Not in the file: friendOf."])
  }

  @Test("a link to several rows is written as their labels, and values as stored")
  func linksAsShown() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("beds").order("name"))
    screen.press("E up left")
    #expect(screen.text.contains("‹ as shown, with lists ›"), "\(screen.text)")
    screen.press("enter")
    let order = try #require(screen.ordered)
    for format in [ResultFormat.csv, .tsv, .markdown] {
      let text = try order.text(as: format)
      let line = try #require(text.split(separator: "\n").first { $0.contains("By the pond") })
      let cells = line.split { ",\t|".contains($0) }.map { $0.filter { $0 != " " } }
      #expect(cells.contains("Iris;Mint"), "\(text)")
      #expect(!text.contains("⇉"))
    }
    // Nested formats keep the structure of the query.
    #expect(try order.text(as: .ndjson).contains("\"id\""))
  }

  @Test("an export without all linked rows says so")
  func cutLinks() throws {
    let plants = (1...25).map { #"{"key": "k\#($0)", "name": "P\#($0)", "bed": "pond"}"# }
    let store = try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
    var screen = try Screen(
      columns: 120, rows: 20, query: QueryPlan("beds"), store: store, isReadAsNeeded: true)
    screen.press("E up left enter")
    var order = try #require(screen.ordered)
    #expect(
      try order.remarks == [
        "Not all rows linked by plants were loaded.", "Export fewer rows at once.",
      ])
    order.linksAreLimited = false
    #expect(try order.remarks == [])
  }

  @Test("there are arrows only where there is a choice")
  func choices() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("E right")
    #expect(screen.text.contains("‹ json ›"))
    #expect(screen.text.contains("  all, nested like the query"), "\(screen.text)")
    screen.press("up right")
    #expect(screen.notice == .onlyTheseColumns)
    screen.press("up right")
    #expect(screen.notice == .onlyTheseRows)
  }

  @Test("the bar of a pipe cannot be deleted")
  func bar() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("| ctrl-u")
    screen.type("wc")
    #expect(screen.text.contains("| wc"), "\(screen.text)")
    #expect(screen.text.contains("─ Pipe ─"), "\(screen.text)")
    screen.press("backspace backspace backspace backspace backspace")
    screen.type("jq")
    #expect(screen.text.contains("| jq") || screen.text.contains("|jq"), "\(screen.text)")
  }

  @Test("rows are piped into a command that is typed after a bar")
  func piping() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("|")
    screen.type("wc -l")
    #expect(screen.text.contains("─ Pipe ─"), "\(screen.text)")
    #expect(screen.row(19).contains("enter run"), "\(screen.text)")
    #expect(screen.text.contains("command   | wc -l"), "\(screen.text)")
    #expect(!screen.text.contains("enter save"), "\(screen.text)")
    screen.press("enter")
    let order = try #require(screen.ordered)
    #expect(
      order.form == .result(.ndjson) && order.rows == .shown && order.command?.line == "wc -l")
    #expect(order.command?.variables["SONDE_NAMESPACE"] == "plants")
    #expect(order.command?.variables["SONDE_LABEL"] == "Fig")
    let command = try #require(order.command)
    screen.respond(.exported(.piped(command: command, file: "/tmp/folder/rows", rows: 5)))
    #expect(screen.effects.last == .run(command, input: "/tmp/folder/rows"))
    #expect(screen.notice == .piped(rows: 5, into: "wc -l"))
    #expect(screen.hears("Results"))
  }

  @Test("a command receives the rows; an empty one is rejected")
  func notPiped() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("| enter")
    #expect(screen.notice == .commandNeeded)
    screen.type("wc")
    screen.press("up left left left left enter")
    #expect(screen.notice == .storeNotPipeable, "\(screen.text)")
    #expect(screen.ordered == nil)
  }

  @Test("the file name follows the format until the user types one")
  func naming() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E right right")
    #expect(screen.text.contains("plants.ndjson"))
    screen.press("down ctrl-u")
    screen.type("~/mine.txt")
    screen.press("up right")
    #expect(screen.text.contains("~/mine.txt"))
    screen.press("enter")
    #expect(try #require(screen.ordered).path == "~/mine.txt")
  }

  @Test("the proposed name is one that no file has, also after another format is chosen")
  func freeName() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.freePaths = ["plants.csv": "plants-2.csv", "plants.ndjson": "plants-3.ndjson"]
    screen.press("E")
    #expect(screen.text.contains("file      plants-2.csv "), "\(screen.text)")
    screen.press("right")
    #expect(screen.text.contains("file      plants.json "), "\(screen.text)")
    screen.press("right")
    #expect(screen.text.contains("file      plants-3.ndjson "), "\(screen.text)")
    screen.press("enter")
    let order = try #require(screen.ordered)
    #expect(order.path == "plants-3.ndjson" && !order.isReplacing)
  }

  @Test("enter waits for the proposed name, but not for a typed one")
  func earlyEnter() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.isSlow = true
    screen.press("E enter")
    #expect(screen.requests.last?.request == .freePath("plants.csv"))
    #expect(screen.notice == .stillNaming)
    screen.respond(.freePath("plants-2.csv"))
    #expect(try #require(screen.ordered).path == "plants-2.csv")
    var other = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    other.isSlow = true
    other.press("E")
    other.type("a.csv")
    #expect(other.canceled == [.freePath("plants.csv")])
    other.press("enter")
    #expect(try #require(other.ordered).path == "a.csv")
  }

  @Test("letters typed on another line replace the proposed name")
  func typingAtOnce() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E")
    screen.type("hold/done.csv")
    #expect(screen.text.contains("hold/done.csv "), "\(screen.text)")
    screen.press("enter")
    #expect(try #require(screen.ordered).path == "hold/done.csv")
    #expect(screen.transactions.isEmpty)
  }

  @Test(
    "a key that is not bound in the dialog does not reach the pane below",
    arguments: ["ctrl-w", "ctrl-r", "f5"])
  func swallowing(key: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("t E \(key)")
    #expect(screen.text.contains("─ Export ─") && screen.row(0).contains("plants]"))
    #expect(screen.row(19).contains("does nothing in Export.  escape close"), "\(screen.text)")
  }

  @Test(
    "the extension of a file name selects the format",
    arguments: [
      ("a.json", "json"), ("A.MD", "markdown"), ("a.ndjson", "ndjson"), ("b.zip", "backup"),
      ("a.tsv", "tsv"), ("a.dat", "csv"), ("a.csv", "csv"),
    ])
  func endings(name: String, form: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E down ctrl-u")
    screen.type(name)
    #expect(screen.text.contains("‹ \(form) ›"), "\(screen.text)")
    screen.press("enter")
    let order = try #require(screen.ordered)
    #expect(order.path == name && order.form.words.name == form)
  }

  @Test("every format can be selected, including whole stores")
  func forms() throws {
    for (steps, form) in ExportForm.allCases.enumerated() {
      var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
      screen.press("E")
      for _ in 0..<steps { screen.press("space") }
      #expect(screen.text.contains("the whole store ") == form.isStore)
      screen.press("enter")
      #expect(try #require(screen.ordered).form == form)
    }
  }

  @Test("selected rows are offered first, then the page, then all matches")
  func scopes() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants").limit(3))
    screen.press("space space E")
    #expect(screen.text.contains("2 selected"))
    screen.press("up up right")
    #expect(screen.text.contains("‹ 3 shown ›"))
    screen.press("right")
    #expect(screen.text.contains("all 5 matching rows"))
    screen.press("right enter")
    guard case .marked(let rows) = try #require(screen.ordered).rows else {
      Issue.record("It is not the marked rows that are written")
      return
    }
    #expect(rows.count == 2)
  }

  @Test("an existing file is overwritten only after a second enter")
  func replacing() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E enter")
    screen.respond(.exported(.exists("plants.csv")))
    expectBlock(
      """
      ╭─ Export ─────────────────────────────────────────────────────────╮
      │ rows      5 shown                                                │
      │ columns ‹ as shown ›                                             │
      │ format  ‹ csv ›   separated by commas, with a header             │
      │ file      plants.csv                                             │
      │                                                                  │
      │ plants.csv already exists.  enter overwrite                      │
      ╰──────────────────────────────────────────────────────────────────╯
      """, in: screen.text)
    #expect(screen.row(19) == " enter overwrite  ? help  escape cancel")
    screen.press("down end")
    screen.type("x")
    screen.press("enter")
    #expect(try #require(screen.ordered).isReplacing == false)
    screen.respond(.exported(.exists("plants.csvx")))
    screen.press("enter")
    #expect(try #require(screen.ordered).isReplacing)
    screen.respond(.exported(.written(path: "/tmp/plants.csvx", rows: 5, bytes: 2_345)))
    #expect(!screen.text.contains("─ Export"))
    #expect(screen.row(19).contains("Exported 5 rows to /tmp/plants.csvx (2 kB)"))
    screen.press("E enter")
    screen.respond(.exported(.written(path: "one.csv", rows: 1, bytes: nil)))
    #expect(screen.row(19).contains("Exported 1 row to one.csv"))
  }

  @Test("an export that lacks data says so")
  func lackingData() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("E enter")
    screen.respond(
      .exported(
        .written(path: "/a/shop", rows: nil, bytes: nil, remarks: ["Not exported: a.", "b", "c"])))
    #expect(
      screen.text.contains(
        "Exported the store to /a/shop. Not exported: a. (2 more; 'sonde export' lists them)"),
      "\(screen.text)")
    screen.press("E enter")
    screen.respond(
      .exported(.written(path: "/a/b.csv", rows: 5, bytes: nil, remarks: ["Cut.", "Left out."])))
    #expect(screen.text.contains("Exported 5 rows to /a/b.csv. Cut. Left out."), "\(screen.text)")
  }

  @Test("a missing folder is created only after a second enter")
  func folder() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E")
    screen.type("new/plants.csv")
    screen.press("enter")
    screen.respond(.exported(.folderMissing("new/plants.csv", folder: "/data/new")))
    #expect(screen.text.contains("/data/new does not exist."), "\(screen.text)")
    #expect(screen.row(19).contains("enter create the folder"), "\(screen.text)")
    screen.press("enter")
    #expect(try #require(screen.ordered).isReplacing)
    screen.respond(.exported(.written(path: "/data/new/plants.csv", rows: 5, bytes: 2_345)))
    #expect(!screen.text.contains("─ Export"))
  }

  @Test("a long export shows its progress, and escape cancels it")
  func progress() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E enter")
    screen.respond(.progress(LoadingProgress(done: 123_000, of: 1_000_000, .rows)))
    expectBlock(
      """
      ╭─ Export ─────────────────────────────────────────────────────────╮
      │ rows      5 shown                                                │
      │ columns ‹ as shown ›                                             │
      │ format  ‹ csv ›   separated by commas, with a header             │
      │ file      plants.csv                                             │
      │                                                                  │
      │ Writing: 123,000 of 1,000,000 rows, 12%  escape cancel export    │
      ╰──────────────────────────────────────────────────────────────────╯
      """, in: screen.text)
    #expect(screen.row(19) == " ? help  escape cancel export")
    screen.press("j")
    #expect(screen.notice == .stillExporting)
    screen.press("escape")
    #expect(screen.canceled.count == 1)
    screen.respond(.exported(.cancelled))
    #expect(screen.notice == .exportCanceled)
    screen.press("enter")
    #expect(screen.ordered != nil)
  }

  @Test("a failure appears in the dialog, which keeps the typed text")
  func failing() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E enter")
    screen.respond(.exported(.failed("plants.csv cannot be written: no space left on device.")))
    #expect(screen.text.contains("no space left"))
    screen.press("down ctrl-u enter")
    #expect(screen.text.contains("Enter a file name"))
  }

  @Test("slashes in a namespace's name are not proposed as folders")
  func proposal() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("E")
    #expect(screen.text.contains(" plants.csv"))
  }
}

extension Screen {
  /// The last requested export.
  var ordered: ExportOrder? {
    guard case .export(let order)? = requests.last?.request else { return nil }
    return order
  }
}

extension ExportOrder {
  /// The text that the export writes.
  func text(as format: ResultFormat) throws -> String {
    var portions = try rendering(.result(format)).portions()
    var bytes: [UInt8] = []
    while let next = try portions.next() { bytes += next }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("Answers written in batches")
struct RenderingTests {
  private static let most = Result { try store(plants: 4_100) }

  private static func answer(_ plan: QueryPlan, plants: Int) throws -> Answer {
    try QueryEngine.answer(plan, in: try plants == 4_100 ? most.get() : store(plants: plants))
  }

  private static func store(plants: Int) throws -> TripleStore {
    let text = (0..<plants).map {
      #"{"key": "k\#($0)", "name": "P, \"\#($0)\"", "height": \#($0), "bed": "pond"}"#
    }
    return try Garden.store(plants: "[" + text.joined(separator: ",") + "]")
  }

  private static func rendering(of answer: Answer, as format: ResultFormat) -> Rendering {
    Rendering(.result(format), of: answer, in: Catalog(snapshot: StoreSnapshot(answer.store)))
  }

  @Test(
    "have the same bytes as in one piece",
    arguments: ResultFormat.allCases, [0, 1, 2_000, 4_100])
  func same(format: ResultFormat, plants: Int) throws {
    let plan = QueryPlan("plants").order("name").with("bed")
    let answer = try Self.answer(plan, plants: plants)
    var portions = Self.rendering(of: answer, as: format).portions()
    var bytes: [UInt8] = []
    var count = 0
    while let next = try portions.next() {
      bytes += next
      count += 1
      #expect(count < 100)
    }
    #expect(bytes == (try format.bytes(of: [answer.inferringCardinality])))
    #expect(portions.done == plants)
    if plants == 4_100, format != .markdown { #expect(count >= 3) }
  }

  @Test("a count and a summary are one piece", arguments: ResultFormat.allCases)
  func counts(format: ResultFormat) throws {
    let answer = try Self.answer(QueryPlan("plants").count(), plants: 7)
    var portions = Self.rendering(of: answer, as: format).portions()
    #expect(try portions.next() == format.bytes(of: [answer]))
    #expect(try portions.next() == nil)
  }
}
