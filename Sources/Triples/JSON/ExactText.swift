/// A text that equals another only when their bytes do.
///
/// `String` takes `é` written as one scalar or as two for the same; JSON keys and values do not.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

  // The hash is that of the text: texts of equal bytes have it in common.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
  /// Whether both are the same scalars.
  package func isExactly(_ other: String) -> Bool {
    // Comparing as texts first is fast: it compares memory, and most texts differ.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}
