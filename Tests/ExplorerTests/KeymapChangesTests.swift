import Explorer
import Testing
import TerminalUI

@Suite("Customized keys")
struct KeymapChangesTests {
  @Test("a command gets its configured keys instead of the default ones")
  func changed() {
    let keymap = Keymap.standard.changed([.quit: [Key("ctrl-x")]])
    #expect(keymap.command(for: Key("ctrl-x"), in: .results) == .quit)
    #expect(keymap.command(for: Key("q"), in: .results) == nil)
    #expect(keymap.keys(for: .quit, in: .schema) == [Key("ctrl-x")])
  }

  @Test("a reassigned key is removed from its other commands in the same panes")
  func taken() {
    let keymap = Keymap.standard.changed([.help: [Key("s")]])
    #expect(keymap.command(for: Key("s"), in: .results) == .help)
    #expect(keymap.keys(for: .order, in: .results).isEmpty)
    let local = Keymap.standard.changed([.order: [Key("q")]])
    #expect(local.command(for: Key("q"), in: .results) == .order)
  }

  @Test("an empty list unbinds a command")
  func none() {
    #expect(Keymap.standard.changed([.suspend: []]).command(for: Key("ctrl-z"), in: .query) == nil)
  }

  @Test("without changes the keymap stays the same, and names round-trip")
  func names() {
    #expect(Keymap.standard.changed([:]).rows == Keymap.standard.rows)
    for command in Command.allCases { #expect(Command(named: command.name) == command) }
    #expect(Command.pageDown.name == "page-down")
  }
}
