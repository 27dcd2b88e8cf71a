import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("A change that another program blocks")
struct BlockedTests {
  private static let reason = "garden.sqlite is locked by another program"

  /// With another height of Fig on its way to a store that is locked.
  private static func waiting(_ query: QueryPlan = QueryPlan("plants")) throws -> Screen {
    var screen = try Screen(columns: 110, rows: 20, query: query)
    screen.isSlowToWrite = true
    screen.press("l e ctrl-u")
    screen.type("777")
    screen.press("enter")
    screen.block(reason)
    return screen
  }

  @Test("is shown with its mark, counted in the header, and has a key to cancel it")
  func shown() throws {
    var screen = try Self.waiting()
    #expect(screen.line(with: "Fig")?.contains("↑") == true)
    #expect(screen.line(with: "Fig")?.contains(" 777 ") == true)
    #expect(screen.row(0).contains("↑1 pending"))
    let line = "\(Self.reason): 1 change blocked  ctrl-c cancel it"
    #expect(screen.line(with: line) != nil)
    screen.press("j")
    #expect(screen.line(with: line) != nil)
    screen.press("k e")
    #expect(screen.text.contains("Edit height"))
    #expect(screen.line(with: "Fig")?.contains(" 777") == true)
  }

  @Test("is shown as stored once the store has it, without a mark")
  func made() throws {
    var screen = try Self.waiting()
    screen.carryOutAtLast()
    screen.block(nil)
    #expect(screen.line(with: "Fig")?.contains(" 777 ") == true)
    #expect(screen.line(with: "Fig")?.contains("↑") == false)
    #expect(!screen.row(0).contains("pending"))
    #expect(!screen.text.contains(Self.reason))
    #expect(screen.notice?.text == "height updated.")
  }

  @Test("keeps its new value until the store's rows contain it")
  func between() throws {
    var screen = try Self.waiting()
    screen.block(nil)
    #expect(screen.line(with: "Fig")?.contains(" 777 ") == true)
    #expect(!screen.text.contains(Self.reason))
  }

  @Test("is removed when it is rejected, with a key that reopens the edit")
  func refused() throws {
    var screen = try Self.waiting()
    screen.block(nil)
    screen.refuseFirst(because: "\(Self.reason): nothing was written")
    #expect(screen.line(with: "Fig")?.contains(" 250 ") == true)
    #expect(screen.line(with: "Fig")?.contains("↑") == false)
    #expect(screen.text.contains("e edit again"))
  }

  @Test("is canceled by the key that cancels, which does not end the program then")
  func canceled() throws {
    var screen = try Self.waiting()
    screen.press("ctrl-c")
    #expect(screen.effects.last == .change(.cancelSending))
    screen.refuseFirst(because: "Canceled: nothing was changed")
    screen.block(nil)
    #expect(screen.line(with: "Fig")?.contains(" 250 ") == true)
    screen.press("ctrl-c")
    #expect(screen.effects.last == .quit(status: 130))
  }

  @Test("that deletes a row marks it, and the row stays visible")
  func deleting() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.isSlowToWrite = true
    screen.press("d d")
    screen.block(Self.reason)
    #expect(screen.line(with: "Fig")?.contains("-") == true)
    #expect(screen.row(0).contains("↑1 pending"))
  }

  @Test("names the key that cancels it, even on a narrow screen")
  func narrow() throws {
    var screen = try Self.waiting()
    screen.handle(.terminal(.resize(Size(columns: 40, rows: 10))))
    #expect(screen.row(8).contains("1 change blocked  ctrl-c cancel it"), "\(screen.text)")
  }

  @Test("that was staged before is staged again when it is canceled, with the key that sends it")
  func staged() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("P l e ctrl-u")
    screen.type("777")
    screen.press("enter")
    screen.isSlowToWrite = true
    screen.press("P s")
    screen.block(Self.reason)
    #expect(screen.line(with: "Fig")?.contains("↑") == true)
    screen.refuseFirst(because: "Canceled: nothing was changed")
    screen.block(nil)
    #expect(screen.line(with: "Fig")?.contains("±") == true)
    #expect(screen.text.contains("P send again or discard"))
  }
}
