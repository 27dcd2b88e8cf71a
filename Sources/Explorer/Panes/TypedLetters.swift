/// An entry of a filtered list, with the positions of the typed letters in its text.
struct TypedMatch<Entry: Sendable & Equatable>: Sendable, Equatable {
  let entry: Entry
  /// Empty if the text does not contain the letters, but another name of the entry does.
  var letters: [Int] = []
  /// Whether the entry is a command or a setting, and none of its words begins with the letters.
  var isFar = false
}

/// The letters that a user typed to filter a list. A name matches if it contains them in order.
/// Without letters, all names match.
struct TypedLetters: Sendable, Equatable {
  let letters: [Character]
  /// The letters with the spaces between the typed words.
  private let phrase: [Character]

  init(_ text: String) {
    letters = Array(text.lowercased().filter { !$0.isWhitespace })
    phrase = Array(text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// Returns the positions of the letters in a name, and a score that is lower for a better match;
  /// nil if the name does not match.
  ///
  /// The best match is the whole name, then its beginning, the beginning of a word, another part
  /// of the name, and last letters with others between them.
  func match(_ name: String) -> (positions: [Int], score: Int)? {
    let characters = Self.lowercased(name)
    if let part = part(of: characters) { return part }
    var positions: [Int] = []
    var next = 0
    for letter in letters {
      guard let place = characters[next...].firstIndex(of: letter) else { return nil }
      positions.append(place)
      next = place + 1
    }
    // Spaces are not typed.
    let isWhole = letters == characters.filter { !$0.isWhitespace }
    return (positions, isWhole ? 0 : Self.scattered + next - letters.count)
  }

  /// Returns the positions of the typed words in a text without other letters between them; nil if
  /// the text does not contain them.
  func places(in text: String) -> [Int]? {
    phrase.isEmpty ? [] : part(of: Self.lowercased(text))?.positions
  }

  /// Returns the match of the typed words without other letters between them; nil if there is none.
  private func part(of name: [Character]) -> (positions: [Int], score: Int)? {
    guard phrase.count <= name.count else { return nil }
    let places = (0...(name.count - phrase.count)).filter {
      name[$0..<$0 + phrase.count].elementsEqual(phrase)
    }
    let start = places.first { Self.isWordStart($0, in: name) }
    guard let place = start ?? places.first else { return nil }
    let score: Int
    if place == 0 {
      score = phrase.count == name.count ? 0 : Score.beginning
    } else {
      score = (start == nil ? Score.inside : Score.word) + min(9, place)
    }
    return ((place..<place + phrase.count).filter { !name[$0].isWhitespace }, score)
  }

  private enum Score {
    static let beginning = 5
    static let word = 10
    static let inside = 20
  }

  /// The lowest score of a match with other letters between the typed ones. It exceeds the scores
  /// of all other matches, even with the penalties that the palette adds.
  static let scattered = 100

  /// Returns whether a score is that of a whole name, or of the beginning of one of its words.
  static func isNear(_ score: Int) -> Bool { score < Score.inside }

  private static func lowercased(_ name: String) -> [Character] {
    name.map { $0.lowercased().first ?? $0 }
  }

  private static func isWordStart(_ place: Int, in name: [Character]) -> Bool {
    func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    return place == 0 || isInWord(name[place]) && !isInWord(name[place - 1])
  }

  /// Returns the elements that match, lowest score first. Elements with the same score keep their
  /// order.
  ///
  /// - Parameter limit: Elements with this score or a higher one are left out if others match.
  static func ranked<Element, Match>(
    _ elements: [Element], below limit: Int = .max,
    rate: (Element) -> (match: Match, score: Int)?
  ) -> [Match] {
    let found = elements.enumerated().compactMap { place, element in
      rate(element).map { (match: $0.match, score: $0.score, place: place) }
    }
    .sorted { ($0.score, $0.place) < ($1.score, $1.place) }
    let near = found.prefix { $0.score < limit }
    return (near.isEmpty ? found[...] : near).map(\.match)
  }
}
