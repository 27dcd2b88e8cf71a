import DataSourcesTesting
import Testing
import Triples
import TestSupport

struct CollationTests {
  @Test("names are ordered as in English, with any accents and capitals")
  func reading() {
    let wanted = [
      "", "_x", "-x", "1", "10", "2", "ana", "Ana", "ána", "anb", "bo", "Cy", "Émile", "Emilia",
      "ødegård", "ss", "ß", "zoe", "Zoë", "ωμέγα", "яна", "漢",
    ]
    #expect(wanted.shuffled().sorted { Collation.compare($0, $1) < 0 } == wanted)
  }

  @Test("control characters are ignored, so such texts are equal")
  func ignorable() {
    #expect(Collation.compare("a\u{1}b", "ab") == 0)
    #expect(Collation.compare("\u{0}", "") == 0)
    #expect(Collation.compare("e\u{301}", "é") == 0)
  }

  @Test("for every pair of ASCII characters the shortcut agrees with the Unicode library")
  func allPairs() {
    let all = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
    for a in all {
      for b in all {
        for (left, right) in [(a, b), (a + "x", b + "X"), ("m" + a, "M" + b), (a + b, b)] {
          #expect(
            shortcut(left, right) == library(left, right),
            "\(left.debugDescription) \(right.debugDescription)")
        }
      }
    }
  }

  @Test("for random texts the shortcut agrees with the Unicode library or defers to it")
  func randomTexts() {
    var random = SeededGenerator(seed: 42)
    let plain = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
    let strange = [
      "é", "e\u{301}", "\u{301}", "ß", "l·", "·", "ñ", "Å", "漢", "👩‍👩‍👧", "\u{200d}", "ﬁ", "a\u{308}",
    ]
    for round in 0..<60_000 {
      let alphabet = round % 2 == 0 ? plain : plain.suffix(64) + strange + strange
      let left = text(of: alphabet, using: &random)
      var right = text(of: alphabet, using: &random)
      if round % 3 == 0 { right = left + right }
      let decided = shortcut(left, right)
      if round % 2 == 0 { #expect(decided != nil) }
      if let decided {
        #expect(
          decided == library(left, right), "\(left.debugDescription) \(right.debugDescription)")
      }
      #expect(Collation.compare(left, right) == -Collation.compare(right, left))
    }
  }

  #if os(Linux)
    @Test("sort keys give the same order as comparisons")
    func sortKeys() {
      var random = SeededGenerator(seed: 7)
      let alphabet = ["a", "b", "B", "é", "e\u{301}", " ", "-", "漢", "\u{1}", "😀", "l·", "1"]
      for _ in 0..<5_000 {
        let left = text(of: alphabet, using: &random)
        let right = text(of: alphabet, using: &random)
        let a = Collation.sortKey(left)
        let b = Collation.sortKey(right)
        let order = a == b ? 0 : (a.lexicographicallyPrecedes(b) ? -1 : 1)
        #expect(order == Collation.compare(left, right))
      }
    }
  #endif

  private func text(of alphabet: [String], using random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      alphabet.randomElement(using: &random)!
    }.joined()
  }

  private func shortcut(_ a: String, _ b: String) -> Int? {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in Collation.compareASCII(a, b) } }
  }

  private func library(_ a: String, _ b: String) -> Int? {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in Collation.compareUnicode(a, b) } }
  }
}
