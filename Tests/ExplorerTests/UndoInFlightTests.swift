import Explorer
import InstaQL
import Testing
import Triples

@Suite("Undo of changes that are being sent")
struct UndoInFlightTests {
  /// With the cursor on the height of the fig.
  private static func screen() throws -> Screen {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l")
    return screen
  }

  private func type(_ height: String, in screen: inout Screen) {
    screen.press("e ctrl-u")
    screen.type(height)
    screen.press("enter")
  }

  @Test("the newest change is undone as soon as the store has it")
  func newest() throws {
    var screen = try Self.screen()
    type("251", in: &screen)
    screen.isSlowToWrite = true
    screen.press("j")
    type("81", in: &screen)
    screen.press("U")
    #expect(screen.notice == .undoQueued("height updated"))
    #expect(screen.transactions.count == 1)
    screen.carryOutAtLast()
    // The older one stays.
    #expect(screen.text.contains(" 251 "))
    #expect(screen.text.contains(" 80 "))
    screen.press("U")
    #expect(screen.text.contains(" 250 "))
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("several changes are undone, the newest first, and later ones stay")
  func several() throws {
    var screen = try Self.screen()
    screen.isSlowToWrite = true
    type("251", in: &screen)
    screen.press("j")
    type("81", in: &screen)
    screen.press("U U j")
    type("41", in: &screen)
    screen.carryOutAtLast()
    for height in [" 250 ", " 80 ", " 41 "] { #expect(screen.text.contains(height)) }
  }

  @Test("the newest change of a value is undone first, although the store has the older one")
  func oneValue() throws {
    var screen = try Self.screen()
    screen.isSlowToWrite = true
    for height in ["251", "252", "253"] { type(height, in: &screen) }
    screen.press("U U U")
    screen.carryOutAtLast()
    #expect(screen.text.contains(" 250 "))
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("earlier changes are undone after those that are being sent")
  func madeBefore() throws {
    var screen = try Self.screen()
    for height in ["251", "252"] { type(height, in: &screen) }
    screen.isSlowToWrite = true
    for height in ["253", "254"] { type(height, in: &screen) }
    screen.press("U U U U")
    screen.carryOutAtLast()
    #expect(screen.text.contains(" 250 "))
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("a rejected change needs no undo")
  func refused() throws {
    var screen = try Self.screen()
    type("251", in: &screen)
    screen.isSlowToWrite = true
    type("252", in: &screen)
    screen.press("U")
    screen.refusal = "not today"
    screen.carryOutAtLast()
    screen.refusal = nil
    #expect(screen.text.contains("not today"))
    #expect(screen.text.contains(" 251 "))
    screen.press("esc U")
    #expect(screen.text.contains(" 250 "))
  }

  @Test("a failed undo is tried again or skipped")
  func left() throws {
    var screen = try Self.screen()
    for height in ["251", "252"] { type(height, in: &screen) }
    screen.refusal = "the row was changed"
    screen.press("U")
    #expect(screen.row(19).contains("the row was changed  U try again or skip …"))
    screen.press("U")
    #expect(screen.text.contains("Not undone: the row was changed"))
    #expect(screen.text.contains("and decide later"))
    let count = screen.transactions.count
    screen.press("s")
    #expect(screen.transactions.count == count && !screen.text.contains("and decide later"))
    screen.press("U t")
    #expect(screen.row(19).contains("the row was changed  U try again or skip …"))
    screen.refusal = nil
    screen.press("U l")
    #expect(screen.text.contains(" 250 "))
    #expect(screen.notice == .done("Undone", hints: [.key(.changes)]))
    screen.press("U")
    #expect(screen.notice == .nothingToUndo)
  }

  @Test("a skipped undo leaves the list once it succeeds")
  func again() throws {
    var screen = try Self.screen()
    for height in ["251", "252"] { type(height, in: &screen) }
    screen.refusal = "not today"
    screen.press("U")
    screen.refusal = nil
    screen.press("U t")
    #expect(screen.text.contains(" 251 "))
    #expect(
      screen.notice == .done("Undone", hints: [.key(.undoTransaction, "undo the change before")]))
    screen.press("U")
    #expect(screen.text.contains(" 250 "))
  }

  @Test("a name with a colon is shown completely")
  func colon() throws {
    let plants = #"[{"key": "a", "name": "Mint: a herb", "bed": "pond"}]"#
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), store: try Garden.store(plants: plants))
    screen.isSlowToWrite = true
    screen.press("d d U")
    #expect(screen.notice == .undoQueued("Deleted Mint: a herb"))
    screen.carryOutAtLast()
    screen.press("P d d U")
    #expect(screen.notice == .unstaged("Deleted Mint: a herb"))
    screen.press("P p d d")
    #expect(screen.notice == .doneWhilePaused("Deleted Mint: a herb"))
  }

  @Test("a change rejected after its undo cannot be reopened")
  func refusedUnwanted() throws {
    var screen = try Self.screen()
    screen.isSlowToWrite = true
    type("251", in: &screen)
    screen.press("U")
    screen.refusal = "not today"
    screen.carryOutAtLast()
    #expect(screen.row(19).contains("not today") && !screen.row(19).contains("edit again"))
  }

  @Test("a row is marked while its change is being sent")
  func mark() throws {
    var screen = try Self.screen()
    screen.isSlowToWrite = true
    type("251", in: &screen)
    #expect(try #require(screen.line(with: "Fig ")).contains("↑"))
    screen.carryOutAtLast()
    #expect(try !#require(screen.line(with: "Fig ")).contains("↑"))
  }

  @Test("while paused, a notice says how to see one's own change")
  func paused() throws {
    var screen = try Self.screen()
    screen.press("p")
    type("251", in: &screen)
    #expect(screen.notice == .doneWhilePaused("height updated"))
  }
}
