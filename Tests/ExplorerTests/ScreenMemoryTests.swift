import Explorer
import InstaQL
import Testing
import Triples

@Suite struct `What the screen holds` {
  @Test(
    "does not grow with the number of rows, apart from store and answer",
    arguments: [
      "4", "4 G", "4 v", "4 v G", "4 v v G", "4 l s", "4 l z", "4 > down down", "4 enter",
      "4 space",
      "2", "3", "C", "W", "D", "?", ":",
    ])
  func independence(keys: String) throws {
    let few = try Self.held(plants: 100, after: keys)
    let many = try Self.held(plants: 3_000, after: keys)

    #expect(few > 0)
    // Numbers with more digits, and a page that the few do not fill.
    #expect(many < few * 5 / 4 + 200)
  }

  private static func held(plants count: Int, after keys: String) throws -> Int {
    let plants = (0..<count).map { number in
      #"{"key": "k\#(number)", "name": "Plant \#(number % 7)", "height": \#(number), "bed": "pond"}"#
    }
    let store = try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
    var screen = try Screen(query: QueryPlan("plants"), store: store)
    screen.press(keys)
    _ = screen.text
    return size(of: screen.workspace)
  }

  /// The number of values and text bytes of a value, without those shared with the store.
  private static func size(of value: Any) -> Int {
    switch value {
    case is Answer, is StoreSnapshot, is TripleStore: return 0
    case let text as String: return text.utf8.count
    default: return Mirror(reflecting: value).children.reduce(1) { $0 + size(of: $1.value) }
    }
  }
}
