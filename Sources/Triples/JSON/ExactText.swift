/// A text that is compared byte by byte.
///
/// `String` considers `é` as one scalar equal to `e` with a combining accent. As JSON keys and
/// values, the two differ.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

  // Texts with equal bytes are equal strings, so they have equal hashes.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
  /// Returns whether both texts have the same Unicode scalars.
  package func isExactly(_ other: String) -> Bool {
    // Comparing strings first is fast, since it compares memory and most texts differ.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}
