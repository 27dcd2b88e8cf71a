import Testing
import Triples

@Suite("Reading JSON")
struct JSONReaderTests {
  private static let readings: [(String, Value)] = [
    ("null", Value.null), ("true", true), (" false ", false), ("0", 0), ("-0", 0), ("-7", -7),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("576460752303423488", .integer(576_460_752_303_423_488)),
    ("-576460752303423489", .integer(-576_460_752_303_423_489)),
    ("1.0", .double(1)), ("-0.5", -0.5), ("1e2", .double(100)), ("1E+2", .double(100)),
    ("123456.789e-3", 123.456789), ("0.1", 0.1),
    ("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
    ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ("5e-324", .double(.leastNonzeroMagnitude)),
    ("0.30000000000000004", 0.30000000000000004), ("1e-400", .double(0)),
    ("9007199254740993.0", 9007199254740992.0), (#""""#, ""), (#""é漢😀""#, "é漢😀"),
    (#""a\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00""#, "a\"\\/\u{8}\u{C}\n\r\tAé😀"),
    ("[]", []), ("{}", [:]), ("[1,[2,[]],{}]", [1, [2, []], [:]]),
    (#"{"b":1,"a":{"c":[null]}}"#, ["b": 1, "a": ["c": [nil]]]),
    ("\u{FEFF}[ \t\r\n1 ]", [1]),
  ]

  @Test("objects that differ at depth are compared in one pass", .timeLimit(.minutes(10)))
  func deepDifferences() throws {
    func nested(_ innermost: Value, levels: Int = 200) -> Value {
      (0..<levels).reduce(innermost) { value, _ in ["a": value, "b": 1] }
    }
    #expect(nested(1) != nested(2))
    #expect(nested(["x": 1, "y": 2]) == nested(["y": 2, "x": 1]))
    #expect(nested(["x": 1, "y": 2]) != nested(["x": 2, "y": 1]))
    #expect(Value.object(["x": 1, "y": 2]) != .object(["x": 1, "z": 2]))
  }

  @Test(
    "every type of value is parsed",
    arguments: readings)
  func values(text: String, value: Value) throws {
    #expect(try JSONReader.value(of: text) == value)
  }

  @Test(
    "an error has its position",
    arguments: [
      ("", "line 1, column 1: expected a value, but reached the end of the text"),
      ("[1,]", "line 1, column 4: expected a value, found ']'"),
      ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
      ("[1", "line 1, column 3: expected ',' or ']', but reached the end of the text"),
      ("{\"a\":1,}", "line 1, column 8: expected a key in quotes, found '}'"),
      ("{a:1}", "line 1, column 2: expected a key in quotes, found 'a'"),
      ("{'a':1}", "line 1, column 2: expected a key in quotes, found a single quote"),
      ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
      ("{\"a\":\n  undefined}", "line 2, column 3: expected a value, found 'undefined'"),
      ("nul", "line 1, column 4: expected 'null', but reached the end of the text"),
      ("True", "line 1, column 1: expected a value, found 'True'"),
      ("truth", "line 1, column 1: expected 'true', found 'truth'"),
      ("01", "line 1, column 1: expected a number without leading zeros, found '0'"),
      ("-", "line 1, column 2: expected a digit, but reached the end of the text"),
      ("-a", "line 1, column 2: expected a digit, found 'a'"),
      ("1.", "line 1, column 3: expected a digit, but reached the end of the text"),
      ("1.e3", "line 1, column 3: expected a digit, found 'e'"),
      ("[1e+]", "line 1, column 5: expected a digit, found ']'"),
      ("1.2.3", "line 1, column 4: expected the end of the number, found '.'"),
      ("+1", "line 1, column 1: expected a value, found '+'"),
      (".5", "line 1, column 1: expected a value, found '.'"),
      ("1e999", "line 1, column 1: the number is too large. The maximum is about 1.8e308"),
      (
        "9223372036854775808",
        "line 1, column 1: the integer 9223372036854775808 does not fit into 64 bits. "
          + "Write it with a decimal point or as a string"
      ),
      ("\"abc", "line 1, column 5: expected '\"', but reached the end of the text"),
      (
        "\"é\n\"",
        "line 1, column 3: a string contains the control byte 10. "
          + "Write it as an escape such as \\n"
      ),
      (#""\x""#, #"line 1, column 2: unknown escape \x"#),
      (#""\u12G4""#, #"line 1, column 2: unknown escape \u12G4"#),
      (
        #""\ud800""#,
        "line 1, column 2: the escape is one half of a surrogate pair, but the other half is missing"
      ),
      (
        #""\ud800\u0041""#,
        "line 1, column 2: the escape is one half of a surrogate pair, but the other half is missing"
      ),
      (
        #""\udc00""#,
        "line 1, column 2: the escape is one half of a surrogate pair, but the other half is missing"
      ),
      ("1 x", "line 1, column 3: expected the end of the text, found 'x'"),
      ("\u{1}", "line 1, column 1: expected a value, found byte 1"),
    ])
  func faults(text: String, message: String) {
    let error = #expect(throws: JSONError.self) { try JSONReader.value(of: text) }
    #expect(error?.description == message)
  }

  @Test(
    "invalid UTF-8 is rejected",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func unsoundBytes(bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.value(of: [0x22, 0x61] + bytes + [0x22])
    }
    #expect(error?.problem == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test("a duplicate key is rejected on request; otherwise the last one wins")
  func duplicateKeys() throws {
    let text = #"{"a": 1, "b": 2, "\u0061": 3}"#
    #expect(try JSONReader.value(of: text) == ["a": 3, "b": 2])
    let error = #expect(throws: JSONError.self) {
      try JSONReader.value(of: text, options: JSONOptions(duplicateKeys: .refused))
    }
    #expect(error?.problem == .duplicateKey("a"))
    #expect(error?.offset == 17)
    let many = (0..<50).map { #""k\#($0)": 0"# }.joined(separator: ",") + #", "k7": 1"#
    #expect(throws: JSONError.self) {
      try JSONReader.value(of: "{\(many)}", options: JSONOptions(duplicateKeys: .refused))
    }
  }

  @Test("canonically equivalent keys are different keys")
  func lookAlikes() throws {
    let text = "{\"\u{E9}\": 1, \"e\u{301}\": 2}"
    let value = try JSONReader.value(of: text, options: JSONOptions(duplicateKeys: .refused))
    guard case .object(let object) = value else { return #expect(Bool(false)) }
    #expect(object.count == 2)
  }

  @Test("nesting beyond the limit is an error, not a crash")
  func depth() throws {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: JSONError.self) { try JSONReader.value(of: deep) }
    #expect(error?.problem == .tooDeep(limit: 256))
    let allowed = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(throws: Never.self) { try JSONReader.value(of: allowed) }
  }

  @Test("a text beyond the limit is rejected before it is parsed")
  func size() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.value(of: "[1, 2, 3]", options: JSONOptions(maximumBytes: 8))
    }
    #expect(error?.problem == .tooLarge(limit: 8))
  }

  @Test("numbers of absurd length are rejected, and long ones are parsed")
  func longNumbers() throws {
    let long = "0." + String(repeating: "1", count: 700)
    #expect(try JSONReader.value(of: long) == 0.1111111111111111)
    for text in [
      String(repeating: "9", count: 2_000_000), "1." + String(repeating: "3", count: 5_000),
    ] {
      let error = #expect(throws: JSONError.self) { try JSONReader.value(of: text) }
      #expect(error?.problem == .numberTooLong(limit: 1_024))
    }
  }

  @Test("integers beyond 64 bits become doubles on request")
  func largeIntegers() throws {
    let value = try JSONReader.value(
      of: "12345678901234567890", options: JSONOptions(largeIntegers: .doubles))
    #expect(value == .double(1.2345678901234567e19))
  }

  @Test("numbers beyond the largest double become null on request")
  func hugeNumbers() throws {
    let options = JSONOptions(largeIntegers: .doubles, hugeNumbers: .null)
    for text in [
      "1e400", "-1E+999", "0." + String(repeating: "9", count: 30) + "e400",
      String(repeating: "9", count: 400),
    ] {
      #expect(try JSONReader.value(of: "[1,\(text),2]", options: options) == [1, nil, 2])
      #expect(throws: JSONError.self) { try JSONReader.value(of: text) }
    }
    #expect(try JSONReader.value(of: "1e-400", options: options) == .double(0))
  }

  @Test("a long text is parsed with any ending")
  func longText() throws {
    for length in 0..<40 {
      let text = String(repeating: "x", count: length)
      for end in ["", "é", "\\n", "😀"] {
        let content = end == "\\n" ? "\n" : end
        #expect(try JSONReader.value(of: "\"\(text)\(end)\"") == .text(text + content))
      }
    }
  }
}
