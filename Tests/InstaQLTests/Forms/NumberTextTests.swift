@testable import InstaQL
import Testing
import Triples

@Suite("Numbers and comments in query text")
struct NumberTextTests {
  @Test(
    "digit groups and factors form one number",
    arguments: [
      ("1_000_000", .integer(1_000_000)), ("50,000,000", .integer(50_000_000)),
      ("50 000 000", .integer(50_000_000)), ("50\u{202F}000", .integer(50_000)),
      ("-1,234.5", .double(-1234.5)), ("50M", .integer(50_000_000)), ("50m", .integer(50_000_000)),
      ("1.5k", .integer(1_500)), ("2b", .integer(2_000_000_000)), ("0.1k", .integer(100)),
      ("1.0005k", .double(1000.5)), ("8.1M", .integer(8_100_000)), ("1,000k", .integer(1_000_000)),
      ("20 million", .integer(20_000_000)), ("20million", .integer(20_000_000)),
      ("-3  Thousand", .integer(-3_000)), ("1.5 BILLION", .integer(1_500_000_000)),
      (".5", .double(0.5)), ("-.25", .double(-0.25)), (".5k", .integer(500)),
    ] as [(String, Value)])
  func numbers(_ typed: String, _ value: Value) throws {
    #expect(try ConditionNode(parsing: "a > \(typed)") == .compare("a", .greater, value))
    #expect(
      try ConditionNode(parsing: "a > \(typed) and b")
        == .all([.compare("a", .greater, value), .compare("b", .equal, true)]))
  }

  @Test(
    "other digit groups and longer suffixes are not part of a number",
    arguments: [
      "a > 1,00", "a > 1,0000", "a > 1000,000", "a > 1 00", "a > 5km", "a > 5 k", "a > 5 millions",
      "a > 5 k million", "a > .", "a > . 5", "a > 1.5.5", "a.5 > 1", "a[0].5 > 1", "`a`.5 > 1",
    ])
  func noNumbers(_ typed: String) {
    #expect(throws: QueryError.self) { try ConditionNode(parsing: typed) }
  }

  @Test(
    "numbers are written short, and read back as they were",
    arguments: [
      (0, "0"), (2026, "2026"), (-9999, "-9999"), (10_000, "10_000"), (26_184, "26_184"),
      (600_000, "600_000"), (10_000_000, "10M"), (-5_000_000, "-5M"), (1_000_000_000, "1B"),
      (1_500_000_000, "1_500_000_000"), (999_000_000, "999M"),
      (1_000_000_000_000, "1_000_000_000_000"),
      (.max, "9_223_372_036_854_775_807"), (.min, "-9_223_372_036_854_775_808"),
    ] as [(Int64, String)])
  func written(_ number: Int64, _ text: String) throws {
    let value = Value.integer(number)
    for condition: ConditionNode in [.compare("a", .less, value), .isIn("a", [value, value])] {
      #expect(condition.text.contains(" \(text)") || condition.text.contains("(\(text), \(text))"))
      #expect(try ConditionNode(parsing: condition.text) == condition)
    }
  }

  @Test("limits are written short, too; an expression keeps its text, which names a column")
  func otherNumbers() throws {
    let text = "cities filter count(twins) > 10_000 limit 20_000 offset 1M fields a / 1000000"
    #expect(try QueryDocument(text: text).text == text)
  }

  @Test("the values of a list stay apart")
  func lists() throws {
    #expect(
      try ConditionNode(parsing: "a in (100,200, 1k) or a = 1,000")
        == .any([
          .isIn("a", [.integer(100), .integer(200), .integer(1_000)]),
          .compare("a", .equal, .integer(1_000)),
        ]))
  }

  @Test("a fraction after a minus sign without spaces is subtracted")
  func subtracted() throws {
    #expect(
      try QueryDocument(text: "cities fields a-.5 as b")
        == QueryDocument(text: "cities fields a - 0.5 as b"))
  }

  @Test("a number beyond 64 bits is rejected, also with a factor")
  func tooLarge() {
    #expect(throws: QueryError.self) { try ConditionNode(parsing: "a = 9223372036854775807k") }
    #expect(throws: QueryError.self) { try ConditionNode(parsing: "a = 1e308b") }
  }

  @Test(
    "a comment in the text ends with */, or with the text",
    arguments: [
      "cities/* of */filter a /* == \" */ / 2 = 6 order b", "cities filter a / 2 = 6 order b /* c",
      "cities filter a /**/ / 2 /* one\n * two **/ = 6 order b",
    ])
  func enclosedComments(_ text: String) throws {
    #expect(
      try QueryDocument(text: text) == QueryDocument(text: "cities filter a / 2 = 6 order b"))
  }

  @Test("a comment extends to the end of its line")
  func comments() throws {
    let text = """
      cities -- all of them
        filter population > 5 -- and no more than that
        -- limit 3
        order name
      """
    #expect(
      try QueryDocument(text: text)
        == QueryDocument(text: "cities filter population > 5 order name"))
    #expect(
      try ConditionNode(parsing: "a = '--' and b = -1")
        == .all([
          .compare("a", .equal, "--"), .compare("b", .equal, -1),
        ]))
  }
}
