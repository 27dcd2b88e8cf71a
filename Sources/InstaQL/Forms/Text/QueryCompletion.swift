package import Triples

/// What could be typed next in a query text.
package struct QueryCompletion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case namespace, attribute, link, word, comparison, value }

  package struct Candidate: Hashable, Sendable {
    /// What to put in, in backquotes where needed.
    package var text: String
    package var kind: Kind
    /// A few words about it: a type, where a link leads, what an operator does.
    package var note: String

    package init(text: String, kind: Kind, note: String) {
      self.text = text
      self.kind = kind
      self.note = note
    }
  }

  /// The field whose values would fit; the caller knows which values were seen.
  package struct Field: Hashable, Sendable {
    package var namespace: String
    package var path: AttributePath

    package init(namespace: String, path: AttributePath) {
      self.namespace = namespace
      self.path = path
    }
  }

  /// Where the word begins that a candidate takes the place of, in bytes of UTF-8.
  package let start: Int
  /// Those that begin with the word come first.
  package let candidates: [Candidate]
  /// Set where a value is wanted.
  package let valuesOf: Field?

  /// - Parameters:
  ///   - text: The whole text; what stands after `offset` is not looked at.
  ///   - offset: Where the cursor stands, in bytes of UTF-8.
  ///   - scope: The namespace, when the text is a condition alone; nil for whole queries.
  package init(_ text: String, at offset: Int, scope: String? = nil, schema: Schema) {
    let bytes = Array(text.utf8.prefix(max(0, offset)))
    let start = Self.wordStart(in: bytes)
    let word = String(decoding: bytes[start...], as: UTF8.self)
    let before = String(decoding: bytes[..<start], as: UTF8.self)
    let wanted = Wanted(before, scope: scope, schema: schema)
    self.start = start
    candidates = Self.ranked(wanted.candidates(schema), by: word)
    valuesOf = wanted.valuesOf
  }

  /// Where the word at the end begins; an open quote belongs to it.
  private static func wordStart(in bytes: [UInt8]) -> Int {
    var quote: (byte: UInt8, start: Int)?
    var wordStart: Int?
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if let open = quote {
        if byte == UInt8(ascii: "\\"), open.byte != UInt8(ascii: "`") { place += 1 }
        if byte == open.byte { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
      {
        quote = (byte, place)
        wordStart = nil
      } else if byte >= 0x80 || Words.continues(Unicode.Scalar(byte)) {
        wordStart = wordStart ?? place
      } else {
        wordStart = nil
      }
      place += 1
    }
    return quote?.start ?? wordStart ?? bytes.count
  }

  /// Those that begin with the word, then those that have it inside; capitals do not matter.
  private static func ranked(_ candidates: [Candidate], by word: String) -> [Candidate] {
    let typed = word.lowercased().filter { $0 != "`" }
    guard !typed.isEmpty else { return candidates }
    var first: [Candidate] = []
    var later: [Candidate] = []
    for candidate in candidates {
      let text = candidate.text.lowercased().filter { $0 != "`" }
      if text == typed { continue }
      if text.hasPrefix(typed) {
        first.append(candidate)
      } else if text.contains(typed) {
        later.append(candidate)
      }
    }
    return first + later
  }
}
