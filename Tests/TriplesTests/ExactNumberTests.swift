import Testing
import Triples

@Suite("Numbers with all their digits")
struct ExactNumberTests {
  @Test(
    "a number is an integer or double only if that has all its digits",
    arguments: [
      ("0", 0), ("-0.0", 0), ("7", 7), ("+7", 7), ("1e5", 100_000), ("5.0", 5), ("1.50", 1.5),
      ("0.1", 0.1), (".5", 0.5), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", "9223372036854775808"), ("1e400", "1e400"),
      ("0.12345678901234567890123", "0.12345678901234567890123"),
      ("123456789012345678901234567890.124", "123456789012345678901234567890.124"),
      ("", nil), ("-", nil), ("1.2.3", nil), ("1e", nil), ("0x10", nil), ("nan", nil), ("1 ", nil),
    ] as [(String, Value?)])
  func values(text: String, value: Value?) {
    #expect(Value(exactNumber: text) == value)
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
