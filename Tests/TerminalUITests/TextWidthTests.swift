import DataSourcesTesting
import TerminalUI
import Testing
import TestSupport

@Suite struct TextWidthTests {
  static let table: [(text: String, columns: Int, shown: String)] = [
    ("", 0, ""),
    ("Paris", 5, "Paris"),
    ("Århus", 5, "Århus"),
    ("e\u{301}", 1, "e\u{301}"),
    ("漢字", 4, "漢字"),
    ("Ａ", 2, "Ａ"),
    ("한국", 4, "한국"),
    ("🇫🇷", 2, "FR"),
    ("🇫🇷🇩🇪", 4, "FRDE"),
    ("🇫", 1, "F"),
    ("x🇫🇷y", 4, "xFRy"),
    ("👍🏽", 3, "👍▒"),
    ("👍🏻👍🏼👍🏾👍🏿", 12, "👍□👍░👍▓👍■"),
    ("☝🏽x", 3, "☝▒x"),
    ("🏽", 2, "🏽"),
    ("a🏽", 3, "a🏽"),
    ("👨‍👩‍👧", 6, "👨👩👧"),
    ("👩🏽‍💻x", 6, "👩▒💻x"),
    ("❤️", 1, "❤"),
    ("❤️‍🔥", 3, "❤🔥"),
    ("1️⃣", 1, "1\u{20E3}"),
    ("का", 2, "का"),
    ("\u{1FAE8}", 1, "\u{FFFD}"),
    ("a\tb", 3, "a␉b"),
    ("\u{1B}[31m", 5, "␛[31m"),
    ("\u{9B}31m", 4, "\u{FFFD}31m"),
    ("\r\n", 2, "␍␊"),
    ("\u{7F}", 1, "␡"),
    ("a\u{200B}b\u{FEFF}", 2, "ab"),
    ("a\u{202E}b", 3, "a\u{FFFD}b"),
    ("co\u{AD}op", 5, "co-op"),
    ("\u{301}a", 2, "\u{FFFD}a"),
    ("שלום", 4, "שלום"),
    ("\u{2028}", 1, "␤"),
  ]

  @Test(
    "runs of disputed width are found with their beginning and end",
    arguments: [
      ("Paris", []), ("漢字 Ａ", []), ("│▸ ● → …", []), ("é", []), ("বাংলা x", [0..<5]),
      ("a हिन्दी b তা", [2..<7, 10..<12]), ("☝☝ ok", [0..<2]), ("x👍y", [1..<3]),
      ("e\u{301}x", [0..<1]), ("שלום", [0..<4]), ("a 한", []), ("a \u{1112}\u{1161}", [2..<4]),
    ] as [(String, [Range<Int>])])
  func disputed(text: String, runs: [Range<Int>]) {
    var frame = Frame(size: Size(columns: 20, rows: 1))
    frame.write(text, row: 0, column: 0)
    #expect(frame.disputedRuns(row: 0) == runs)
  }

  @Test("text takes the columns that all terminals agree on", arguments: table)
  func columns(row: (text: String, columns: Int, shown: String)) {
    #expect(TextWidth.columns(of: row.text) == row.columns)
  }

  @Test("the measured width is the written width", arguments: table)
  func written(row: (text: String, columns: Int, shown: String)) {
    var frame = Frame(size: Size(columns: 20, rows: 1))
    let used = frame.write(row.text, row: 0, column: 0)
    #expect(used == row.columns)
    #expect(frame.text.unicodeScalars.elementsEqual(row.shown.unicodeScalars))
  }

  @Test("a cell has at most four marks")
  func marks() {
    var frame = Frame(size: Size(columns: 4, rows: 1))
    frame.write("a" + String(repeating: "\u{301}", count: 40) + "b", row: 0, column: 0)
    #expect(frame.marks(row: 0, column: 0).count == TextWidth.maxMarks)
    #expect(frame.cell(row: 0, column: 1).scalar == "b")
  }

  @Test(
    "a truncated text ends in an ellipsis and fits",
    arguments: [
      ("Paris", 5, "Paris"), ("Paris", 4, "Par…"), ("Paris", 1, "…"), ("Paris", 0, ""),
      ("漢字漢字", 5, "漢字…"), ("漢字漢字", 6, "漢字…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
  func truncated(text: String, columns: Int, expected: String) {
    #expect(TextWidth.truncated(text, to: columns) == expected)
  }

  @Test(
    "a text shortened in the middle keeps both ends",
    arguments: [
      ("orders.sqlite", 13, "orders.sqlite"), ("orders.sqlite", 12, "order…sqlite"),
      ("orders.sqlite", 3, "o…e"), ("orders.sqlite", 2, "o…"), ("orders.sqlite", 0, ""),
      ("漢字漢字漢字", 7, "漢…漢字"), ("漢字漢字漢字", 8, "漢…漢字"),
    ])
  func shortened(text: String, columns: Int, expected: String) {
    #expect(TextWidth.shortened(text, to: columns) == expected)
  }

  @Test("measuring any random text agrees with writing it")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = randomText(&generator)
      var frame = Frame(size: Size(columns: 200, rows: 1))
      let used = frame.write(text, row: 0, column: 0)
      #expect(
        used == TextWidth.columns(of: text), "seed \(seed), \(text.unicodeScalars.map(\.value))")
    }
  }
}

/// Text with the kinds of scalars that are easily handled wrongly.
func randomText(_ generator: inout SeededGenerator) -> String {
  let kinds: [ClosedRange<UInt32>] = [
    0...0x7F, 0x80...0xFF, 0x300...0x36F, 0x590...0x6FF, 0x900...0x97F, 0x1100...0x11FF,
    0x200B...0x206F, 0x2190...0x27BF, 0x4E00...0x4EFF, 0xFE00...0xFE0F, 0x1F1E6...0x1F1FF,
    0x1F300...0x1FAFF, 0x200D...0x200D, 0...0x10FFFF,
  ]
  var view = String.UnicodeScalarView()
  for _ in 0..<Int.random(in: 0...12, using: &generator) {
    let kind = kinds.randomElement(using: &generator) ?? 0...0x7F
    if let scalar = Unicode.Scalar(UInt32.random(in: kind, using: &generator)) {
      view.append(scalar)
    }
  }
  return String(view)
}
