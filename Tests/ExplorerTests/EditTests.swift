import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Changing the store")
struct EditTests {
  /// With another height of Fig typed and not applied.
  private static func typing(_ height: String) throws -> Screen {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l e ctrl-u")
    screen.type(height)
    return screen
  }

  @Test("a value is refused by its type with a reason, then accepted, then taken back")
  func editing() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l e ctrl-u")
    screen.type("tall")
    try expectScreen(screen.text, named: "edit-refused")
    screen.press("enter")
    #expect(screen.text.contains("height takes a number"))
    screen.press("ctrl-u")
    screen.type("2_51")
    screen.press("enter")
    #expect(screen.text.contains(" 251 "))
    #expect(screen.notice == .done("height updated", hints: [.key(.undoTransaction, "undo")]))
    screen.press("U")
    #expect(screen.text.contains(" 250 "))
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("a value that another entity has under a unique attribute is not sent")
  func unique() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l l l l l e ctrl-u")
    screen.type("mint")
    screen.press("enter")
    #expect(screen.text.contains("Edit key"))
    #expect(screen.transactions.isEmpty)
  }

  @Test("deleting shows what goes, asks, and can be taken back")
  func deleting() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("d")
    try expectScreen(screen.text, named: "delete")
    screen.press("enter")
    #expect(screen.text.contains(" Fig "))
    screen.press("d d")
    #expect(screen.line(with: "Fig   ") == nil)
    screen.press("U")
    #expect(screen.text.contains(" Fig "))
  }

  /// The entity of a plant by its name.
  private static func plant(_ name: String, in screen: Screen) throws -> EntityID {
    let label = try #require(screen.store.schema.attribute("plants", "name"))
    return screen.store.id(
      of: try #require(
        screen.store.rows(of: "plants").handles.first {
          screen.store.value($0, label.id) == .text(name)
        }))
  }

  @Test("what is typed for something that is deleted meanwhile makes no ghost of it")
  func deletedMeanwhile() throws {
    var screen = try Self.typing("251")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("no longer exists"))
    // What was typed is still there to be copied.
    #expect(screen.text.contains("251"))
  }

  @Test("nothing is linked with what is deleted while its other end is chosen")
  func linkedMeanwhile() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("$ e")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.row(19).contains("no longer exists"))
  }

  @Test("what is deleted is not edited where it is still shown")
  func editedAfterDeletion() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("enter down down")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("e")
    #expect(screen.row(19).contains("no longer exists"), "\(screen.text)")
  }

  @Test("the store is told that what is changed must be there, but for what is made")
  func modes() throws {
    var screen = try Self.typing("251")
    screen.press("enter")
    screen.press("P a")
    screen.type("Zinnia")
    screen.press("enter G e ctrl-u")
    screen.type("12")
    screen.press("enter P s")
    let modes = screen.transactions.map { transaction in
      transaction.steps.map { step in
        if case .addTriple(_, _, _, let mode) = step { mode } else { TransactionMode.create }
      }
    }
    #expect(modes.first == [.update])
    #expect(modes.last.map { Set($0) } == [.upsert])
  }

  @Test("the line of a null is empty, and left so changes nothing")
  func typedOverNull() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    let fig = try Self.plant("Fig", in: screen)
    let note = try #require(screen.store.schema.attribute("plants", "note")).id
    try screen.transact([.addTriple(.id(fig), note, .null)])
    screen.press("l l l l e enter")
    #expect(screen.notice == .unchanged("note"), "\(screen.text)")
    screen.press("e")
    screen.type("Bob")
    screen.press("enter")
    #expect(screen.store.value(try #require(screen.store.handle(of: fig)), note) == "Bob")
  }

  @Test("what another one wrote since the line was opened is told before it is written over")
  func changedMeanwhile() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    let fig = try Self.plant("Fig", in: screen)
    let height = try #require(screen.store.schema.attribute("plants", "height")).id
    screen.press("l e ctrl-u")
    screen.type("251")
    try screen.transact([.addTriple(.id(fig), height, 999)])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("Changed to 999 by someone else"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.store.value(try #require(screen.store.handle(of: fig)), height) == 251)
  }

  @Test("a day that no calendar has is not taken", arguments: ["31.12.2025", "2023-02-29"])
  func noSuchDay(_ text: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l l l e ctrl-u")
    screen.type(text)
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("sown takes a date such as 2025-01-31"), "\(screen.text)")
  }

  @Test("an undoing that the store refuses can be asked for again")
  func undoRefused() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    for height in ["251", "252"] {
      screen.press("l l h e ctrl-u")
      screen.type(height)
      screen.press("enter")
      screen.press("0")
    }
    screen.refusal = "Another program is writing to the file"
    screen.press("U")
    #expect(screen.text.contains("Another program is writing"))
    screen.refusal = nil
    screen.press("U t")
    #expect(try #require(screen.line(with: "Fig ")).contains(" 251 "))
    screen.press("U")
    #expect(try #require(screen.line(with: "Fig ")).contains(" 250 "))
  }

  @Test("a link is made by choosing its target, narrowed by typing")
  func linking() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("$ e")
    screen.type("fal")
    try expectScreen(screen.text, named: "chooser")
    screen.press("enter")
    #expect(try #require(screen.line(with: "Fig")).contains("Fallow →"))
    screen.press("d 1")
    #expect(!(try #require(screen.line(with: "Fig")).contains("→")))
  }

  @Test("a link of many is added to from its other end")
  func linkingMany() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("$ a")
    screen.type("odd")
    screen.press("enter")
    #expect(screen.text.contains("⇉ 3"))
  }

  @Test("a new entity is made by its name")
  func creating() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("a")
    screen.type("Herbs")
    screen.press("enter")
    #expect(screen.text.contains("Herbs"))
    #expect(screen.text.contains("4 · "))
  }

  @Test("an entity is edited where it is shown whole")
  func inEntity() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter down down e")
    screen.type("s")
    screen.press("enter")
    #expect(screen.text.contains("─ [5] Figs ─"))
  }

  @Test("what the store refuses is said")
  func refused() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.handle(.refused("This store is read-only"))
    #expect(screen.row(23).contains("read-only"))
    // What others change meanwhile does not take it away.
    try screen.change(to: Garden.store(plants: "[]"))
    #expect(screen.row(23).contains("read-only"))
  }

  @Test("what is refused late takes no key that is typed meanwhile, and e brings its line back")
  func refusedLate() throws {
    var screen = try Self.typing("251")
    screen.isSlowToWrite = true
    screen.press("enter down")
    screen.refusal = "Heights are measured on Mondays"
    screen.carryOutAtLast()
    let words = "Heights are measured on Mondays  e edit again"
    #expect(screen.row(19).contains(words), "\(screen.text)")
    #expect(!screen.text.contains("Edit height"))
    // It stays until it is answered.
    screen.press("down")
    #expect(screen.row(19).contains(words))
    screen.press("e")
    #expect(screen.text.contains("Edit height of Fig") && screen.text.contains("251"))
    #expect(screen.text.contains("Heights are measured on Mondays"))
    screen.refusal = nil
    screen.press("enter")
    #expect(try #require(screen.line(with: "Fig ")).contains(" 251 "))
    #expect(screen.notice?.text == "height updated.")
  }

  @Test("what is refused when other keys are pressed already is still said", arguments: ["d", "U"])
  func refusedUnseen(way: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    if way == "U" {
      screen.press("l e ctrl-u")
      screen.type("251")
      screen.press("enter")
    }
    screen.isSlowToWrite = true
    screen.press(way == "U" ? "U" : "d d")
    screen.refuseFirst(because: "Nobody weeds today")
    screen.press("down l")
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 6, column: 40))))
    #expect(screen.row(19).contains("Nobody weeds today"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.row(19).contains("Nobody weeds today"), "\(screen.text)")
    screen.press("down")
    #expect(!screen.row(19).contains("Nobody weeds today"), "\(screen.text)")
  }

  @Test("a refusal is not covered by word of what was sent with it, but of what was sent later")
  func refusedAmongOthers() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.isSlowToWrite = true
    for (row, height) in ["251", "81"].enumerated() {
      screen.press("g \(row == 0 ? "" : "down") l e ctrl-u")
      screen.type(height)
      screen.press("enter 0")
    }
    screen.refuseFirst(because: "Fig trees are not measured")
    screen.carryOutAtLast()
    #expect(screen.row(19).contains("Fig trees are not measured"), "\(screen.text)")
    screen.press("down d d")
    #expect(screen.notice?.text == "Deleted Mint.", "\(screen.text)")
  }

  @Test("what brings back what was typed is told after the whole reason")
  func refusedInSentences() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.refusal = "A rule is broken (height > 0): nothing was written."
    screen.press("l e ctrl-u")
    screen.type("-1")
    screen.press("enter")
    #expect(screen.row(19).contains("nothing was written.  e edit again"))
  }

  @Test("what was typed for a change that was refused waits in its cell")
  func refusedAndLeft() throws {
    var screen = try Self.typing("251")
    screen.refusal = "Not today"
    screen.press("enter escape")
    #expect(!screen.text.contains("Not today"))
    // Another cell is edited as it is.
    screen.press("down e")
    #expect(screen.text.contains("Edit height") && !screen.text.contains("251"))
    screen.press("escape up e")
    #expect(screen.text.contains("251") && screen.text.contains("Not today"))
    screen.press("escape e")
    #expect(!screen.text.contains("251") && !screen.text.contains("Not today"))
  }

  @Test("a refusal while another line is typed leaves it alone, and the key it names types there")
  func refusedWhileTyping() throws {
    var screen = try Self.typing("251")
    screen.isSlowToWrite = true
    screen.press("enter F")
    screen.type("name = \"F")
    screen.refusal = "Not today"
    screen.carryOutAtLast()
    screen.type("e\"")
    #expect(screen.row(2).contains("name = \"Fe\""), "\(screen.text)")
    #expect(screen.row(19).contains("Not today"))
  }

  @Test(
    "dates, truths and JSON are read as their attribute asks",
    arguments: [
      ("l l", "maybe", "edible takes true, false or null"), ("l l l", "", "sown takes a date"),
    ])
  func typed(keys: String, text: String, complaint: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press(keys + " e ctrl-e ctrl-u")
    screen.type(text)
    screen.press("enter")
    #expect(screen.text.contains(complaint))
    screen.press("ctrl-u")
    screen.type("null")
    screen.press("enter")
    #expect(screen.transactions.count == 1)
  }
}

@Suite("The palette and the keymap")
struct PaletteTests {
  @Test("everything is found by a few letters, with its key, and done by enter")
  func palette() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type("colum")
    try expectScreen(screen.text, named: "palette")
    screen.press("escape ctrl-p")
    screen.type("nested")
    screen.press("enter")
    #expect(screen.text.contains("Relations of plants"))
  }

  @Test(
    "what is done is found by its name for the settings too",
    arguments: [Intent.facets, .subscriptions, .paneSchema, .paneEntity, .callServer])
  func names(_ intent: Intent) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type(intent.name)
    #expect(screen.text.contains(intent.help.prefix { $0 != "," && $0 != ";" }), "\(screen.text)")
  }

  @Test("what is chosen is done in the pane that the palette was opened above")
  func above() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("enter :")
    screen.type("copy")
    screen.press("enter")
    #expect(screen.text.contains("entity as JSON"))
    #expect(!screen.text.contains("column name"))
    screen.press("escape")
    #expect(screen.row(23).contains("copy"))
  }

  @Test("what is called by no name says so")
  func nothingFound() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press(":")
    screen.type("zzzz")
    let words = "No match."
    #expect(screen.line(with: words)?.contains("│") == true)
    screen.press("enter")
    #expect(screen.row(23).contains(words))
  }

  @Test("every key of the table does something where it counts")
  func everyKey() throws {
    for focus in Focus.allCases {
      for row in Keymap.standard.rows(in: focus) where !row.isGeneral || focus == .results {
        for key in row.keys {
          var screen = try Screen(query: QueryPlan("plants"))
          screen.press(focus.way)
          screen.handle(.terminal(.key(key)))
          #expect(!screen.row(23).contains("does nothing"), "\(key) in \(focus)")
        }
      }
    }
  }
}

extension Keymap.Row {
  /// Whether the row holds everywhere.
  fileprivate var isGeneral: Bool { focus == nil }
}
