import Explorer
import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("Staged changes")
struct StagingTests {
  private static func screen(isPartial: Bool = false) throws -> Screen {
    try Screen(
      columns: 119, rows: 22, query: QueryPlan("plants").order("name"), isPartial: isPartial)
  }

  private static func edit(_ screen: inout Screen, to text: String) {
    screen.press("e")
    screen.press("ctrl-u")
    screen.type(text)
    screen.press("enter")
  }

  @Test("staged changes are sent with the values that were visible when they were made")
  func seen() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("plants").order("name"), changeDetection: "watched")
    screen.press("P l")
    Self.edit(&screen, to: "251")
    Self.edit(&screen, to: "252")
    screen.press("h down d d")
    // Another client changes it meanwhile; the value seen before stays the base.
    let kept = screen.stagedTransactions
    #expect(kept.count == 3 && kept.allSatisfy { !$0.seen.isEmpty })
    screen.press("P s")
    let sent = try #require(screen.transactions.last)
    #expect(sent.seen[0] == .integer(250) && sent.seen[1] == .integer(250))
    guard case .object(let iris)? = sent.seen[2] else {
      Issue.record("the deletion tells nothing of what was seen")
      return
    }
    #expect(iris["height"] == .integer(80) && iris["name"] == "Iris")
  }

  @Test(
    "nothing is sent before it is confirmed, and then everything in one transaction",
    arguments: [false, true])
  func send(isPartial: Bool) throws {
    var screen = try Self.screen(isPartial: isPartial)
    screen.press("P l")
    #expect(screen.notice == .stagingOn || screen.row(0).contains("±0"))
    Self.edit(&screen, to: "251")
    screen.press("down")
    Self.edit(&screen, to: "81")
    #expect(screen.transactions.isEmpty)
    #expect(screen.row(0).contains("±2 staged"))
    // The rows show what they will be, each with a sign.
    #expect(screen.line(with: "Fig ")?.contains("251") == true)
    #expect(screen.text.contains("│±Fig") && screen.text.contains("│±Iris"))
    screen.press("P")
    #expect(screen.text.contains("2 changes staged"))
    screen.press("s")
    #expect(screen.transactions.count == 1)
    #expect(screen.transactions.first?.steps.count == 2)
    #expect(
      screen.notice == .done("2 changes sent", hints: [.key(.undoTransaction, "undo them all")]))
    #expect(!screen.row(0).contains(" staged"))
    #expect(screen.line(with: "Iris ")?.contains("81") == true)
  }

  @Test("staged changes are listed as old and new, and undone one by one")
  func look() throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "251")
    Self.edit(&screen, to: "252")
    screen.press("P c")
    #expect(screen.text.contains("Staged and queued changes"))
    #expect(screen.text.contains("height  250 → 251") && screen.text.contains("251 → 252"))
    screen.press("U")
    #expect(screen.notice == .unstaged("height updated"))
    #expect(!screen.text.contains("251 → 252"))
    screen.press("escape C")
    #expect(screen.text.contains("Staged and queued changes"))
    screen.press("escape U")
    #expect(screen.line(with: "Fig ")?.contains("250") == true)
    #expect(!screen.text.contains("±Fig"))
    #expect(screen.transactions.isEmpty)
    screen.press("P")
    Self.edit(&screen, to: "253")
    #expect(screen.transactions.count == 1)
  }

  @Test("staged changes of a namespace that is not shown are listed with their old and new values")
  func elsewhere() throws {
    var screen = try Self.screen(isPartial: true)
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.press("1 up enter")
    #expect(screen.text.contains("Fallow"), "\(screen.text)")
    screen.press("C")
    let line = try #require(screen.line(with: "height  250 → 251"), "\(screen.text)")
    #expect(line.contains("~ plants") && line.contains("Fig"))
  }

  @Test("staged changes of an earlier session are listed, although their rows are not loaded")
  func elsewhereRestored() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("beds").order("name"), isPartial: true)
    let store = screen.store
    let height = try #require(store.schema.attribute("plants", "height"))
    let fig = try #require(
      store.rows(of: "plants").handles.first { store.value($0, height.id) == .integer(250) })
    var transaction = Transaction([
      .addTriple(.id(store.id(of: fig)), height.id, .integer(251), .update)
    ])
    transaction.seen[0] = .integer(250)
    screen.restore([transaction])
    screen.press("C")
    let line = try #require(screen.line(with: "height  250 → 251"), "\(screen.text)")
    #expect(line.contains("~ plants  Fig "), "\(line)")
    // The label stays known when the list is opened again.
    screen.isSlow = true
    screen.press("escape C")
    #expect(screen.line(with: "height  250 → 251")?.contains("Fig") == true, "\(screen.text)")
  }

  @Test("a staged label names its row before the row is loaded")
  func elsewhereLabeled() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("beds").order("name"), isPartial: true)
    let store = screen.store
    let name = try #require(store.schema.attribute("plants", "name"))
    let bed = try #require(store.schema.link("plants", "bed"))
    let plants = store.rows(of: "plants").handles
    let fig = try #require(plants.first { store.value($0, name.id) == "Fig" })
    let pond = try #require(
      store.rows(of: "beds").handles.first { store.targets(fig, bed).first != $0 })
    let (id, target) = (store.id(of: fig), store.id(of: pond))
    screen.restore([
      Transaction([.addTriple(.id(id), name.id, "Figue", .update)]),
      Transaction([.addTriple(.id(id), bed.attribute.id, .text(target.text), .update)]),
    ])
    screen.isSlow = true
    screen.press("C")
    let line = try #require(screen.line(with: "→ Figue"), "\(screen.text)")
    #expect(line.contains("~ plants  Figue "), "\(line)")
    #expect(screen.line(with: "→ plants")?.contains("  Figue ") == true, "\(screen.text)")
    #expect(!screen.text.contains(id.text), "\(screen.text)")
  }

  @Test("a change on its way names its namespace, although its row is not loaded")
  func elsewhereSending() throws {
    var screen = try Self.screen(isPartial: true)
    screen.isSlowToWrite = true
    screen.press("l")
    Self.edit(&screen, to: "251")
    screen.press("1 up enter C v v v")
    let line = try #require(screen.line(with: "not confirmed yet"), "\(screen.text)")
    #expect(line.contains("~ plants"))
  }

  @Test("a deletion of several rows is one change in the header and in the list")
  func counts() throws {
    var screen = try Self.screen()
    screen.press("P space space d d C")
    #expect(screen.row(0).contains("±1 staged"))
    #expect(screen.text.contains(" 1 change ─"), "\(screen.text)")
  }

  @Test("a screen reader announces staged changes in the future tense")
  func future() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("plants").order("name"), isScreenReader: true)
    screen.press("P d d C")
    #expect(screen.text.contains("Fig will be removed from plants"), "\(screen.text)")
    #expect(!screen.text.contains("was removed"))
  }

  @Test("a row staged for deletion stays visible with a mark and cannot be edited")
  func delete() throws {
    var screen = try Self.screen()
    screen.press("P d d")
    #expect(screen.text.contains("│-Fig"))
    #expect(screen.transactions.isEmpty)
    screen.press("up l e")
    #expect(screen.notice == .stagedForDeletion)
    screen.press("P t")
    #expect(!screen.text.contains("-Fig"))
    #expect(screen.notice == .discarded(1, isSending: false))
  }

  @Test("a row can be added while the cursor is on a row staged for deletion")
  func addAtDeleted() throws {
    var screen = try Self.screen()
    screen.press("P d d up l a")
    #expect(screen.text.contains("New row in plants"), "\(screen.text)")
  }

  @Test("staged changes overlay later data in every view and tab")
  func live() throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "251")
    let store = screen.store
    let mint = try #require(
      store.rows(of: "plants").handles.first {
        store.value($0, store.schema.attribute("plants", "name")!.id) == "Mint"
      })
    let height = try #require(store.schema.attribute("plants", "height"))
    try screen.transact([.addTriple(.id(store.id(of: mint)), height.id, .integer(41))])
    #expect(screen.line(with: "Fig ")?.contains("251") == true)
    #expect(screen.line(with: "Mint ")?.contains(" 41") == true)
    screen.press("v")
    #expect(screen.text.contains("251") && screen.text.contains("│±Fig"))
    screen.press("v v t")
    #expect(screen.line(with: "±Fig ")?.contains("251") == true)
    screen.press("l s ,")
    #expect(screen.line(with: "±Fig ")?.contains("251") == true)
    screen.press("enter")
    #expect(screen.text.contains("± staged · plants"))
  }

  @Test("a rejected batch stays staged, with the reason")
  func refused() throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.refusal = "The garden is closed"
    screen.press("P s")
    #expect(screen.row(21).contains("The staged changes were not stored: The garden is closed"))
    #expect(screen.row(0).contains("±1 staged"))
    screen.refusal = nil
    screen.press("P s")
    #expect(screen.transactions.count == 1)
    #expect(!screen.row(0).contains(" staged"))
  }

  @Test("a change made while others are being sent is staged separately")
  func changedMeanwhile() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("plants").order("name"))
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.isSlowToWrite = true
    screen.press("P s down")
    Self.edit(&screen, to: "81")
    screen.carryOutAtLast()
    #expect(screen.transactions.map(\.steps.count) == [1])
    #expect(screen.row(0).contains("±1 staged"))
    #expect(screen.line(with: "│±Iris ")?.contains("81") == true)
    #expect(screen.notice?.text == "1 change sent.")
    #expect(screen.stagedTransactions.count == 1)
    screen.press("P s")
    #expect(screen.transactions.map(\.steps.count) == [1, 1])
    #expect(!screen.row(0).contains(" staged"))
    #expect(screen.stagedTransactions.isEmpty)
  }

  @Test("changes being sent are neither sent again nor discarded")
  func onItsWay() throws {
    var screen = try Self.screen()
    screen.press("l")
    Self.edit(&screen, to: "300")
    screen.press("P")
    Self.edit(&screen, to: "251")
    screen.isSlowToWrite = true
    screen.press("P s P")
    #expect(screen.notice == .sending("1 change being sent"), "\(screen.text)")
    // An earlier change is not undone instead.
    screen.press("U")
    #expect(screen.notice == .sending("1 change being sent"))
    Self.edit(&screen, to: "252")
    screen.press("P")
    #expect(screen.text.contains("1 change being sent, 1 change staged"))
    #expect(!screen.text.contains("as one transaction"))
    screen.press("t")
    screen.carryOutAtLast()
    #expect(screen.transactions.count == 2)
    #expect(screen.line(with: "Fig ")?.contains("251") == true)
    #expect(!screen.row(0).contains(" staged"))
  }

  @Test("quitting while changes are being sent asks first")
  func quitMeanwhile() throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.isSlowToWrite = true
    screen.press("P s q")
    #expect(screen.text.contains("1 change being sent"))
    #expect(!screen.text.contains("they are lost"))
    screen.press("q")
    #expect(screen.effects.last == .quit(status: 0))
  }

  @Test("quitting asks before changes are lost", arguments: ["q", "ctrl-c"])
  func quit(key: String) throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.press(key)
    #expect(screen.text.contains("1 change staged"))
    screen.press("k \(key) q")
    #expect(screen.effects.last == .quit(status: 0))
  }

  @Test("a staged creation is shown with a mark among the rows that match the query")
  func made() throws {
    var screen = try Self.screen()
    screen.press("P a")
    screen.type("Zinnia")
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.row(0).contains("±1 staged"))
    #expect(screen.line(with: "│±Zinnia") != nil, "\(screen.text)")
    #expect(screen.text.contains("Results ─") && screen.text.contains(" of 6"))
    // It stands in its order, and is edited and marked as any other.
    screen.press("G up l")
    Self.edit(&screen, to: "12")
    #expect(screen.line(with: "│±Zinnia")?.contains("12") == true, "\(screen.text)")
    screen.press("space F")
    screen.type("height > 200")
    screen.press("enter")
    #expect(screen.line(with: "│±Zinnia") == nil)
    screen.press("u up v")
    #expect(screen.text.contains("Zinnia"))
    screen.press("v v P t")
    #expect(!screen.text.contains("Zinnia"))
    screen.press("down up G")
    #expect(screen.line(with: "Fig ") != nil)
  }

  @Test("changes of an earlier session are staged again, and reported")
  func restored() throws {
    var screen = try Self.screen()
    screen.isStored = true
    screen.press("P l")
    Self.edit(&screen, to: "251")
    screen.press("down")
    Self.edit(&screen, to: "81")
    let staged = screen.stagedTransactions
    #expect(staged.count == 2)
    screen.press("q")
    #expect(screen.text.contains("they stay staged"))

    var later = try Self.screen()
    later.restore(staged)
    #expect(later.notice == .restoredStaged(2))
    #expect(later.row(0).contains("±2 staged"))
    #expect(later.line(with: "│±Fig")?.contains("251") == true)
    later.press("P s")
    #expect(later.transactions.count == 1 && later.transactions.first?.steps.count == 2)
    #expect(later.stagedTransactions.isEmpty)
  }

  @Test("changes of an earlier session stay staged until a session can send them")
  func restoredReadOnly() throws {
    var screen = try Screen(
      columns: 119, rows: 22, readOnlyReason: "Opened read-only: --write changes that")
    screen.handle(.changes(.keptForWriter(count: 1), ChangesState()))
    #expect(screen.row(21).contains("1 change staged, but not sent: Opened read-only"))
    #expect(!screen.row(0).contains(" staged"))
  }

  @Test("staged changes that cannot be read are reported")
  func unreadable() throws {
    var screen = try Screen(columns: 119, rows: 22)
    screen.restore([Transaction()], unreadable: 2)
    #expect(screen.notice == .unreadableStaged(2))
    #expect(screen.row(0).contains("±1 staged"))
  }

  @Test("changes waiting for a server's confirmation are listed, too")
  func unconfirmed() throws {
    var screen = try Self.screen()
    let store = screen.store
    let fig = try #require(store.rows(of: "plants").handles.first)
    screen.show(
      StoreSnapshot(
        store, freshness: .optimistic,
        pending: PendingChanges(count: 1, entities: [store.id(of: fig)])))
    screen.press("C v v v")
    #expect(screen.line(with: "not confirmed yet")?.contains("Fig") == true)
    screen.press("enter")
    #expect(screen.text.contains("─ [5] Fig ─"))
  }

  @Test("a change that violates the schema is rejected immediately")
  func schema() throws {
    var screen = try Self.screen()
    screen.press("P l")
    Self.edit(&screen, to: "tall")
    #expect(screen.text.contains("must be a number"))
    #expect(screen.row(0).contains("±0"))
  }
}
