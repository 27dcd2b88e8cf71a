import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Several stores")
struct WorkspaceTests {
  @Test("the header shows which tabs belong to which store")
  func header() throws {
    var screen = try ManyStores.gardenAndPlan()
    #expect(screen.header.contains(" garden [1:beds] │ plan.sonde 2:notes │  beds "))
    try expectScreen(screen.text, named: "several-stores")
    screen.press("t .")
    #expect(screen.header.contains(" garden 1:beds  2:beds │ plan.sonde [3:notes] │"))
    #expect(screen.text.contains("Swim"))
    screen.press("t")
    #expect(screen.notice == .tabOpened(4))
  }

  @Test("on a narrow screen the header names the stores")
  func narrowHeader() throws {
    var screen = try ManyStores.gardenAndPlan(columns: 80)
    #expect(screen.header.contains(" garden [1:beds] │ plan.sonde 2:notes │  beds "))
    screen.press(".")
    #expect(screen.header.contains(" garden 1:beds │ plan.sonde [2:notes] │  notes "))
    screen = try ManyStores.gardenAndPlan(columns: 60)
    #expect(screen.header.contains(" garden [1:beds] │ plan.sonde │  beds "))
    screen.press(".")
    #expect(screen.header.contains(" garden │ plan.sonde [2:notes] │  notes "))
    screen = try ManyStores.gardenAndPlan(columns: 50)
    #expect(screen.header.contains("[garden]│ plan.sonde │  beds "))
    screen.press(".")
    #expect(screen.header.contains(" garden │[plan.sonde]│  notes "))
    screen.press(", t")
    #expect(screen.header.contains("[2:garden]│ plan.sonde │  beds "), "\(screen.header)")
    screen.press(",")
    #expect(screen.header.contains("[1:garden]│ plan.sonde │  beds "), "\(screen.header)")
    screen = try ManyStores.gardenAndPlan(columns: 40)
    #expect(screen.header.contains("[1:garden] +1 tab  beds"))
    screen.press(".")
    #expect(screen.header.contains("[2:plan.…] +1 tab  "))
  }

  @Test("the tabs of three stores use the space that the breadcrumbs leave")
  func threeStores() throws {
    let plan = try ManyStores.plan()
    var screen = ManyStores(
      [("garden", try Garden.store()), ("b.sqlite", plan), ("c.sqlite", plan)], columns: 79)
    #expect(screen.header.contains(" garden [1:beds] │ b.sqlite │ c.sqlite │  beds "))
    screen.press(". .")
    #expect(screen.header.contains(" garden │ b.sqlite │ c.sqlite [3:notes] │  notes "))
    screen.press("t")
    #expect(screen.header.contains(" c.sqlite 3:notes [4:notes] │  notes "), "\(screen.header)")
  }

  @Test("a store that is loading has its name in the header", arguments: [80, 160])
  func loadingHeader(columns: Int) {
    var screen = ManyStores([("library.sqlite", nil), ("world", nil)], columns: columns)
    #expect(screen.header.contains("library.sqlite"))
    screen.press(".")
    #expect(screen.header.contains("world"))
    #expect(!screen.header.contains("[1 ]"))
  }

  @Test("next and previous tab cycle through the tabs of all stores")
  func switching() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("t down enter")
    #expect(screen.header.contains("[2:plants]"))
    screen.press(".")
    #expect(screen.header.contains("[3:notes]"))
    screen.press(".")
    #expect(screen.header.contains("[1:beds]"))
    screen.press(",")
    #expect(screen.header.contains("[3:notes]"))
    screen.press(",")
    #expect(screen.header.contains("[2:plants]"))
  }

  @Test("a click on a tab or on the name of a store shows it")
  func click() throws {
    var screen = try ManyStores.gardenAndPlan()
    func column(of text: String) throws -> Int {
      let range = try #require(screen.header.firstRange(of: text))
      return screen.header.distance(from: screen.header.startIndex, to: range.lowerBound) + 1
    }
    func click(_ column: Int) -> Event {
      .terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 0, column: column)))
    }
    screen.handle(click(try column(of: "2:notes")), of: screen.workspaces.frontID)
    #expect(screen.header.contains("[2:notes]"))
    screen.handle(click(try column(of: "garden")), of: screen.workspaces.frontID)
    #expect(screen.header.contains("[1:beds]"))
  }

  @Test("a change of a hidden store does not affect the visible one")
  func changes() throws {
    var screen = try ManyStores.gardenAndPlan()
    let plan = screen.ids[1]
    let before = screen.text
    let store = try screen.store(of: plan)
    let title = try #require(store.schema.attribute("notes", "title"))
    let run = try #require(
      store.rows(of: "notes").handles.first { store.value($0, title.id) == .text("Run") })
    try screen.transact([.addTriple(.id(store.id(of: run)), title.id, "Run far")], in: plan)
    #expect(screen.text == before)
    screen.press(".")
    #expect(screen.text.contains("Run far"))
  }

  @Test("each store keeps its query, its undo and its open panes")
  func independence() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("F")
    screen.type("area > 10")
    screen.press("enter C .")
    #expect(screen.text.contains("Swim"))
    #expect(!screen.text.contains("─ [7]"))
    screen.press("u")
    #expect(screen.notice == .nothingToUndoInQuery)
    screen.press(",")
    #expect(screen.text.contains("─ [7]"))
    screen.press("escape u")
    #expect(!screen.text.contains("area > 10"))
  }

  @Test("a hidden store gets the new size and settings when it is shown")
  func resize() throws {
    var screen = try ManyStores.gardenAndPlan()
    let size = Size(columns: 90, rows: 30)
    screen.handle(.terminal(.resize(size)), of: screen.workspaces.frontID)
    screen.press(") .")
    #expect(screen.front.size == size)
    #expect(screen.front.view().size == size)
    screen.press(",")
    #expect(screen.front.view().size == size)
  }

  @Test("an error of a hidden store is reported on the visible one")
  func hiddenError() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.handle(.notice(.rejected("The disk is full")), of: screen.ids[1])
    #expect(screen.notice == .inOtherStore("plan.sonde", .rejected("The disk is full")))
    screen.press("escape")
    screen.handle(.notice(.copied(bytes: 3)), of: screen.ids[1])
    #expect(screen.notice == nil)
  }
}

@Suite("Closing and opening stores")
struct StoreOpeningTests {
  @Test(
    "a word on the command line is a namespace of the first store, or else a store",
    arguments: ["world", "beds"])
  func word(_ word: String) throws {
    let listing = StoreListing(address: word, place: word, name: word)
    var screen = ManyStores(
      [("garden", try Garden.store())], startup: StartupView(query: word, orStore: listing))
    #expect(!screen.text.contains("expected"))
    #expect(screen.text.contains("South wall"))
    let opening = Effect.workspace(.open(listing, inFront: false))
    #expect(screen.effects.contains { $0.effect == opening } == (word == "world"))
    screen.open(word, inFront: false)
    #expect(screen.notice == .storeOpened(word))
  }

  @Test("a word that is neither a namespace nor a store is explained")
  func unknownWord() throws {
    let garden = [("garden", try Garden.store())]
    let screen = ManyStores(garden, startup: StartupView(query: "plans"))
    #expect(screen.text.contains("'plans' is neither a namespace"), "\(screen.text)")
    #expect(screen.text.contains("'plants'?"), "\(screen.text)")
    let advised = ManyStores(
      garden, startup: StartupView(query: "demo", advice: "A demo is opened by its name."))
    // The last word is on the next line.
    #expect(advised.text.contains("A demo is opened by its"), "\(advised.text)")
    let query = ManyStores(garden, startup: StartupView(query: "plants limitt 3"))
    #expect(!query.text.contains("neither"), "\(query.text)")
  }

  @Test("closing the last tab of a store closes the store and keeps its view")
  func close() throws {
    var screen = try ManyStores.gardenAndPlan()
    let (garden, plan) = (screen.ids[0], screen.ids[1])
    screen.press("ctrl-w")
    #expect(screen.ids == [plan])
    #expect(screen.text.contains("Swim"))
    let kinds = screen.effects.filter { $0.owner == garden }.map(\.effect)
    guard case .save(.view(let view))? = kinds.dropLast().last else {
      Issue.record("The view was not saved: \(kinds)")
      return
    }
    #expect(view.query == "beds")
    #expect(kinds.last == .workspace(.close))
    #expect(!screen.header.contains("["))
    screen.press("ctrl-w")
    #expect(screen.notice == .onlyTab)
    #expect(screen.ids == [plan])
  }

  @Test("one of three stores closes, and the others keep their order", arguments: [0, 1, 2])
  func closeOneOfThree(place: Int) throws {
    let names = ["left.db", "middle.db", "right.db"]
    var screen = ManyStores(names.map { ($0, nil) })
    let ids = screen.ids
    screen.press(".")
    #expect(screen.workspaces.frontID == ids[1])
    screen.handle(.storeFailed("The file is gone."), of: ids[place])
    let remaining = ids.filter { $0 != ids[place] }
    #expect(screen.ids == remaining)
    #expect(screen.notice == .storeNotOpened(names[place], "The file is gone."))
    #expect(!screen.header.contains(names[place]), "\(screen.header)")
    // In place of the store in front, its neighbor to the right comes to the front.
    let front = place == 1 ? ids[2] : ids[1]
    #expect(screen.workspaces.frontID == front)
    screen.press(".")
    #expect(screen.workspaces.frontID == remaining.first { $0 != front })
    screen.press(",")
    #expect(screen.workspaces.frontID == front)
  }

  @Test("a store with staged changes asks before it closes, and quitting asks for all stores")
  func unsent() throws {
    var screen = try ManyStores.gardenAndPlan()
    let (garden, plan) = (screen.ids[0], screen.ids[1])
    var staging = StagedChanges()
    _ = staging.perform(.beginStaging)
    _ = staging.perform(.make(Transaction(), Submission(summary: "title updated")))
    let state = ChangesState(staging, version: 1, isStored: true)
    screen.handle(.changes(nil, state), of: plan)
    screen.press("q")
    #expect(screen.text.contains("plan.sonde: 1 change staged"))
    #expect(screen.text.contains("they stay staged"))
    // Only the visible store can send its changes here.
    #expect(!screen.text.contains("send"))
    screen.press("k . ctrl-w")
    #expect(screen.text.contains("1 change staged"))
    #expect(screen.text.contains("send"))
    #expect(screen.ids == [garden, plan])
    screen.press("c")
    #expect(screen.ids == [garden])
    screen.press("q")
    #expect(screen.effects.last?.effect == .quit(status: 0))
  }

  @Test("quitting keeps the views of all stores")
  func quit() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("q")
    let saved = screen.effects.compactMap { owned in
      if case .save(.view(let view)) = owned.effect { (owned.owner, view.query) } else { nil }
    }
    #expect(Set(saved.map(\.0)) == Set(screen.ids))
    #expect(Set(saved.compactMap(\.1)) == ["beds", "notes"])
    #expect(screen.effects.last?.effect == .quit(status: 0))
  }

  @Test("the list has the open stores, then others, and a typed address")
  func list() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("ctrl-o")
    try screen.respond(
      .stores([
        StoreListing(address: "plan.sonde", place: "plan.sonde", name: "plan.sonde"),
        StoreListing(address: "app.db", place: "/home/ada/work/app.db", name: "app.db"),
        StoreListing(
          address: "ws://localhost:8888/goals", place: "ws://localhost:8888/goals", name: "goals"),
      ]))
    expectBlock(
      """
      ╭─ Stores ──────────────────── 4 stores ─╮
      │  type to filter                        │
      │ garden                         current │
      │ plan.sonde                        open │
      │ app.db      /home/ada/work/app.db      │
      │ goals       ws://localhost:8888/goals  │
      ╰────────────────────────────────────────╯
      """, in: screen.text)
    screen.type("adb")
    #expect(screen.text.contains("app.db"))
    #expect(!screen.text.contains("goals"))
    screen.press("ctrl-u")
    screen.type("./other.sonde")
    #expect(screen.text.contains("open  ./other.sonde"))
    screen.press("escape ctrl-o ctrl-o")
    #expect(!screen.text.contains("─ Stores ─"))
  }

  @Test("tab completes a typed path, and enter opens it")
  func paths() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("ctrl-o")
    try screen.respond(.stores([]))
    screen.type("./da")
    screen.press("tab")
    #expect(screen.requests.last?.request == .paths("./da"))
    try screen.respond(.paths(["./data/"]))
    #expect(screen.text.contains("open  ./data/"), "\(screen.text)")
    screen.press("tab")
    let both = ["./data/a1.sonde", "./data/a2.sonde"]
    try screen.respond(.paths(both))
    screen.press("tab")
    try screen.respond(.paths(both))
    #expect(screen.notice == .paths(both))
    screen.type("2")
    screen.press("tab")
    try screen.respond(.paths([both[1]]))
    screen.press("tab")
    try screen.respond(.paths([]))
    #expect(screen.notice == .noPath)
    screen.press("enter")
    #expect(
      screen.requests.last?.request
        == .findStore(StoreListing(address: both[1], place: both[1], name: both[1])))
  }

  @Test("the list begins on another store, and names come before addresses")
  func order() throws {
    var screen = ManyStores([("library.sqlite", try Garden.store())])
    let files = ["notes.csv", "world"].map {
      StoreListing(address: $0, place: $0 == "world" ? $0 : "/home/crow/\($0)", name: $0)
    }
    screen.press("ctrl-o")
    try screen.respond(.stores(files))
    // The list grew, and the store above the cursor is in view.
    #expect(screen.text.contains(" current │"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.requests.last?.request == .findStore(files[0]))
    screen.press("escape ctrl-o")
    try screen.respond(.stores(files))
    // The address of the notes contains the letters, too.
    screen.type("ro")
    #expect(!screen.text.contains("library.sqlite  "))
    screen.press("ctrl-u")
    screen.type("wo")
    screen.press("enter")
    #expect(screen.requests.last?.request == .findStore(files[1]))
    screen.press("escape ctrl-o")
    try screen.respond(.stores(files))
    // The visible store is last.
    screen.type("r")
    screen.press("enter")
    #expect(screen.requests.last?.request == .findStore(files[1]))
  }

  @Test("a name typed before the stores are listed is looked for in the list")
  func early() throws {
    var screen = try ManyStores.gardenAndPlan()
    let listing = StoreListing(address: "app.db", place: "/app.db", name: "app.db")
    screen.press("ctrl-o")
    #expect(screen.text.contains(" searching "))
    screen.type("app")
    screen.press("enter")
    #expect(screen.requests.last?.request == .knownStores)
    #expect(screen.notice == .stillSearching)
    try screen.respond(.stores([listing]))
    #expect(screen.requests.last?.request == .findStore(listing))
  }

  @Test("enter before the stores are listed opens the first one if no other is open")
  func earlyEnter() throws {
    var screen = ManyStores([("garden", try Garden.store())])
    let listing = StoreListing(address: "app.db", place: "/app.db", name: "app.db")
    screen.press("ctrl-o enter")
    #expect(screen.text.contains("─ Stores ─"))
    try screen.respond(.stores([listing]))
    #expect(screen.requests.last?.request == .findStore(listing))
  }

  @Test("choosing an open store shows its tab")
  func chooseOpen() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("ctrl-o enter")
    #expect(screen.header.contains("[2:notes]"))
    screen.press("ctrl-o enter")
    #expect(screen.header.contains("[1:beds]"))
    screen.press("ctrl-o enter")
    // A recent store may be open by now.
    screen.press("ctrl-o")
    try screen.respond(.stores([]))
    screen.type("gard")
    screen.press("enter")
    #expect(screen.header.contains("[1:beds]"))
  }

  @Test("a store that cannot be found changes nothing, and a notice states the reason")
  func missing() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press("down")
    let before = screen.text
    screen.press("ctrl-o")
    screen.type("./none.sqlite")
    screen.press("enter")
    #expect(screen.notice == .openingStore("./none.sqlite"))
    try screen.respond(.failed(.storeNotOpened("./none.sqlite", "There is no such file.")))
    #expect(screen.notice == .storeNotOpened("./none.sqlite", "There is no such file."))
    screen.press("escape")
    #expect(screen.text == before)
  }

  @Test("a store that cannot be read closes, and the previous one is shown again")
  func broken() throws {
    var screen = try ManyStores.gardenAndPlan()
    let before = screen.text
    let id = screen.open("broken.db")
    #expect(screen.text.contains("… loading"))
    // Other tabs can be shown meanwhile.
    screen.press(",")
    #expect(screen.header.contains("[2:notes]"))
    screen.press(". ")
    screen.handle(.storeFailed("broken.db is not a database."), of: id)
    #expect(screen.ids.count == 2)
    #expect(screen.notice == .storeNotOpened("broken.db", "broken.db is not a database."))
    screen.press("escape")
    #expect(screen.header.contains("[1:beds]"))
    #expect(screen.text == before)
    #expect(screen.effects.last?.owner == id)
    #expect(screen.effects.last?.effect == .workspace(.close))
  }

  @Test("the program quits if its only store cannot be read")
  func lastBroken() throws {
    var screen = ManyStores([("garden", try Garden.store())])
    let id = screen.open("broken.db")
    screen.press("ctrl-c")
    #expect(screen.ids.count == 1)
    #expect(!screen.effects.contains { $0.owner == id && $0.effect == .quit(status: 130) })
    var only = ManyStores([("gone", nil)])
    only.handle(.storeFailed("gone"), of: only.ids[0])
    #expect(only.effects.last?.effect == .fail(reason: "gone"))
  }

  @Test("a store that is found while the user types opens in the background")
  func late() throws {
    var screen = try ManyStores.gardenAndPlan()
    let listing = StoreListing(address: "app.db", place: "/app.db", name: "app.db")
    screen.press("ctrl-o")
    try screen.respond(.stores([listing]))
    screen.press("down enter F")
    try screen.respond(.store(listing))
    #expect(
      screen.effects.last?.effect == .workspace(.open(listing, inFront: false)))
    screen.open("app.db", inFront: false)
    #expect(screen.text.contains("─ Filter ─"))
    #expect(screen.notice == .storeOpened("app.db"))
    #expect(screen.ids.count == 3)
  }
}
