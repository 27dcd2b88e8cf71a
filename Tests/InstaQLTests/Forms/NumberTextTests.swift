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
    ] as [(String, Value)])
  func numbers(_ typed: String, _ value: Value) throws {
    #expect(try ConditionNode(parsing: "a > \(typed)") == .compare("a", .greater, value))
    #expect(
      try ConditionNode(parsing: "a > \(typed) and b")
        == .all([.compare("a", .greater, value), .compare("b", .equal, true)]))
  }

  @Test(
    "other digit groups and longer suffixes are not part of a number",
    arguments: ["a > 1,00", "a > 1,0000", "a > 1000,000", "a > 1 00", "a > 5km", "a > 5 k"])
  func noNumbers(_ typed: String) {
    #expect(throws: QueryError.self) { try ConditionNode(parsing: typed) }
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

  @Test("a number beyond 64 bits is rejected, also with a factor")
  func tooLarge() {
    #expect(throws: QueryError.self) { try ConditionNode(parsing: "a = 9223372036854775807k") }
    #expect(throws: QueryError.self) { try ConditionNode(parsing: "a = 1e308b") }
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
