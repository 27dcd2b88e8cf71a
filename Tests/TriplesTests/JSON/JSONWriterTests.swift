import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("Writing JSON")
struct JSONWriterTests {
  private static let spellings: [(Value, String)] = [
    (Value.null, "null"), (true, "true"), (-3, "-3"), (.double(1), "1.0"), (0.1, "0.1"),
    (.integer(.min), "-9223372036854775808"), (.double(1e300), "1e+300"),
    (.double(.infinity), "null"), (.double(.nan), "null"),
    ("q\"b\\n\n\u{1}\u{1F}/é\u{2028}", #""q\"b\\n\n\u0001\u001f/é"# + "\u{2028}\""),
    ([1, [], [:]], "[1,[],{}]"), (["b": 1, "a": [nil]], #"{"b":1,"a":[null]}"#),
  ]

  @Test(
    "a value is written in the shortest form that round-trips",
    arguments: spellings)
  func text(value: Value, text: String) {
    #expect(JSONWriter.text(value) == text)
  }

  @Test("canonical text has its keys sorted by UTF-16 code units at every level")
  func sortedKeys() {
    let value: Value = ["\u{FB33}": 1, "b": ["z": 1, "a": 2], "😀": 2, "a": 3]
    #expect(
      JSONWriter.text(value, keyOrder: .sorted)
        == "{\"a\":3,\"b\":{\"a\":2,\"z\":1},\"😀\":2,\"\u{FB33}\":1}")
  }

  @Test("written values round-trip, including the form of numbers", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let value = random.value(depth: 4)
      let text = JSONWriter.text(value)
      #expect(try JSONReader.value(of: text) == value, "seed \(seed): \(text)")
    }
  }

  @Test("broken and random bytes are parsed or rejected without a crash", arguments: 0..<20)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes = JSONWriter.bytes(random.value(depth: 3))
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(#"{}[]",:\u0e-."#.utf8.randomElement(using: &random)!, at: place)
        default: bytes.removeSubrange(place...)
        }
      }
      do throws(JSONError) {
        let value = try JSONReader.value(of: bytes)
        // Accepted values must be valid, so they can be written again.
        let again = try JSONReader.value(of: JSONWriter.bytes(value))
        #expect(again == value, "seed \(seed)")
      } catch {
        #expect(error.offset >= 0 && error.offset <= bytes.count, "seed \(seed): \(error)")
        #expect(error.line >= 1 && error.column >= 1)
      }
    }
  }
}
