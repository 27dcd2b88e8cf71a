import TestSupport
import Testing

@testable import TerminalUI

@Suite("Reading TOML")
struct TOMLTests {
  private static func error(_ text: String) -> TOMLError? {
    do throws(TOMLError) {
      _ = try TOMLTable(toml: text)
      return nil
    } catch {
      return error
    }
  }

  private static func value(_ written: String) -> TOMLValue? {
    (try? TOMLTable(toml: "a = " + written))?["a"]
  }

  @Test(
    "a malformed table header is an error with its line",
    arguments: [
      "[é]", "[.]", "[!]", "[=", "[#", "[(]", "[\\]", "[[[a]]]", "[\u{FFFD}]", "[", "[[", "[ ",
      "[ [a] ]", "[]", "[[]]", "[a.]", "[.a]", "[a..b]", "[a", "[a]]", "[\"a]", "[a.é]", "[a] b",
      "[[a]", "[[a] ]", "[\u{2028}a]",
    ])
  func headers(_ header: String) {
    for rest in ["", "\n", "\nx = 1\n"] {
      #expect(Self.error("a1 = 1\n" + header + rest)?.line == 2, "\(header)\(rest)")
    }
  }

  @Test(
    "a malformed statement is an error with its line",
    arguments: [
      "a", "a =", "a = \u{2028}", "= 1", "a 1", "a = b", "a = 1 2", "a.b", "a. = 1", "a = 'b",
      "a = \"b",
      "a = \"\\x\"", "a = \"\\uD800\"", "a = \"\\u12\"", "a = [1", "a = [1 2]", "a = [,]", "a = {",
      "a = { b = 1, }", "a = { b }", "a = 1\na = 2", "a = 1\n[a]", "[a]\n[a]",
      "[a]\nb.c = 1\n[a.b]",
      "[[a]]\n[a]", "a = []\n[[a]]", "a = {}\na.b = 1", "\"\"\"a\"\"\" = 1", "a = '\u{1}'", "\u{B}",
      "a = 1\r", "a = \0", "# \0",
    ])
  func statements(_ text: String) {
    #expect(Self.error("x = 1\n\n" + text)?.line ?? 0 >= 3, "\(text)")
  }

  @Test("strings, arrays and tables are parsed")
  func everything() throws {
    let text = #"""
      a = '''
      [é]
      '''
      b = """
      \"""
      [!]\
         """""
      c = [
        # [=
        [1, 'x'],
        [ ],
      ]
      d = { e = "]", f.g = '[' } # [(]
      ["é".'!'] # [
      h = "\u00e9\t\U0001F600"
      [[i]]
      j = 1
      [[i]]
      [i.k]
      """#
    let table = try TOMLTable(toml: text)
    #expect(table.keys == ["a", "b", "c", "d", "é", "i"])
    #expect(table["a"] == .text("[é]\n"))
    #expect(table["b"] == .text("\"\"\"\n[!]\"\""))
    #expect(table["c"] == .array([.array([.integer(1), .text("x")]), .array([])]))
    #expect(table["d"]?.table?["f"]?.table?["g"] == .text("["))
    #expect(table["é"]?.table?["!"]?.table?["h"] == .text("é\t😀"))
    #expect(table["i"]?.array?.count == 2)
    #expect(table["i"]?.array?.last?.table?.keys == ["k"])
    #expect(table.line(of: ["c"]) == 8)
    #expect(table.line(of: ["é", "!", "h"]) == 15)
    #expect(table.line(of: ["é", "?"]) == 14)
    #expect(table.line(of: ["z"]) == 1)
  }

  @Test(
    "numbers, dates and booleans are parsed",
    arguments: [
      ("true", .boolean(true)), ("+1_000", .integer(1_000)),
      ("-9223372036854775808", .integer(.min)),
      ("0xDEAD_beef", .integer(0xDEAD_BEEF)), ("0o17", .integer(15)), ("0b11", .integer(3)),
      ("-0.5", .double(-0.5)), ("6.6e-3", .double(6.6e-3)), ("1E3", .double(1_000)),
      ("-inf", .double(-.infinity)),
      ("1979-05-27T07:32:00.5-07:00", .date("1979-05-27T07:32:00.5-07:00")),
      ("1979-05-27 07:32:00", .date("1979-05-27 07:32:00")), ("1979-05-27", .date("1979-05-27")),
      ("07:32:00", .date("07:32:00")), ("True", nil), ("01", nil), ("1_", nil), ("1__0", nil),
      ("1.", nil), (".5", nil), ("1e", nil), ("0x", nil), ("9223372036854775808", nil),
      ("1979-13-01", nil), ("1979-05-27T25:00:00", nil), ("1979-05-27T07:32:00+7", nil),
      ("--1", nil),
    ] as [(String, TOMLValue?)])
  func scalars(_ written: String, _ value: TOMLValue?) {
    #expect(Self.value(written) == value)
  }

  @Test("a long dotted key is rejected anywhere")
  func dottedKeys() {
    let key = [String](repeating: "a", count: 20_000).joined(separator: ".")
    let spaced = [String](repeating: "a", count: 10_000).joined(separator: " . ")
    let quoted = [String](repeating: "\"a\"", count: 10_000).joined(separator: ".")
    for key in [key, spaced, quoted] {
      for text in [key + " = 1", "[\(key)]", "[[\(key)]]", "x = { \(key) = 1 }", "x = [{\(key)=1"] {
        #expect(Self.error("y = 1\n" + text)?.reason.contains("16 parts") == true)
      }
    }
    let longest = [String](repeating: "a", count: TOMLTable.maxKeyParts).joined(separator: ".")
    #expect(Self.error(longest + " = 1.5") == nil)
  }

  @Test("deep nesting and a file larger than 64 kB are rejected")
  func limits() {
    #expect(
      Self.error("a = " + String(repeating: "[", count: 60_000))?.reason.contains("32") == true)
    #expect(
      Self.error("a = " + String(repeating: "{a=", count: 20_000))?.reason.contains("32") == true)
    let comment = String(repeating: "#", count: TOMLTable.maxBytes - 1) + "\n"
    #expect(Self.error(comment) == nil)
    #expect(Self.error(comment + "\n")?.reason == "the file is larger than 64 kB")
  }
}
