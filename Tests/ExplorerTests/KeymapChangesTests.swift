import Explorer
import Testing
import TerminalUI

@Suite("Other keys")
struct KeymapChangesTests {
  @Test("an intent gets the keys that are wanted, and loses those it had")
  func changed() {
    let keymap = Keymap.standard.changed([.quit: [Key("ctrl-x")]])
    #expect(keymap.intent(for: Key("ctrl-x"), in: .results) == .quit)
    #expect(keymap.intent(for: Key("q"), in: .results) == nil)
    #expect(keymap.keys(for: .quit, in: .schema) == [Key("ctrl-x")])
  }

  @Test("a key that is given away is taken from what it did in the same panes")
  func taken() {
    let keymap = Keymap.standard.changed([.help: [Key("s")]])
    #expect(keymap.intent(for: Key("s"), in: .results) == .help)
    #expect(keymap.keys(for: .order, in: .results).isEmpty)
    let local = Keymap.standard.changed([.order: [Key("q")]])
    #expect(local.intent(for: Key("q"), in: .results) == .order)
  }

  @Test("no keys take an intent off the keyboard")
  func none() {
    #expect(Keymap.standard.changed([.suspend: []]).intent(for: Key("ctrl-z"), in: .query) == nil)
  }

  @Test("no changes are none, and names are read as they are written")
  func names() {
    #expect(Keymap.standard.changed([:]).rows == Keymap.standard.rows)
    for intent in Intent.allCases { #expect(Intent(named: intent.name) == intent) }
    #expect(Intent.pageDown.name == "page-down")
  }
}
