import DataSourcesTesting
import Testing
import Triples
import TestSupport

/// The order found by bytes equals the order by comparison.
struct TextOrderTests {
  /// Common prefixes, and texts that make orders differ: capitals, accents, control characters,
  /// characters beyond U+FFFF and those that follow them as code units.
  private static let parts = [
    "a", "b", "A", "B", " ", "-", "9", "common beginning ", "Common Beginning ", "\u{0}", "\u{1}",
    "é", "e\u{301}", "ß", "\u{200B}", "\u{E000}", "\u{FFFD}", "😀", "漢", "я",
  ]

  private static func texts(_ seed: UInt64, of parts: [String], count: Int) -> [String] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        parts.randomElement(using: &random)!
      }.joined()
    }
  }

  @Test("ranks agree with comparisons for texts of every kind", arguments: [true, false])
  func everyKind(_ isCollated: Bool) {
    for seed in 1...8 as ClosedRange<UInt64> {
      expectOrder(Self.texts(seed, of: Self.parts, count: 400), isCollated, seed)
    }
  }

  @Test(
    "ranks agree with comparisons for many plain texts with equal prefixes",
    arguments: [true, false])
  func plain(_ isCollated: Bool) {
    let plain = Self.parts.filter { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    for seed in 1...4 as ClosedRange<UInt64> {
      expectOrder(Self.texts(seed, of: plain, count: 2_000), isCollated, seed)
    }
  }

  @Test("a prefix comes before longer texts, and a zero byte counts")
  func ends() {
    let texts = (0..<40).map { String(repeating: "a", count: $0) } + ["a\u{0}", "aaaaaaaa\u{0}"]
    expectOrder(texts, false, 0)
    expectOrder(texts, true, 0)
  }

  private func expectOrder(_ texts: [String], _ isCollated: Bool, _ seed: UInt64) {
    let ranks = TextOrder.ranks(of: texts, isCollated: isCollated)
    let order = texts.indices.sorted { ranks[$0] < ranks[$1] }
    var last: UInt32?
    for (a, b) in zip(order, order.dropFirst()) {
      let wanted = Self.compare(texts[a], texts[b], isCollated)
      #expect(
        wanted < 0 ? ranks[b] == ranks[a] + 1 : wanted == 0 && ranks[b] == ranks[a],
        "seed \(seed): \(texts[a].debugDescription) \(texts[b].debugDescription)")
      last = ranks[b]
    }
    #expect(ranks.max() == last)
  }

  private static func compare(_ a: String, _ b: String, _ isCollated: Bool) -> Int {
    if isCollated { return Collation.compare(a, b) }
    let (a, b) = (Array(a.utf16), Array(b.utf16))
    return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
  }
}
