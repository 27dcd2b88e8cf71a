package import Triples

/// The completions at a cursor position in a query text.
package struct QueryCompletion: Hashable, Sendable {
  package struct Candidate: Hashable, Sendable {
    /// The text to insert. It is in backquotes if the query language requires that.
    package var text: String
    /// The kind of piece that the text will be in the query.
    package var kind: QuerySpan.Kind
    /// A short description, such as a type, a link's target, or the effect of an operator.
    package var note: String
    /// Whether another word must follow the text, after a space.
    package var needsWord: Bool

    package init(text: String, kind: QuerySpan.Kind, note: String, needsWord: Bool = false) {
      self.text = text
      self.kind = kind
      self.note = note
      self.needsWord = needsWord
    }

    /// Creates a candidate for the key of a JSON object.
    package init(key: String, note: String) {
      self.init(text: Words.written(key), kind: .attribute, note: note)
    }
  }

  /// A field whose existing values the caller can offer as completions.
  package struct Field: Hashable, Sendable {
    package var namespace: String
    package var path: AttributePath

    package init(namespace: String, path: AttributePath) {
      self.namespace = namespace
      self.path = path
    }
  }

  /// The offset of the word to replace, in UTF-8 bytes. A chosen candidate replaces the text from
  /// there to the cursor.
  package let start: Int
  /// The candidates. Those that begin with the word come first.
  package let candidates: [Candidate]
  /// The field whose values the caller can offer as completions; nil if no value may follow.
  package let valuesOf: Field?
  /// The comparison to insert before a value, such as `= `; empty if the text has one.
  package let comparison: String
  /// Whether a part of a value may be typed instead of a whole one, because an operator such as
  /// `like` precedes it.
  package let isPattern: Bool
  /// The path to JSON objects whose keys the caller can offer as completions; nil if no key may
  /// follow.
  package let keysOf: Field?
  /// A description of what the user must type, such as `a whole number`; nil if a word is begun or
  /// candidates are listed.
  package let description: String?

  /// Finds the candidates at a position in query text.
  ///
  /// - Parameters:
  ///   - text: The whole text. Anything after `offset` is ignored.
  ///   - offset: The cursor position in UTF-8 bytes.
  ///   - scope: The namespace, if the text is only a condition; nil for complete queries.
  package init(_ text: String, at offset: Int, scope: String? = nil, schema: Schema) {
    let bytes = Array(text.utf8.prefix(max(0, offset)))
    func read(before start: Int) -> CompletionContext {
      CompletionContext(
        String(decoding: bytes[..<start], as: UTF8.self), scope: scope, schema: schema)
    }
    var start = Self.wordStart(in: bytes)
    var context = read(before: start)
    if let unquotedStart = context.unquotedStart {
      // The words of a value without quotes are completed together.
      start = unquotedStart
      context = read(before: start)
    }
    let word = String(decoding: bytes[start...], as: UTF8.self)
    self.start = start
    candidates = Self.ranked(
      context.candidates(schema, isWordBegun: !word.isEmpty), by: word)
    // A word after a field is a value if no operator begins with it.
    let isValue = !context.isUncompared || !word.isEmpty && !Self.beginsOperator(word)
    valuesOf = isValue ? context.valuesOf : nil
    comparison = context.isUncompared ? "= " : ""
    isPattern = context.isPattern
    keysOf = context.keysOf
    description = word.isEmpty ? context.description : nil
  }

  private static func beginsOperator(_ word: String) -> Bool {
    WhereOperator.allCases.contains { $0.spelling.hasPrefix(word.lowercased()) }
  }

  /// Returns the offset at which the last word begins. If a quote is not closed, it is part of the
  /// word.
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

  /// Sorts candidates, ignoring case: first those that begin with the word, then those that contain
  /// it. A name precedes longer names that begin with it, such as a link its foreign-key column.
  package static func ranked(_ candidates: [Candidate], by word: String) -> [Candidate] {
    let typed = letters(of: word)
    guard !typed.isEmpty else { return candidates }
    var first: [(candidate: Candidate, text: [UInt8])] = []
    var later: [Candidate] = []
    for candidate in candidates {
      let text = letters(of: candidate.text)
      if text == typed { continue }
      if text.starts(with: typed) {
        let isField = candidate.kind.isField
        let longer = first.firstIndex {
          isField && $0.candidate.kind.isField && $0.text.count > text.count
            && $0.text.starts(with: text)
        }
        first.insert((candidate, text), at: longer ?? first.endIndex)
      } else if text.indices.contains(where: { text[$0...].starts(with: typed) }) {
        later.append(candidate)
      }
    }
    return first.map(\.candidate) + later
  }

  /// Returns the lowercase bytes of a name without backquotes. They are compared several times
  /// faster than characters, for each key that the user types.
  private static func letters(of name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "`") }
  }
}

extension QuerySpan.Kind {
  /// Whether the piece is the name of an attribute or of a link.
  fileprivate var isField: Bool { self == .attribute || self == .link }
}
