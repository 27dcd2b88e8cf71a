package import DataSourcesTesting

extension SeededGenerator {
  /// A number from 0 to `limit - 1`.
  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns true with a probability of 1 in `count`.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// A random element of a list that is not empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
