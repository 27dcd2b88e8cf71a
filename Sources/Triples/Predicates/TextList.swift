/// A set of texts that are compared by bytes. A lookup takes about the same time for any number of
/// texts.
struct TextList: Sendable {
  let texts: [String]
  /// The bytes of the texts as a hash set; empty if a linear search is fast enough.
  private let lookup: Set<[UInt8]>

  private static let maxComparedTexts = 8

  init(_ texts: [String]) {
    self.texts = texts
    lookup = texts.count > Self.maxComparedTexts ? Set(texts.map { Array($0.utf8) }) : []
  }

  func contains(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { contains($0) }
  }

  func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if !lookup.isEmpty { return lookup.contains(Array(bytes)) }
    return texts.contains { text in
      var text = text
      return text.withUTF8 { Bytes.equal($0, bytes) }
    }
  }
}
