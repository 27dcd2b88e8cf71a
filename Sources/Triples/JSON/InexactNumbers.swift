/// Numbers of a text that no value can hold as they were written: the first few, and how many.
package struct InexactNumbers: Sendable {
  package struct Number: Sendable {
    /// In bytes from the beginning.
    package let offset: Int
    /// As it was written, cut where it is very long.
    package let text: String
  }

  package private(set) var first: [Number] = []
  package private(set) var count = 0

  private var last = -1

  private static let mostKept = 3

  mutating func note(_ offset: Int, _ text: String) {
    // A huge integer is noted as too large, and again as no integer.
    if offset == last { return }
    last = offset
    count += 1
    guard first.count < Self.mostKept else { return }
    first.append(Number(offset: offset, text: text.count > 40 ? text.prefix(37) + "..." : text))
  }
}
