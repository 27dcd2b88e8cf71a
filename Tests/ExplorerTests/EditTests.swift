import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Editing")
struct EditTests {
  /// Returns a screen on which another height of the fig is typed but not applied.
  private static func typing(_ height: String) throws -> Screen {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l e ctrl-u")
    screen.type(height)
    return screen
  }

  @Test("an invalid value is rejected, a valid one accepted and undone")
  func editing() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l e ctrl-u")
    screen.type("tall")
    try expectScreen(screen.text, named: "edit-refused")
    screen.press("enter")
    #expect(screen.text.contains("height must be a number"))
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

  @Test("a duplicate value of a unique attribute is not sent")
  func unique() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l l l l l e ctrl-u")
    screen.type("mint")
    screen.press("enter")
    #expect(screen.text.contains("Edit key"))
    #expect(screen.transactions.isEmpty)
  }

  @Test("a deletion is confirmed in a preview and can be undone")
  func deleting() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("d")
    expectBlock(
      """
      ╭─ Delete Fig? Removes 1 row from plants, and 1 link ─╮
      │ n  keep it                                          │
      │ d  delete   can be undone                           │
      ╰─────────────────────────────────────────────────────╯
      """, in: screen.text)
    #expect(screen.row(19) == " enter choose  ? help  escape close")
    screen.press("enter")
    #expect(screen.text.contains(" Fig "))
    for answer in ["d", "y"] {
      var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
      screen.press("d " + answer)
      #expect(screen.line(with: "Fig   ") == nil)
      screen.press("U")
      #expect(screen.text.contains(" Fig "))
    }
  }

  /// Returns the plant of this name.
  private static func plant(_ name: String, in screen: Screen) throws -> EntityID {
    let label = try #require(screen.store.schema.attribute("plants", "name"))
    return screen.store.id(
      of: try #require(
        screen.store.rows(of: "plants").handles.first {
          screen.store.value($0, label.id) == .text(name)
        }))
  }

  @Test("the cursor goes to the row that an undo restores")
  func restored() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("4 0")
    let mint = try Self.plant("Mint", in: screen)
    var staged = StagedChanges()
    let undo = Transaction([.deleteEntity(.id(mint), namespace: "plants")])
    _ = staged.perform(.make(Transaction(), Submission(summary: "Deleted Mint")))
    _ = staged.end(1, .made(undo: undo, at: 2))
    _ = staged.perform(.undo)
    let ended = staged.end(
      1, .made(undo: nil, at: 3, created: [CreatedEntity(mint, in: "plants")]))
    guard case .report(let report)? = ended.first else {
      Issue.record("no report")
      return
    }
    screen.handle(.changes(report, ChangesState(staged, version: 99, isStored: false)))
    screen.press("y y")
    #expect(screen.effects.last == .copy("Mint"), "\(screen.text)")
  }

  @Test("an edit of an entity deleted meanwhile does not recreate it")
  func deletedMeanwhile() throws {
    var screen = try Self.typing("251")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("no longer exists"))
    // The typed text stays, so that the user can copy it.
    #expect(screen.text.contains("251"))
  }

  @Test("a target deleted meanwhile is not linked")
  func linkedMeanwhile() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("$ e")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.row(19).contains("no longer exists"))
  }

  @Test("a deleted entity that is still shown cannot be edited")
  func editedAfterDeletion() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("enter down down")
    let fig = try Self.plant("Fig", in: screen)
    try screen.transact([.deleteEntity(.id(fig), namespace: "plants")])
    screen.press("e")
    #expect(screen.row(19).contains("no longer exists"), "\(screen.text)")
  }

  @Test("edits require existing entities, except creations")
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

  @Test("editing a null starts empty, and an empty line has no effect")
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

  @Test("a concurrent change is reported before overwriting")
  func changedMeanwhile() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    let fig = try Self.plant("Fig", in: screen)
    let height = try #require(screen.store.schema.attribute("plants", "height")).id
    screen.press("l e ctrl-u")
    screen.type("251")
    try screen.transact([.addTriple(.id(fig), height, 999)])
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("Someone else changed this value to 999"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.store.value(try #require(screen.store.handle(of: fig)), height) == 251)
  }

  @Test("a value that is typed in another form is not sent")
  func equalValue() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l e ctrl-u")
    screen.type("250.0")
    screen.press("enter")
    #expect(screen.notice == .unchanged("height"), "\(screen.text)")
    #expect(screen.transactions.isEmpty)
  }

  @Test("an invalid date is rejected", arguments: ["31.12.2025", "2023-02-29"])
  func noSuchDay(_ text: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l l l e ctrl-u")
    screen.type(text)
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("sown must be a date such as 2025-01-31"), "\(screen.text)")
  }

  @Test(
    "a part of a date is rejected with the same hint as in a filter",
    arguments: [
      ("2026", "2026-01-01"), ("2026-11", "2026-11-01"), ("2026/2 ", "2026-02-01"),
      ("2026-13", "2026-01-01"),
    ])
  func partialDate(_ text: String, date: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l l l e ctrl-u")
    screen.type(text)
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    let words = "sown must be a date. Write a whole date, such as \(date)."
    #expect(screen.text.contains(words), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("2026-11-1")
    screen.press("enter")
    #expect(screen.transactions.count == 1, "\(screen.text)")
  }

  @Test("a cleared line does not become an empty text, which is typed in quotes")
  func emptyText() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    let fig = try Self.plant("Fig", in: screen)
    let name = try #require(screen.store.schema.attribute("plants", "name")).id
    screen.press("0 e ctrl-u enter")
    #expect(screen.transactions.isEmpty)
    let words = #"name must be a text, "" for an empty text, or null"#
    #expect(screen.text.contains(words), "\(screen.text)")
    screen.type("\"\"")
    screen.press("enter")
    #expect(screen.store.value(try #require(screen.store.handle(of: fig)), name) == "")
    screen.press("space down space M s")
    screen.type("x")
    screen.press("backspace enter")
    #expect(screen.notice == .unchanged("name"), "\(screen.text)")
    #expect(screen.transactions.count == 1)
  }

  @Test("a rejected undo can be retried")
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

  @Test("a link is set by choosing its target")
  func linking() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("$ e")
    screen.type("fal")
    expectBlock(
      """
      ╭─ Target of “bed” ──── 1 match in beds ─╮
      │ fal                                    │
      │ Fallow                                 │
      ╰────────────────────────────────────────╯
      """, in: screen.text)
    screen.press("enter")
    #expect(try #require(screen.line(with: "Fig")).contains("Fallow →"))
    screen.press("d 1")
    #expect(!(try #require(screen.line(with: "Fig")).contains("→")))
  }

  @Test("targets that begin with the typed text come first, then those with a word that does")
  func bestTargets() throws {
    let beds = ["Fushun", "Port Ushuaia", "Ushuaia"].enumerated().map { place, name in
      #"{"id": "00000000-0000-4000-8000-00000000000\#(place)", "key": "k\#(place)", "#
        + #""name": "\#(name)"}"#
    }
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(Garden.schema.utf8)),
      (name: "beds.json", bytes: Array("[\(beds.joined(separator: ","))]".utf8)),
      (name: "plants.json", bytes: Array(#"[{"key": "fig", "name": "Fig"}]"#.utf8)),
    ])
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), store: store)
    screen.press("$ e")
    screen.type("USHU")
    expectBlock(
      """
      │ USHU                                   │
      │ Ushuaia                                │
      │ Port Ushuaia                           │
      │ Fushun                                 │
      ╰────────────────────────────────────────╯
      """, in: screen.text)
    screen.press("enter")
    let line = try #require(screen.line(with: "Fig "))
    #expect(line.contains("Ushuaia →") && !line.contains("Port"), "\(line)")
  }

  @Test("a to-many link can be added from its other end")
  func linkingMany() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("$ a")
    screen.type("odd")
    screen.press("enter")
    #expect(screen.text.contains("⇉ 3"))
  }

  @Test("a new entity is created by its name")
  func creating() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("a")
    screen.type("Herbs")
    screen.press("enter")
    #expect(screen.text.contains("Herbs"))
    #expect(screen.text.contains("row 4 of 4"))
  }

  @Test("an entity can be edited in its record")
  func inEntity() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter e end")
    screen.type("s")
    screen.press("enter")
    #expect(screen.text.contains("─ [5] Figs ─"))
  }

  @Test("a rejection is reported")
  func refused() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.reject("This store is read-only")
    #expect(screen.row(23).contains("read-only"))
    // Changes of other clients do not close it.
    try screen.change(to: Garden.store(plants: "[]"))
    #expect(screen.row(23).contains("read-only"))
  }

  @Test("a late rejection captures no keys, and e reopens its line")
  func refusedLate() throws {
    var screen = try Self.typing("251")
    screen.isSlowToWrite = true
    screen.press("enter down")
    screen.refusal = "Heights are measured on Mondays"
    screen.carryOutAtLast()
    let words = "Heights are measured on Mondays  e edit again"
    #expect(screen.row(19).contains(words), "\(screen.text)")
    #expect(!screen.text.contains("Edit height"))
    // The notice stays until the user answers it.
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

  @Test("a rejection is reported even after other keys", arguments: ["d", "U"])
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

  @Test("a rejection stays until a later change is reported")
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

  @Test("the hint to reopen follows the complete reason")
  func refusedInSentences() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.refusal = "A rule is broken (height > 0): nothing was written."
    screen.press("l e ctrl-u")
    screen.type("-1")
    screen.press("enter")
    #expect(screen.row(19).contains("nothing was written.  e edit again"))
  }

  @Test("a rejected value is offered again in its cell")
  func refusedAndLeft() throws {
    var screen = try Self.typing("251")
    screen.refusal = "Not today"
    screen.press("enter escape")
    #expect(!screen.text.contains("Not today"))
    // The editor of another cell starts with that cell's value.
    screen.press("down e")
    #expect(screen.text.contains("Edit height") && !screen.text.contains("251"))
    screen.press("escape up e")
    #expect(screen.text.contains("251") && screen.text.contains("Not today"))
    screen.press("escape e")
    #expect(!screen.text.contains("251") && !screen.text.contains("Not today"))
  }

  @Test("a rejection does not disturb another typed line")
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
    "numbers and dates are parsed by the attribute's type",
    arguments: [
      ("l", "tall", "height must be a number or null"), ("l l l", "", "sown must be a date"),
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
  @Test("every command is found by a few letters and run by enter")
  func palette() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type("colum")
    try expectScreen(screen.text, named: "palette")
    screen.press("escape ctrl-p")
    screen.type("include")
    screen.press("enter")
    #expect(screen.text.contains("Relations of plants"))
  }

  @Test(
    "commands are also found by their names in the configuration",
    arguments: [Command.facets, .subscriptions, .paneSchema, .paneEntity, .callServer])
  func names(_ command: Command) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type(command.name)
    #expect(screen.text.contains(command.help.prefix { $0 != "," && $0 != ";" }), "\(screen.text)")
  }

  @Test("commands run in the pane below the palette")
  func above() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("enter :")
    screen.type("copy")
    screen.press("enter")
    #expect(screen.text.contains("row as JSON"))
    #expect(!screen.text.contains("column “"))
    screen.press("escape")
    #expect(screen.row(23).contains("copy"))
  }

  @Test("a search without a match is reported")
  func nothingFound() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press(":")
    screen.type("zzzz")
    let words = "No match."
    #expect(screen.line(with: words)?.contains("│") == true)
    screen.press("enter")
    #expect(screen.row(23).contains(words))
  }

  @Test("every key of the keymap has an effect in its panes")
  func everyKey() throws {
    for focus in PaneTraits.allCases {
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
  /// Whether the row applies in all panes.
  fileprivate var isGeneral: Bool { focus == nil }
}
