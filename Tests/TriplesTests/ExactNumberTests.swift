import Testing
import Triples

@Suite("Numbers with all their digits")
struct ExactNumberTests {
  @Test(
    "a number is an integer or double only if that has all its digits",
    arguments: [
      ("0", 0), ("-0.0", .double(0)), ("7", 7), ("+7", 7), ("1e5", .double(100_000)),
      ("5.0", .double(5)), ("1.50", 1.5), ("0.1", 0.1), (".5", 0.5), ("1e20", .double(1e20)),
      ("9223372036854775807", .integer(.max)), ("9007199254740993.5", "9007199254740993.5"),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", "9223372036854775808"), ("1e400", "1e400"),
      ("0.12345678901234567890123", "0.12345678901234567890123"),
      ("123456789012345678901234567890.124", "123456789012345678901234567890.124"),
      ("", nil), ("-", nil), ("1.2.3", nil), ("1e", nil), ("0x10", nil), ("nan", nil), ("1 ", nil),
    ] as [(String, Value?)])
  func values(text: String, value: Value?) {
    #expect(Value(exactNumber: text) == value)
  }

  @Test("JSON has all digits for columns that keep them, and rounded numbers for others")
  func exactJSON() throws {
    let json = try ExactJSON(
      Array(#"[{"a": [1.5, 12345678901234567890.5, "x"]}, 0.12345678901234567891]"#.utf8))
    let elements = try #require(json.elements)
    func attribute(_ form: Attribute.ExactForm) -> Attribute {
      var attribute = Attribute(id: AttributeID("x"), namespace: "a", label: "b")
      attribute.exactForm = form
      return attribute
    }
    #expect(
      try elements[0].value(for: attribute(.json))
        == #"{"a":[1.5,12345678901234567890.5,"x"]}"#)
    #expect(try elements[0].value(for: nil) == ["a": [1.5, 12345678901234567890.5, "x"]])
    #expect(try elements[1].value(for: attribute(.number)) == "0.12345678901234567891")
    #expect(try elements[1].value(for: nil) == 0.12345678901234567891)
    let large = try ExactJSON(Array("12345678901234567890".utf8))
    #expect(try large.value(for: attribute(.number)) == "12345678901234567890")
    #expect(throws: JSONError.self) { try large.value(for: nil) }
  }

  @Test("numbers are equal if their values are")
  func equality() {
    #expect(ExactNumber("1.50") == ExactNumber("15e-1"))
    #expect(ExactNumber("100") == ExactNumber("1E+2"))
    #expect(ExactNumber("-0") == ExactNumber("0.000"))
    #expect(ExactNumber("12345678901234567890") != ExactNumber("12345678901234567891"))
    #expect(ExactNumber("-1") != ExactNumber("1"))
  }

  @Test(
    "a JSON document with too many digits for a double is kept as its text",
    arguments: [
      (#"{"k": 12345678901234567890}"#, true), (" [0.12345678901234567891]", true),
      (#"{"k": "12345678901234567890"}"#, false), ("12345678901234567890", false),
      (#"{"k": 12345678901234567890"#, false), (#"{"k": 1}"#, false),
    ])
  func documents(text: String, isExact: Bool) {
    #expect(JSONReader.isExactDocument(text) == isExact)
  }
}
