import DataSourcesTesting
import Testing
import Triples
import TestSupport

struct InstantTests {
  @Test(
    "a date in any supported form has its instant",
    arguments: [
      ("2025-01-01", 1_735_689_600_000), ("2025/1/1", 1_735_689_600_000),
      ("01-01-2025", 1_735_689_600_000), ("1.1.2025", 1_735_689_600_000),
      ("2025-06", 1_748_736_000_000),
      ("2025-06-05T17:00", 1_749_142_800_000), ("2025-06-05t17:00:00z", 1_749_142_800_000),
      ("2025-06-05T17:00:00.1239Z", 1_749_142_800_123),
      ("2025-06-05T17:00:00.5", 1_749_142_800_500),
      ("2025-06-05T17:00:00+0230", 1_749_133_800_000),
      ("2025-06-05T17:00:00-08", 1_749_171_600_000),
      ("2025-06-05T17:00:00-08:00", 1_749_171_600_000),
      ("2025-06-05T17:00:00PDT", 1_749_168_000_000),
      ("2025-06-05T17:00:00CET", 1_749_139_200_000),
      ("2025-06-05 17:00:00", 1_749_142_800_000),
      ("2025-06-05 17:00:00.25", 1_749_142_800_250),
      ("2025-6-5T7:00:00.000Z", 1_749_106_800_000), ("2025-6-5 17:00:00", 1_749_142_800_000),
      ("Fri Jan 10 2025", 1_736_467_200_000), ("Sat, 05 Apr 2025 18:00:31 GMT", 1_743_876_031_000),
      ("1/10/2025, 3:04:05 PM", 1_736_521_445_000), ("1/10/2025, 12:00:00 AM", 1_736_467_200_000),
      ("\"2025-01-10\"", 1_736_467_200_000), (" \t2025-01-10 ", 1_736_467_200_000),
      ("epoch", 0), ("1969-12-31T23:59:59.999Z", -1), ("2025-01-01T24:00Z", 1_735_776_000_000),
      ("0044-03-15 BC", -63_517_824_000_000), ("0001-12-31 BC", -62_135_683_200_000),
      ("0044-03-15 12:00:00.5+00 BC", -63_517_780_799_500),
      ("12000-01-01", 316_516_204_800_000), ("12000-01-01 00:00:01+00", 316_516_204_801_000),
    ])
  func spelling(text: String, milliseconds: Int64) {
    #expect(Instant(text)?.milliseconds == milliseconds)
  }

  @Test(
    "a part out of range is carried over",
    arguments: [
      ("2025-02-30", "2025-03-02"), ("2025-02-30T00:00:00Z", "2025-03-02"),
      ("17-04-2025", "2026-05-04"),
    ])
  func carries(text: String, same: String) {
    #expect(Instant(text) != nil)
    #expect(Instant(text) == Instant(same))
  }

  @Test(
    "a nonexistent day is rejected in user input",
    arguments: [
      "31.12.2025", "13/01/2025", "2025-13-45", "2025-02-30", "2025-02-30T00:00:00Z",
      "Feb 30 2025", "2023-02-29", "0-1-1", "0044-02-30 BC", "0004-02-29 BC",
    ])
  func unreal(text: String) {
    #expect(Instant(real: text) == nil)
  }

  @Test(
    "any other form is read as before",
    arguments: [
      "2025-01-31", "1/2/2025", "12.31.2025", "2024-02-29", "2025-01-10T23:30:00-08",
      "Fri Jan 10 2025", "Fri, 10 Jan 2025 23:00:00 -0500", "1/10/2025, 3:04:05 PM", "epoch",
      "\"2025-01-10\"", " 2025-1-2 ", "2025-03", "2025", "March 2025",
      "0099-12-31T00:00:00Z", "-000044-03-15T00:00:00Z", "0005-02-29 BC",
    ])
  func real(text: String) {
    #expect(Instant(real: text) != nil)
    #expect(Instant(real: text) == Instant(text))
  }

  @Test(
    "a distant date is typed as it is shown, or in ISO 8601",
    arguments: [
      "0044-03-15 BC", "0044-03-15 12:00:00 BC", "12000-01-01", "12000-01-01 10:00:00.5+00",
      "+012000-01-01", "-000043-03-15", "-000043-03-15T00:00:00.000Z", "infinity", "-infinity",
    ])
  func distant(text: String) {
    #expect(DateLiteral(text)?.text == text)
  }

  @Test(
    "an instant is written for PostgreSQL with its era",
    arguments: [
      ("2025-01-10", "2025-01-10T00:00:00.000Z"),
      ("0044-03-15 12:00:00 BC", "0044-03-15T12:00:00.000Z BC"),
      ("0001-12-31 BC", "0001-12-31T00:00:00.000Z BC"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
      ("12000-01-01", "12000-01-01T00:00:00.000Z"),
    ])
  func era(text: String, written: String) {
    #expect(Instant(text)?.postgresText == written)
  }

  @Test(
    "an invalid date has no instant",
    arguments: [
      "", " ", "nope", "now", "today", "yesterday", "tomorrow", "null", "20250605", "2025-01-0",
      "\"1700000000000\"", "1700000000000", "2025-01-10T25:00Z", "2025-01-10T10:00:00Zjunk",
      "\"", "\"\"", "{}", "infinity", "2025-01-10T", "99999999999-1-1", "((((",
      "\u{0}", "é", "2025-13-45T99:99:99Z",
    ])
  func refused(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("a number is truncated milliseconds within 100 million days of 1970")
  func numbers() {
    #expect(Instant(milliseconds: 1.9)?.milliseconds == 1)
    #expect(Instant(milliseconds: -1.9)?.milliseconds == -1)
    #expect(Instant(milliseconds: 8.64e15) != nil)
    #expect(Instant(milliseconds: 8.641e15) == nil)
    #expect(Instant(milliseconds: Double.nan) == nil)
    #expect(Instant(milliseconds: Int64.min) == nil)
  }

  @Test(
    "an instant round-trips as ISO 8601",
    arguments: [
      0, 1, -1, 951_782_400_000, 951_868_800_000, 1_709_164_800_000, -62_135_596_800_000,
      253_402_300_799_999, -62_198_755_200_000, 8_640_000_000_000_000, -8_640_000_000_000_000,
    ] as [Int64])
  func printing(milliseconds: Int64) throws {
    let instant = try #require(Instant(milliseconds: milliseconds))
    #expect(Instant(instant.description) == instant, "\(instant)")
  }

  @Test("March 1, 2024 follows February 29")
  func leapDay() throws {
    let leap = try #require(Instant("2024-02-29"))
    #expect(
      Instant(milliseconds: leap.milliseconds + 86_400_000)?.description
        == "2024-03-01T00:00:00.000Z")
  }

  @Test("any text, however long or strange, is handled")
  func hostile() {
    var random = SeededGenerator(seed: 20_250_105)
    let pieces = [
      "2025", "-", "/", ".", ":", " ", "T", "Z", "Jan", "pm", "GMT", "+", "1",
      "99999999999999999999",
      "(", ")", "é", "\"", ",", "31", "24",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random)!
      }.joined()
      if let instant = Instant(text) {
        #expect(Instant(instant.description) == instant, "\(text)")
      }
    }
    #expect(Instant(String(repeating: "(", count: 1_000_000)) == nil)
    #expect(Instant(String(repeating: "1 ", count: 500_000)) == nil)
  }
}
