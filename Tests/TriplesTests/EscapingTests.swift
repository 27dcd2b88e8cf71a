import Testing
import Triples

@Suite("A sign that would end a quotation")
struct EscapingTests {
  @Test(
    "is escaped everywhere",
    arguments: [
      ("", ""), ("plain", "plain"), ("it's", "it''s"), ("'", "''"), ("'\u{301}x", "''\u{301}x"),
      ("a'\u{200D}'", "a''\u{200D}''"),
    ])
  func escaped(_ text: String, _ expected: String) {
    #expect(Array(text.escaping("'", as: "''").utf8) == Array(expected.utf8))
  }
}
