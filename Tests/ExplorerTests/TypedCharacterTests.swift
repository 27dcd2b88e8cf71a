import TerminalUI
import Testing
import Widgets

@testable import Explorer

@Suite("Characters that the terminal sends in parts")
struct TypedCharacterTests {
  /// Types the scalars of a text as separate keys.
  private func type(_ text: String, into field: inout TextField) {
    for scalar in text.unicodeScalars { _ = field.press(.character(Character(scalar))) }
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  @Test(
    "parts do not merge with the text after the cursor",
    arguments: [
      ("🇩🇪", 0, "🇫🇷", "🇫🇷x🇩🇪"), ("🇫🇷🇩🇪", 1, "🇪🇸", "🇫🇷🇪🇸x🇩🇪"),
      ("👧", 0, "👩\u{200D}👦", "👩\u{200D}👦x👧"), ("👍", 0, "1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}x👍"),
      ("a👧b", 1, "👍🏽", "a👍🏽x👧b"),
    ])
  func inserted(_ text: String, _ cursor: Int, _ typed: String, _ expected: String) {
    var field = TextField(text)
    field.moveCursor(to: cursor)
    type(typed + "x", into: &field)
    #expect(scalars(field.text) == scalars(expected))
  }

  @Test("backspace removes only the part that was typed, and then a whole character")
  func removed() {
    var field = TextField("a🇩🇪")
    field.moveCursor(to: 1)
    type("🇫", into: &field)
    _ = field.press(.backspace)
    #expect(scalars(field.text) == scalars("a🇩🇪"))
    #expect(field.cursor == 1)
    type("👩\u{200D}👦", into: &field)
    _ = field.press(.backspace)
    #expect(scalars(field.text) == scalars("a🇩🇪"))
    #expect(field.cursor == 1)
  }

  @Test("a cursor that moves ends the character")
  func moved() {
    var field = TextField("🇩🇪")
    field.moveCursor(to: 0)
    type("🇫", into: &field)
    _ = field.press(.home)
    type("x", into: &field)
    #expect(scalars(field.text) == scalars("x🇫🇩🇪"))
  }

  @Test("queued parts are one key")
  func queued() {
    let keys = scalars("🇫🇷a🇩1\u{FE0F}\u{20E3}")
    var events = keys.map { TerminalEvent.key(.character(Character($0))) }[...]
    events.insert(.key(.enter), at: 3)
    let expected: [Key] = [
      .character("🇫🇷"), .character("a"), .enter, .character("🇩"), .character("1\u{FE0F}\u{20E3}"),
    ]
    var popped: [TerminalEvent] = []
    while let event = events.popNext(isTyping: false) { popped.append(event) }
    #expect(popped == expected.map { .key($0) })
  }
}
