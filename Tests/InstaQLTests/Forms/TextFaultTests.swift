import InstaQL
import Testing
import Triples

@Suite("Syntax errors in query text")
struct TextFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var place: (line: Int, column: Int)
    var expected: String
    var testDescription: String { text }

    init(_ text: String, _ line: Int, _ column: Int, _ expected: String) {
      self.text = text
      place = (line, column)
      self.expected = expected
    }
  }

  static let conditions = [
    Case("", 1, 1, "a field name"),
    Case("salary >", 1, 9, "a value"),
    Case("salary > 1 and", 1, 15, "a field name"),
    Case("a = 1 b", 1, 7, "'and', 'or' or the end of the condition"),
    Case("name = \"x", 1, 8, "a closing quote"),
    Case("a =\n  ", 2, 3, "a value"),
    Case("(a = 1", 1, 7, "')'"),
    Case("a = 1)", 1, 6, "'and', 'or' or the end of the condition"),
    Case("a > null", 1, 5, "a value other than null"),
    Case("a = b", 1, 5, "a value"),
    Case("a: ", 1, 4, "a value"),
    Case("a: New York", 1, 8, "'and', 'or' or the end of the condition"),
    Case("a: and", 1, 4, "a value"),
    Case("a > 1 > 2", 1, 7, "'and', 'or' or the end of the condition"),
    Case("1 = a", 1, 1, "a field name"),
    Case("a in 1", 1, 6, "'('"),
    Case("a in (1,)", 1, 9, "a value"),
    Case("a like 5", 1, 8, "a string in quotes"),
    Case("a = \"\\q\"", 1, 6, "a known escape"),
    Case("a..b = 1", 1, 3, "a field name"),
    Case("é = # ", 1, 5, "a field, a value or an operator"),
    Case("x = \"日本\" and ) ", 1, 14, "a field name"),
    Case("a = \"50\\%\"", 1, 8, "a known escape"),
    Case("a = 9223372036854775808", 1, 5, "a whole number of at most 64 bits"),
    Case("a = 1e999", 1, 5, "a smaller number"),
    Case("a is 5", 1, 6, "'null' or 'not null'"),
    Case("a is not 5", 1, 10, "'null'"),
    Case(
      "a not 5", 1, 7, "'in', 'like', 'ilike', 'contains', 'begins', 'ends', 'matches' or 'between'"
    ),
    Case("a between 1 or 2", 1, 13, "'and'"),
    Case("a between x and 2", 1, 11, "a value"),
    Case("a between 1 and x", 1, 17, "a value"),
    Case("a in (1 2)", 1, 9, "',' or ')'"),
    Case("`a = 1", 1, 1, "a closing backquote"),
    Case("any todos done", 1, 11, "'('"),
    Case("a = '\\u{110000}'", 1, 6, "a known escape"),
    Case("\u{1A} = 1", 1, 1, "a field, a value or an operator"),
    Case("a = json 'x'", 1, 10, "JSON in quotes"),
    Case("🇫🇷", 1, 1, "a field, a value or an operator"),
  ]

  @Test("an error in a condition has its position", arguments: conditions)
  func condition(_ example: Case) throws {
    let error = try #require(throws: QueryError.self) { try ConditionNode(parsing: example.text) }
    try expect(error, example)
  }

  static let queries = [
    Case("", 1, 1, "a namespace"),
    Case("cities filtr a = 1", 1, 8, "a clause, ';' or the end of the query"),
    Case("cities filter a = 1 b", 1, 21, "'and', 'or', a clause or the end of the query"),
    Case("cities limit 0", 1, 14, "a whole number of at least 1"),
    Case("cities limit x", 1, 14, "a whole number of at least 1"),
    Case("cities offset -1", 1, 15, "a whole number of at least 0"),
    Case("cities\n order", 2, 7, "a field name"),
    Case("cities order name,", 1, 19, "a field name"),
    Case("cities with", 1, 12, "a link"),
    Case("cities with country { limit 1", 1, 30, "a clause or '}'"),
    Case("cities with country { filter a = 1 ]", 1, 36, "'and', 'or', a clause or '}'"),
    Case("cities with country { filter a = 1 )", 1, 36, "'and', 'or', a clause or '}'"),
    Case("cities; cities", 1, 9, "another namespace"),
    Case("cities after 'x'", 1, 14, "JSON in quotes"),
    Case("cities after '[1]'", 1, 14, "a cursor: [entity id, attribute id, value, time] in quotes"),
    Case("cities fields", 1, 14, "a field name"),
    Case("5", 1, 1, "a namespace"),
  ]

  @Test("an error in a query has its position", arguments: queries)
  func query(_ example: Case) throws {
    let error = try #require(throws: QueryError.self) { try QueryDocument(text: example.text) }
    try expect(error, example)
  }

  private func expect(_ error: QueryError, _ example: Case) throws {
    guard case .syntax(let fault) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(fault.line == example.place.line)
    #expect(fault.column == example.place.column)
    #expect(fault.expected == example.expected)
  }

  @Test("a message contains the position, the expected and the found text")
  func sentence() throws {
    let error = try #require(throws: QueryError.self) { try ConditionNode(parsing: "a = b") }
    #expect(error.message == "Character 5: expected a value, but found 'b'.")
    #expect(error.hint == "Put a string in quotes: \"b\". For a field, write field(b).")
    let late = try #require(throws: QueryError.self) { try ConditionNode(parsing: "a =\n") }
    #expect(late.message == "Line 2, character 1: expected a value, but found the end of the text.")
  }

  @Test(
    "the hint to quote a string includes all of its words",
    arguments: [
      ("a = Western Europe", "Western Europe"),
      ("a = Western   Europe and b = 1", "Western Europe"),
      ("(a = New South Wales) or b = 1", "New South Wales"),
      ("a in (Western Europe, Asia)", "Western Europe"),
    ])
  func unquoted(text: String, words: String) throws {
    let error = try #require(throws: QueryError.self) { try ConditionNode(parsing: text) }
    #expect(error.hint == "Put a string in quotes: \"\(words)\".")
  }

  @Test("the hint to quote a string ends before the next clause")
  func unquotedBeforeClause() throws {
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(text: "cities filter name = San Marino limit 3")
    }
    #expect(error.hint == "Put a string in quotes: \"San Marino\".")
  }

  @Test(
    "an unknown name in backquotes is quoted like another",
    arguments: [
      ("`nope nope` limit 1", "Character 1: expected a namespace, but found 'nope nope'."),
      ("cities filter `no` = 1", "Character 15: expected a field of 'cities', but found 'no'."),
    ])
  func backquotes(text: String, message: String) throws {
    let schema = SchemaTextTests.schema
    let error = #expect(throws: QueryError.self) { try QueryDocument(text: text, schema: schema) }
    #expect(error?.message.hasPrefix(message.dropLast()) == true, "\(error?.message ?? "")")
    #expect(error.map { "\($0)" } == error?.message)
  }

  @Test("nesting deeper than 200 is rejected, 200 is not")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a = 1" + String(repeating: ")", count: depth)
    }
    #expect(try ConditionNode(parsing: nested(200)) == .compare("a", .equal, 1))
    let error = try #require(throws: QueryError.self) { try ConditionNode(parsing: nested(201)) }
    #expect(error.position?.column == 201)
    for word in ["not ", "all(", "any x (", "!"] {
      #expect(throws: QueryError.self) {
        try ConditionNode(parsing: String(repeating: word, count: 5000))
      }
    }
    #expect(throws: QueryError.self) {
      try QueryDocument(text: "a " + String(repeating: "with b { ", count: 6000))
    }
  }

  @Test("more than 64 KiB is rejected")
  func size() throws {
    let text = "a = \"" + String(repeating: "x", count: 65_536) + "\""
    let error = try #require(throws: QueryError.self) { try ConditionNode(parsing: text) }
    #expect(error.message == "Character 1: expected at most 64 KiB of text, but found 65542 bytes.")
  }

  @Test("a misspelled clause has a suggestion")
  func clauseHint() throws {
    let error = try #require(throws: QueryError.self) { try QueryDocument(text: "cities filtr a") }
    #expect(error.hint == "Did you mean 'filter'?")
  }
}
