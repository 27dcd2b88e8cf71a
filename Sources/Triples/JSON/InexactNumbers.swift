/// The numbers in a JSON text that neither a double nor a 64-bit integer represents exactly. All of
/// them are counted, but only the first few are stored.
package struct InexactNumbers: Sendable {
  package struct Number: Sendable {
    /// The offset of the number in bytes.
    package let offset: Int
    /// The number as written; a very long number is truncated.
    package let text: String
  }

  package private(set) var first: [Number] = []
  package private(set) var count = 0

  private var last = -1

  private static let maxKept = 3

  mutating func record(_ offset: Int, _ text: String) {
    // The parser reports a huge integer twice, but it is counted once.
    if offset == last { return }
    last = offset
    count += 1
    guard first.count < Self.maxKept else { return }
    first.append(Number(offset: offset, text: text.count > 40 ? text.prefix(37) + "..." : text))
  }
}
