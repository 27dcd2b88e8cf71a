import InstaQL
import Testing
import Triples
import Widgets

@testable import Explorer

@Suite("Proposed values")
struct ValueTypingTests {
  /// Whose attribute `any` holds values of several types.
  private func screen() throws -> Screen {
    let things = #"""
      [{"name": "digits", "any": "123"}, {"name": "word", "any": "plain"},
       {"name": "nothing", "any": "null"}, {"name": "quoted", "any": "\"q\""},
       {"name": "number", "any": 5}]
      """#
    let store = try Dataset.load([(name: "things.json", bytes: Array(things.utf8))])
    return try Screen(
      columns: 110, rows: 20, query: QueryPlan("things").order("name"), store: store)
  }

  @Test("an unchanged line has no effect")
  func untouched() throws {
    var screen = try screen()
    for _ in 0..<5 { screen.press("4 $ e enter j") }
    #expect(screen.transactions.isEmpty)
    screen.press("e enter")
    #expect(screen.notice == .unchanged("any"))
  }

  @Test(
    "a text that looks like another type is proposed in quotes",
    arguments: [
      ("digits", #""123""#), ("nothing", #""null""#), ("quoted", #""\"q\"""#), ("word", "plain"),
      ("number", "5"),
    ])
  func proposed(name: String, line: String) throws {
    var screen = try screen()
    let rows = ["digits", "nothing", "number", "quoted", "word"]
    for _ in 0..<(rows.firstIndex(of: name) ?? 0) { screen.press("j") }
    screen.press("$ e")
    #expect(screen.line(with: line) != nil)
    guard line.hasPrefix("\"") else { return }
    // A blank behind the quotes changes the line, and not what it says.
    screen.press("end end")
    screen.type(" ")
    screen.press("enter")
    #expect(screen.notice == .unchanged("any"))
    #expect(screen.transactions.isEmpty)
    let any = try #require(screen.store.schema.attribute("things", "any"))
    let values = screen.store.rows(of: "things").handles.map { screen.store.value($0, any.id) }
    #expect(Set(values.compactMap { $0?.textValue }) == ["123", "plain", "null", "\"q\""])
  }

  @Test("broken JSON is rejected in a column that stores JSON as text")
  func storedJSON() throws {
    var meta = Attribute(id: AttributeID("meta"), namespace: "things", label: "meta")
    meta.checkedType = .string
    meta.column = Attribute.Column(name: "meta", place: 1, type: "json")
    for text in [#"{"size": 3}"#, "[1, 2]", #""a""#, "plain", "12"] {
      #expect(try TypedValue.read(text, of: meta).get() == .text(text))
    }
    for text in [#"{"size": 3"#, "[1, 2", #""a"#] {
      let refusal = try #require(throws: Rejection.self) {
        try TypedValue.read(text, of: meta).get()
      }
      #expect(refusal.text.hasPrefix("meta is not valid JSON: "), "\(refusal.text)")
    }
  }

  @Test(
    "a text of quotes is proposed as it is typed",
    arguments: [("\"\"", ""), ("\"\"\"\"", "\"\""), ("\"\"\"", "\"\"\""), ("\"", "\"")])
  func quotes(line: String, text: String) throws {
    var name = Attribute(id: AttributeID("name"), namespace: "things", label: "name")
    name.checkedType = .string
    #expect(try TypedValue.read(line, of: name).get() == .text(text))
    let proposal = TypedValue.proposal(for: .text(text), shownAs: text, of: name).text
    #expect(proposal == (text.isEmpty ? "" : line))
  }

  @Test("an empty line is an error where it could be a text")
  func empty() throws {
    func refusal(of attribute: Attribute) -> String? {
      guard case .failure(let refusal) = TypedValue.read("", of: attribute) else { return nil }
      return refusal.text
    }
    let any = Attribute(id: AttributeID("any"), namespace: "things", label: "any")
    #expect(refusal(of: any) == #"any must be a value, "" for an empty text, or null"#)
    var name = Attribute(
      id: AttributeID("name"), namespace: "things", label: "name", constraints: .required)
    name.checkedType = .string
    #expect(refusal(of: name) == #"name must be a text, or "" for an empty text"#)
    #expect(try TypedValue.read("\"\"", of: any).get() == .text(""))
    var meta = any
    meta.checkedType = .string
    meta.column = Attribute.Column(name: "meta", place: 1, type: "json")
    // A column of JSON contains the quotes.
    #expect(try TypedValue.read("\"\"", of: meta).get() == .text("\"\""))
  }

  /// An attribute with numbers.
  private static var height: Attribute {
    var height = Attribute(id: AttributeID("height"), namespace: "plants", label: "height")
    height.checkedType = .number
    return height
  }

  @Test(
    "numbers are typed as in a query",
    arguments: [
      ("5M", 5_000_000), ("1.5k", 1_500), ("-2b", -2_000_000_000), ("50 million", 50_000_000),
      ("50,000,000", 50_000_000), ("50 000 000", 50_000_000), ("50_000_000", 50_000_000),
      ("1\u{202F}000", 1_000), ("+7", 7), (" 12 ", 12), ("5.", 5),
    ] as [(String, Int64)])
  func numbers(text: String, number: Int64) throws {
    #expect(try TypedValue.read(text, of: Self.height).get() == .integer(number))
  }

  @Test(
    "fractions are typed as in a query",
    arguments: [(".5", 0.5), ("-1.25", -1.25), ("1e3", 1_000.0), ("1,000.5", 1_000.5)])
  func fractions(text: String, number: Double) throws {
    #expect(try TypedValue.read(text, of: Self.height).get() == .double(number))
  }

  @Test(
    "other texts are no numbers",
    arguments: ["5x", "1,00", "M", "5 5", "--1", "1..2", ".", "-", "1e999", "5M6", "today"])
  func noNumbers(text: String) {
    #expect(throws: Rejection.self) { try TypedValue.read(text, of: Self.height).get() }
  }

  @Test("an empty line for a number says how to enter null, if there can be none")
  func emptyNumber() throws {
    let refusal = try #require(throws: Rejection.self) {
      try TypedValue.read("", of: Self.height).get()
    }
    #expect(refusal.text == "height must be a number. Type null for no value")
  }

  @Test("what is typed in quotes is a text")
  func typed() throws {
    var screen = try screen()
    screen.press("$ e ctrl-u")
    screen.type(#""124""#)
    screen.press("enter")
    let any = try #require(screen.store.schema.attribute("things", "any"))
    let values = screen.store.rows(of: "things").handles.map { screen.store.value($0, any.id) }
    #expect(values.contains(.text("124")))
    #expect(!values.contains(.integer(124)))
  }

  @Test("the text \"null\" can be typed")
  func word() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    func names() -> [Value?] {
      screen.store.rows(of: "plants").handles.map { screen.store.value($0, name.id) }
    }
    screen.press("0 e ctrl-u")
    screen.type(#""null""#)
    screen.press("enter")
    #expect(names().contains(.text("null")))
    screen.press("e")
    #expect(screen.text.contains(#""null""#))
    screen.press("ctrl-u")
    screen.type("null")
    screen.press("enter")
    #expect(!names().contains(.text("null")))
    #expect(screen.notice?.text == "name is now null.")
  }

  @Test(
    "typing after a quoted text continues within the quotes",
    arguments: [("j", "nulls"), ("j j j", "\"q\"s")])
  func behindQuotes(way: String, text: String) throws {
    var screen = try screen()
    screen.press("\(way) $ e end")
    screen.type("s")
    screen.press("enter")
    let any = try #require(screen.store.schema.attribute("things", "any"))
    let values = screen.store.rows(of: "things").handles.map { screen.store.value($0, any.id) }
    #expect(values.contains(.text(text)), "\(values)")
  }
}
