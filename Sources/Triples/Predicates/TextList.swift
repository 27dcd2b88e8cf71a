/// Texts of which one is wanted, compared by their bytes: however many there are, a question costs
/// about the same.
struct TextList: Sendable {
  let texts: [String]
  /// The bytes of the texts, when there are too many to try one after another.
  private let lookup: Set<[UInt8]>

  private static let fewTexts = 8

  init(_ texts: [String]) {
    self.texts = texts
    lookup = texts.count > Self.fewTexts ? Set(texts.map { Array($0.utf8) }) : []
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
