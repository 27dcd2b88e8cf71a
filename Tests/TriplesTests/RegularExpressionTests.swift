import Testing

@testable import Triples

@Suite("Regular expressions")
struct RegularExpressionTests {
  static let cases: [(String, String, Bool)] = [
    ("", "", true), ("a", "cat", true), ("^a", "cat", false), ("t$", "cat", true),
    ("^c.t$", "cat", true), ("^c.t$", "c\nt", false), ("ca+t", "caaat", true),
    ("^ca?t$", "ct", true), ("^(ab){2,3}$", "abab", true), ("^(ab){2,3}$", "ab", false),
    ("^(ab){2}$", "ababab", false), ("^(ab){2,}$", "abababab", true), ("cat|dog", "hotdog", true),
    ("^(?:cat|dog)s?$", "dogs", true), ("[a-c]", "xbz", true), ("[^a-c]", "abc", false),
    ("^[]a]+$", "]a", true), ("^[\\d-]+$", "1-2", true), ("\\bcat\\b", "a cat!", true),
    ("\\bcat\\b", "cats", false), ("\\Bat", "cat", true), ("(?i)ÉCOLE", "école", true),
    ("(?i)[A-C]+$", "abc", true), ("^\\w+$", "naïve_1", true), ("\\u{1F600}", "😀", true),
    ("^.$", "é", true), ("(a*)*b", "aaaa", false), ("(|a)+", "", true), ("a\\.b", "a.b", true),
    ("^\\S+\\s\\S+$", "a b", true), ("a*?b", "aab", true), ("x{0}", "", true),
  ]

  @Test("fit where they should", arguments: cases)
  func matches(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test(
    "an invalid pattern is an error with a position",
    arguments: [
      "(", ")", "a(b", "[a", "*a", "a**", "a{", "a{2", "a{3,2}", "a{999}", "\\", "\\q", "\\1",
      "(?=a)", "[z-a]", "\\u{}", "^*", "((a{300}){300})", "(((){500}){500}){500}",
    ])
  func invalid(_ pattern: String) {
    #expect(throws: PatternError.self) { try RegularExpression(pattern) }
  }

  @Test("patterns that backtrack elsewhere take linear time", .timeLimit(.minutes(1)))
  func linear() throws {
    let text = String(repeating: "a", count: 20_000) + "!"
    for pattern in ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*b", "^(.*a){20}$"] {
      #expect(try !RegularExpression(pattern).matches(text))
    }
  }

  @Test("any pattern is compiled or rejected")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("random patterns with seed \(seed)")
    var state = seed
    let pieces = Array("ab(){}[]|*+?^$.\\dw-,2{:é9ui")
    for _ in 0..<20_000 {
      var pattern = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        pattern.append(pieces[Int(state >> 33) % pieces.count])
      }
      _ = try? RegularExpression(pattern).matches("abab (a) é2")
    }
  }
}
