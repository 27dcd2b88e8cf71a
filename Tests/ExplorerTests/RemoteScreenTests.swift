import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

/// A remote store always sends its attributes, and entities only for queries. Each answer is a
/// separate store, in which entities have other numbers.
@Suite("Remote store on the screen")
struct RemoteScreenTests {
  private func screen(_ plan: QueryPlan = QueryPlan("plants")) throws -> Screen {
    try Screen(columns: 110, rows: 24, query: plan, isPartial: true)
  }

  @Test("entity counts come from side queries and stay up to date")
  func counts() throws {
    var screen = try screen()
    #expect(try #require(screen.line(with: "▸ plants")).contains("  5 │"))
    #expect(try #require(screen.line(with: "  beds ")).contains("  3 │"))
    screen.press("4 0 d d")
    #expect(try #require(screen.line(with: "▸ plants")).contains("  4 │"))
  }

  @Test("rows of a query that is evaluated on all entities are shown in the record and edited")
  func wholeAnswer() throws {
    var screen = try Screen(
      columns: 130, rows: 24, query: QueryPlan("plants").order("name"), isPartial: true)
    let (document, token) = try #require(
      screen.watched.first { $0.document.text == "plants order name" })
    screen.handle(.live(token, try Screen.loaded(document, in: StoreSnapshot(screen.store))))
    #expect(!screen.text.contains("no longer exists"), "\(screen.text)")
    screen.press("4 0 e")
    #expect(screen.text.contains("Edit name"), "\(screen.text)")
    screen.press("escape d")
    #expect(screen.notice != .rowGone, "\(screen.text)")
  }

  @Test("the transaction number is the server's, if it reports one")
  func transaction() throws {
    var screen = try screen()
    let attributes = StoreSnapshot(screen.store, served: ServedAnswer())
    screen.handle(.snapshot(attributes.counted(byServer: 4_711)))
    #expect(screen.row(0).hasSuffix("● live  tx 4711"))
    screen.handle(.snapshot(attributes.counted(byServer: nil)))
    #expect(screen.row(0).hasSuffix("● live"))
  }

  @Test("a server that rejects the token is shown with its advice and a key that tries again")
  func rejectedToken() throws {
    let advice = "The server rejected the token in /home/ann/token. Put the right token there"
    var awaited = ServedAnswer()
    awaited.isAwaited = true
    var workspace = Workspace(StoreListing(typed: "far"), size: Size(columns: 80, rows: 24))
    let rejected = StoreSnapshot(
      TripleStore(), freshness: .stale(reason: advice), served: awaited)
    _ = workspace.update(.snapshot(rejected))
    let text = workspace.view().text
    #expect(text.contains("✕ rejected"))
    #expect(text.contains("The server rejected the token in"))
    #expect(text.contains("R try again"))
    #expect(text.contains(" R reconnect "))
    #expect(text.ranges(of: "The server rejected").count == 1, "\(text)")
    #expect(workspace.update(.terminal(.key(.character("R")))) == [.callServer])
  }

  @Test("a server that rejects the session later keeps the rows, and R tries again")
  func rejectedLater() throws {
    var screen = try screen()
    screen.handle(
      .snapshot(
        StoreSnapshot(screen.store, freshness: .stale(reason: "no entry"), served: ServedAnswer())))
    #expect(screen.row(0).contains("✕ rejected"), "\(screen.text)")
    #expect(screen.row(22).contains("no entry"), "\(screen.text)")
    #expect(screen.row(23).hasPrefix(" R reconnect"), "\(screen.text)")
    screen.press("R")
    #expect(screen.effects.last == .callServer)
  }

  @Test("namespaces without a known count are not shown as empty")
  func refusedCounts() throws {
    var screen = try Screen(columns: 110, rows: 24, isPartial: true, refusesCounts: true)
    #expect(screen.text.contains("▸ beds"))
    #expect(!(try #require(screen.line(with: "▸ beds"))).contains(" 3 "))
    // It is not asked again and again.
    let asked = screen.watched.count
    screen.press("4 down up 1 down enter 1 up enter")
    #expect(screen.watched.filter { $0.document.plans.first?.isCount == true }.count <= asked)
    #expect(!(try #require(screen.line(with: "▸ beds"))).contains(" 3 "))
  }

  @Test("links of visible rows show labels and numbers")
  func links() throws {
    var screen = try screen()
    #expect(try #require(screen.line(with: "│ Fig ")).contains("South wall →"))
    #expect(try #require(screen.line(with: "│ Odd")).contains("·"))
    screen.press("1 up enter")
    #expect(try #require(screen.line(with: "│ By the pond")).contains("⇉ 2: Iris, Mint"))
    #expect(try #require(screen.line(with: "│ Fallow")).contains("·"))
    // Only a page is requested, however many rows there are.
    let asked = screen.watched.filter { $0.document.text.contains("with plants") }
    #expect(asked.count == 1)
  }

  @Test("the record of a row with many linked rows gives no number that it does not know")
  func manyLinks() throws {
    let plants = (1...30).map { #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "south"}"# }
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("beds"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"), isPartial: true)
    screen.press("4 g 0 enter")
    #expect(screen.text.contains("… more"), "\(screen.text)")
    #expect(!screen.text.contains("16 more"), "\(screen.text)")
    screen.press("escape $ d")
    #expect(screen.text.contains("Unlink from plants: the first 20 of 20+"), "\(screen.text)")
  }

  @Test("a search counts the matches of all rows as soon as their links are loaded")
  func linkMatches() throws {
    let plants = (100..<250).map {
      #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "\#($0 % 149 == 100 ? "pond" : "south")"}"#
    }
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"), isPartial: true)
    screen.press("4 /")
    screen.isSlow = true
    screen.type("pond")
    #expect(screen.text.contains("match 1 of 1+, in bed "), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.text.contains("match 1 of 2, in bed "), "\(screen.text)")
    screen.press("enter n")
    let place = MatchPlace(number: 2, count: 2, column: "bed")
    #expect(screen.notice == .match(place), "\(screen.text)")
  }

  @Test("the cursor stays at the top if links arrive between two changes of the order")
  func orderedTwice() throws {
    let plants = (10..<50).map {
      #"{"key": "p\#($0)", "name": "Plant \#($0)", "height": \#(100 - $0), "bed": "south"}"#
    }
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"), isPartial: true)
    screen.isSlow = true
    screen.press("4 l s")
    screen.answerAtLast(keepingSlow: true)
    #expect(screen.text.contains("row 1 of 40"), "\(screen.text)")
    screen.press("s")
    // The links of the first rows by height come before the rows in the other direction.
    screen.answerAtLast()
    #expect(screen.watched.contains { $0.document.text == "plants order height desc" })
    #expect(screen.text.contains("row 1 of 40"), "\(screen.text)")
  }

  @Test("all targets of a link in the query can be unlinked")
  func includedLinks() throws {
    let plants = (1...30).map { #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "south"}"# }
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("beds").with("plants") { $0.limit(25) },
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"), isPartial: true)
    screen.press("4 g 0 $ d")
    #expect(screen.text.contains("Unlink from plants"), "\(screen.text)")
    #expect(!screen.text.contains("the first"), "\(screen.text)")
  }

  @Test("links from side queries can be filtered, copied and unlinked")
  func linkCells() throws {
    var screen = try screen()
    screen.press("4 $")
    let cell = try #require(screen.line(with: "│ Fig "))
    #expect(cell.contains("South wall →"))
    screen.press("f")
    #expect(screen.text.contains("=  bed = South wall"))
    screen.press("escape X")
    #expect(screen.line(with: "│ Fig ") == nil)
    #expect(screen.line(with: "│ Iris ") != nil)
    screen.press("u 0 $ d")
    #expect(screen.text.contains("Unlink from bed"))
    #expect(!screen.text.contains("Delete"))
    screen.press("1")
    #expect(try #require(screen.line(with: "│ Fig ")).contains("·"))
    // The link is gone, so `d` now deletes the row.
    screen.press("d")
    #expect(screen.text.contains("Delete Fig"))
  }

  @Test("offline, links that were never queried are unknown")
  func awayLinks() throws {
    var screen = try screen()
    screen.press("4 G")
    #expect(screen.line(with: "│ Iris ")?.contains(" →") == true, "\(screen.text)")
    screen.isAway = true
    let attributes = try ["id", "name"].map {
      try #require(screen.store.schema.attribute("plants", $0)).id
    }
    let id = EntityID("00000000-0000-4000-8000-000000000001")
    try screen.transact([
      .addTriple(.id(id), attributes[0], .text(id.text)),
      .addTriple(.id(id), attributes[1], "Yew"),
    ])
    #expect(screen.line(with: "│ Yew ") != nil, "\(screen.text)")
    #expect(screen.line(with: "│ Yew ")?.contains("  …  ") == true, "\(screen.text)")
    #expect(screen.line(with: "│ Iris ")?.contains(" →") == true, "\(screen.text)")
  }

  @Test("an offline deletion can be undone completely until it is sent")
  func awayDeletion() throws {
    var screen = try screen()
    screen.press("4")
    screen.keepsUnsent = true
    screen.show(StoreSnapshot(screen.store, served: ServedAnswer()))
    screen.press("d")
    #expect(screen.text.contains("undo restores everything while offline"), "\(screen.text)")
    screen.press("d")
    #expect(screen.line(with: "│ Fig ") == nil)
    #expect(screen.notice == .done("Deleted Fig", hints: [.key(.undoTransaction, "undo")]))
    screen.press("U")
    #expect(screen.line(with: "│ Fig ")?.contains("South wall →") == true, "\(screen.text)")
    #expect(
      screen.notice == .done("Undone, so the change will not be sent", hints: [.key(.changes)]))
    // The offline notice disappears when the server is back.
    screen.press("d")
    screen.keepsUnsent = false
    screen.show(StoreSnapshot(screen.store, served: ServedAnswer()))
    screen.press("d")
    #expect(screen.notice == .exactPreviewAvailable)
    #expect(screen.line(with: "│ Fig ") != nil)
    screen.keepsUnsent = true
    screen.show(StoreSnapshot(screen.store, served: ServedAnswer()))
    screen.press("d d")
    screen.sendKept()
    screen.press("U")
    #expect(
      screen.notice
        == .done("Undone, except for data that was not loaded", hints: [.key(.changes)]))
  }

  @Test("a queued change that cannot be undone is dropped from the queue")
  func unknownDropped() throws {
    var screen = try screen()
    screen.press("4 l")
    (screen.keepsUnsent, screen.tellsWhatWas) = (true, false)
    screen.press("e ctrl-u")
    screen.type("251")
    screen.press("enter")
    #expect(screen.notice?.text == "height updated.")
    screen.press("U")
    #expect(screen.line(with: "│ Fig ")?.contains("250") == true)
  }

  @Test("changes queued in earlier sessions can be dropped one by one")
  func leftWaiting() throws {
    var screen = try screen()
    screen.press("4 l")
    (screen.keepsUnsent, screen.tellsWhatWas) = (true, true)
    screen.press("e ctrl-u")
    screen.type("251")
    screen.press("enter")
    screen.beginAnew(QueryPlan("plants"))
    screen.press("4")
    screen.press("U")
    #expect(screen.text.contains("1 change from an earlier session is queued"), "\(screen.text)")
    screen.press("k")
    #expect(screen.line(with: "│ Fig ")?.contains("251") == true)
    screen.press("U d")
    #expect(screen.line(with: "│ Fig ")?.contains("250") == true)
    #expect(screen.notice?.text == "Undone, so the change will not be sent.")
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("rejections after a reconnect are reported and cannot be undone")
  func refusedLater() throws {
    var screen = try screen()
    screen.press("4 l e ctrl-u")
    screen.keepsUnsent = true
    screen.type("251")
    screen.press("enter")
    #expect(screen.line(with: "│ Fig ")?.contains("251") == true)
    screen.refuseKept(because: "Not that high.")
    #expect(
      screen.notice?.text == "1 change made offline was rejected: Not that high.", "\(screen.text)")
    // Another snapshot does not repeat it, and a key does not hide it.
    screen.press("escape")
    screen.show(StoreSnapshot(screen.store, served: ServedAnswer()))
    #expect(screen.notice?.isError != true)
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("the chooser shows the present target of each entity")
  func chooserLinks() throws {
    var screen = try screen(QueryPlan("beds"))
    screen.press("4 $ e")
    func isAsked(_ screen: Screen) -> Bool {
      screen.watched.contains { $0.document.text == "plants limit 200 with bed { fields id }" }
    }
    #expect(isAsked(screen), "\(screen.watched.map(\.document.text))")
    screen.isSlowToWrite = true
    screen.press("enter")
    #expect(isAsked(screen))
    screen.carryOutAtLast()
    #expect(!isAsked(screen))
  }

  @Test("a deletion is previewed by a query to the server")
  func farewell() throws {
    var screen = try screen()
    func isWatched(_ screen: Screen) -> Bool {
      screen.watched.contains { $0.document.text.contains("with bed { fields id }") }
    }
    screen.press("4")
    #expect(!isWatched(screen))
    screen.press("d")
    #expect(
      screen.text.contains("Delete Fig? Removes 1 row from plants, and 1 link"), "\(screen.text)")
    #expect(isWatched(screen))
    screen.press("d")
    #expect(screen.line(with: "│ Fig ") == nil)
    screen.press("U")
    #expect(try #require(screen.line(with: "│ Fig ")).contains("250"))
    #expect(try #require(screen.line(with: "│ Fig ")).contains("South wall →"))
  }

  @Test("any key cancels the preview of a deletion")
  func farewellGivenUp() throws {
    var screen = try screen()
    screen.press("4")
    screen.isSlow = true
    screen.press("d")
    #expect(screen.notice == .checkingDeletion)
    screen.press("down")
    screen.answerAtLast()
    #expect(!screen.text.contains("Delete"))
    screen.isSlow = true
    screen.press("d d")
    screen.answerAtLast()
    #expect(screen.text.contains("Delete Iris?"), "\(screen.text)")
    #expect(screen.transactions.isEmpty)
  }

  @Test("without an answer, the preview shows what is known locally")
  func farewellRefused() throws {
    var screen = try screen()
    screen.press("4")
    screen.isSlow = true
    screen.press("d")
    let asked = try #require(
      screen.watched.last { $0.document.text.contains("with bed { fields id }") })
    screen.isSlow = false
    screen.handle(.live(asked.token, .failed(LiveFailure(message: "Not for you"))))
    #expect(
      screen.text.contains(
        "Delete Fig? Removes 1 row from plants, and rows that the server deletes with it"),
      "\(screen.text)")
    screen.press("d")
    #expect(screen.transactions.count == 1)
  }

  @Test("staged changes query their entities, one query per namespace")
  func unsentQuestions() throws {
    var screen = try screen(QueryPlan("plants").order("name"))
    func questions() -> [String] {
      screen.watched.map(\.document.text).filter {
        $0.hasPrefix("plants filter id in") && $0.contains("with bed { fields id }")
      }
    }
    screen.press("4 P")
    #expect(questions().isEmpty)
    for height in ["251", "81"] {
      screen.press("0 l e ctrl-u")
      screen.type(height)
      screen.press("enter down")
    }
    let question = try #require(questions().last, "\(screen.watched.map(\.document.text))")
    #expect(questions().count == 1)
    #expect(question.split(separator: ",").count == 2, "\(question)")
  }

  @Test("completions query values, also of linked entities")
  func values() throws {
    var screen = try screen()
    let asked = screen.watched.count
    screen.press("F")
    screen.type("bed.name = ")
    #expect(screen.text.contains("\"South wall\""), "\(screen.text)")
    #expect(screen.watched.dropFirst(asked).contains { $0.document.text.contains("fields name") })
    screen.type("\"Fal")
    #expect(screen.text.contains("\"Fallow\"") && !screen.text.contains("\"South wall\""))
    screen.press("tab enter")
    #expect(screen.watched.contains { $0.document.text == #"plants filter bed.name = "Fallow""# })
  }

  @Test("an unanswered query is not explained as empty")
  func unexplained() throws {
    var screen = try screen()
    let watched = try #require(screen.watched.last { $0.document.text == "plants" })
    screen.handle(.live(watched.token, .failed(LiveFailure(message: "Not known"))))
    screen.press("4 x")
    #expect(screen.notice?.text == Notice.noResults.text, "\(screen.text)")
    #expect(!screen.text.contains("no rows match"))
  }

  @Test("a link that is still loading is not shown as empty")
  func linkCellsLate() throws {
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"), isPartial: true, isSlow: true)
    // The rows come, and what they are linked with does not.
    screen.answerAtLast(keepingSlow: true)
    screen.press("4 $")
    for key in ["f", "X", "d"] {
      screen.press(key)
      #expect(screen.text.contains("Still loading"))
      #expect(!screen.text.contains("Delete"))
    }
  }

  @Test("loaded links stay while the links of other rows are loaded")
  func linkCellsKept() throws {
    let plants = (100..<200).map {
      #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "south"}"#
    }
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants").order("name"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"), isPartial: true)
    screen.press("4 g 0")
    #expect(try #require(screen.line(with: "│ Plant 100 ")).contains("South wall →"))
    screen.isSlow = true
    screen.press("pagedown pagedown pagedown")
    let asked = try #require(screen.watched.last { $0.document.text.contains("with bed") })
    screen.handle(.live(asked.token, .loading))
    #expect(try #require(screen.line(with: "│ Plant 14")).contains("…"))
    screen.press("g")
    #expect(try #require(screen.line(with: "│ Plant 100 ")).contains("South wall →"))
  }

  @Test("tabs share the answers of side queries")
  func otherTab() throws {
    var screen = try screen()
    screen.press("4 0 t")
    #expect(try #require(screen.line(with: "│ Fig ")).contains("South wall →"))
    screen.press("4 $ > ,")
    #expect(screen.text.contains("South wall"))
    #expect(!screen.text.contains("…"))
  }

  @Test("the diagram shows entity counts, not query results")
  func diagram() throws {
    var screen = try screen(QueryPlan("plants").limit(1))
    screen.press("D")
    let boxes = screen.text
    #expect(boxes.contains("5 rows"))
    #expect(boxes.contains("beds ─") && boxes.contains("─ 3 ─"))
    var silent = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants").limit(1), isPartial: true,
      refusesCounts: true)
    silent.press("D")
    #expect(!silent.text.contains("rows ·"))
  }

  @Test("unknown values do not look like missing ones")
  func waiting() throws {
    var screen = try screen(QueryPlan("plants").limit(1))
    screen.isSlow = true
    screen.press("u L ctrl-u 2 enter")
    screen.isSlow = false
    #expect(try #require(screen.line(with: "│ Fig ")).contains("South wall →"))
    var slow = try Screen(columns: 110, rows: 24, query: QueryPlan("beds"), isPartial: true)
    slow.isSlow = true
    slow.press("4 0 enter")
    let line = try #require(slow.line(with: "⇉ plants"))
    #expect(line.contains("…") || line.contains(" 2 "), "\(line)")
  }

  @Test("a record shows and edits links that the query omits")
  func entity() throws {
    var screen = try screen()
    screen.press("4 0 enter")
    #expect(try #require(screen.line(with: "→ bed")).contains("South wall"))
    screen.press("G enter")
    #expect(screen.text.contains("─ [5] South wall ─"))
    screen.press("down e")
    screen.type("North wall")
    screen.press("enter")
    #expect(screen.text.contains("─ [5] North wall ─"))
  }

  @Test("expanding a relation adds it to the query")
  func expand() throws {
    var screen = try screen()
    screen.press("4 $ >")
    #expect(screen.text.contains("╰ bed 1"))
    #expect(screen.watched.contains { $0.document.text == "plants with bed" })
    screen.press("u")
    #expect(!screen.text.contains("╰ bed 1"))
    screen.press("0 >")
    #expect(screen.notice == .nested("bed"))
    #expect(screen.text.contains("╰ bed 1"))
  }

  @Test("links of nested rows are queried, too")
  func linksBeneath() throws {
    let twins = #"""
      "links": {"twins": {"forward": {"on": "plants", "label": "twin", "has": "one"},
                          "reverse": {"on": "plants", "label": "twinOf", "has": "many"}},
      """#
    let schema = Garden.schema.replacing(#""links": {"#, with: twins)
    let store = try Garden.store(
      schema: schema,
      plants: #"""
        [{"key": "fig", "name": "Fig", "bed": "south", "twin": "ume"},
         {"key": "ume", "name": "Ume", "bed": "south"}]
        """#)
    var screen = try Screen(
      columns: 200, rows: 24, query: QueryPlan("beds"), store: store, isPartial: true)
    screen.press("$ >")
    #expect(screen.line(with: "    Fig ")?.contains("Ume →") == true)
    #expect(screen.line(with: "││    Ume ")?.contains("⇉ 1: Fig") == true, "\(screen.text)")
    #expect(!screen.text.contains("…  "))
    // They are queried only while they are visible.
    screen.press("<")
    #expect(!screen.watched.contains { $0.document.text.contains("with twin") })
  }

  @Test("a linked record can be previewed next to the rows", arguments: [true, false])
  func peek(isPartial: Bool) throws {
    var screen = try Screen(
      columns: 130, rows: 24, query: QueryPlan("plants"), isPartial: isPartial)
    screen.press("$ K")
    #expect(screen.text.contains("─ [5] South wall ─"), "\(screen.text)")
    #expect(screen.text.contains("12.5"))
    // It follows the cursor.
    screen.press("down down")
    #expect(!screen.text.contains("─ [5] South wall ─"), "\(screen.text)")
    screen.press("up up escape y y")
    guard case .copy(let bed)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(bed.count == 36, "\(bed)")
    screen.press("0 y y")
    #expect(screen.effects.last == .copy("Fig"))
    var beds = try Screen(
      columns: 130, rows: 24, query: QueryPlan("beds"), isPartial: isPartial)
    beds.press("$ K")
    #expect(beds.text.contains("⇉ plants"), "\(beds.text)")
    // Also what the query itself asks for.
    beds.press(">")
    #expect(beds.text.contains("─ [5] South wall ─"), "\(beds.text)")
  }

  @Test("a link can be set to an entity outside of the query")
  func choosing() throws {
    var screen = try screen()
    screen.press("4 $ e")
    screen.type("fal")
    screen.press("enter")
    #expect(try #require(screen.line(with: "│ Fig ")).contains("Fallow →"))
  }

  @Test("rows and links can be opened")
  func open() throws {
    var screen = try screen()
    screen.press("down enter")
    #expect(screen.text.contains("Iris"))
    screen.press("escape")
    screen.press("$ enter")
    #expect(screen.row(0).contains("› beds"))
  }

  @Test("rows can be filtered by their values")
  func filter() throws {
    var screen = try screen()
    screen.press("down l f")
    #expect(screen.text.contains("height = 80"))
  }

  @Test("edits, creations and deletions can be undone")
  func edit() throws {
    var screen = try screen()
    screen.press("l e ctrl-u")
    screen.type("251")
    screen.press("enter")
    #expect(screen.text.contains(" 251 "))
    screen.press("U")
    #expect(screen.text.contains(" 250 "))
    #expect(screen.text.contains("│ Fig "))
    screen.press("h d d")
    #expect(!screen.text.contains("│ Fig "))
    screen.press("U")
    #expect(screen.text.contains(" Fig "))
    screen.press("a")
    screen.type("Sage")
    screen.press("enter")
    #expect(screen.text.contains(" Sage "))
  }

  @Test("links can be chosen, copied, compared and selected")
  func everyKey() throws {
    for keys in [
      "$ e", "$ a", "$ d", "y", "space space", "C", "w", ">", "x", "v", "v", "b", "B", "i", "u",
      "F", "Q", "s", "S", "L", "p", "E", "#", "/", "t", ":",
    ] {
      var screen = try screen()
      screen.press(keys)
      screen.press("enter")
      screen.press("escape")
      #expect(!screen.text.isEmpty, "after \(keys)")
    }
  }

  @Test("changes of the shown answers are logged with old values")
  func changes() throws {
    var screen = try screen()
    screen.press("C")
    #expect(screen.text.contains("No changes in the results shown so far"))
    let height = try #require(screen.store.schema.attribute("plants", "height"))
    let fig = try #require(screen.store.rows(of: "plants").handles.first)
    try screen.transact([.addTriple(.id(screen.store.id(of: fig)), height.id, .integer(251))])
    #expect(try #require(screen.line(with: "~ plants")).contains("250 → 251"))
    try screen.transact([.deleteEntity(.id(screen.store.id(of: fig)), namespace: "plants")])
    #expect(try #require(screen.line(with: "- plants")).contains("Fig"))
    // Another query is another answer, and no change.
    screen.press("esc 1 up enter C")
    #expect(screen.text.contains("Changes ─"))
    #expect(screen.line(with: "beds ") != nil)
    #expect(screen.line(with: "+ beds") == nil)
  }
}
