import Explorer
import Testing
import TerminalUI

@Suite("Customized keys")
struct KeymapChangesTests {
  @Test("an intent gets its configured keys instead of the default ones")
  func changed() {
    let keymap = Keymap.standard.changed([.quit: [Key("ctrl-x")]])
    #expect(keymap.intent(for: Key("ctrl-x"), in: .results) == .quit)
    #expect(keymap.intent(for: Key("q"), in: .results) == nil)
    #expect(keymap.keys(for: .quit, in: .schema) == [Key("ctrl-x")])
  }

  @Test("a reassigned key is removed from its other intents in the same panes")
  func taken() {
    let keymap = Keymap.standard.changed([.help: [Key("s")]])
    #expect(keymap.intent(for: Key("s"), in: .results) == .help)
    #expect(keymap.keys(for: .order, in: .results).isEmpty)
    let local = Keymap.standard.changed([.order: [Key("q")]])
    #expect(local.intent(for: Key("q"), in: .results) == .order)
  }

  @Test("an empty list unbinds an intent")
  func none() {
    #expect(Keymap.standard.changed([.suspend: []]).intent(for: Key("ctrl-z"), in: .query) == nil)
  }

  @Test("without changes the keymap stays the same, and names round-trip")
  func names() {
    #expect(Keymap.standard.changed([:]).rows == Keymap.standard.rows)
    for intent in Intent.allCases { #expect(Intent(named: intent.name) == intent) }
    #expect(Intent.pageDown.name == "page-down")
  }
}
