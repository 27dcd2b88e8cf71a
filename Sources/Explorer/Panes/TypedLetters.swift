/// The letters that a user typed to filter a list. A name matches if it contains them in order.
/// Without letters, all names match.
struct TypedLetters {
  let letters: [Character]

  init(_ text: String) {
    letters = Array(text.lowercased().filter { !$0.isWhitespace })
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
    return (positions, isWhole ? 0 : Score.scattered + next - letters.count)
  }

  /// Returns the match of the letters without others between them; nil if there is none.
  private func part(of name: [Character]) -> (positions: [Int], score: Int)? {
    guard letters.count <= name.count else { return nil }
    let places = (0...(name.count - letters.count)).filter {
      name[$0..<$0 + letters.count].elementsEqual(letters)
    }
    let start = places.first { Self.isWordStart($0, in: name) }
    guard let place = start ?? places.first else { return nil }
    let score: Int
    if place == 0 {
      score = letters.count == name.count ? 0 : Score.beginning
    } else {
      score = (start == nil ? Score.inside : Score.word) + min(9, place)
    }
    return (Array(place..<place + letters.count), score)
  }

  private enum Score {
    static let beginning = 5
    static let word = 10
    static let inside = 20
    static let scattered = 40
  }

  private static func lowercased(_ name: String) -> [Character] {
    name.map { $0.lowercased().first ?? $0 }
  }

  private static func isWordStart(_ place: Int, in name: [Character]) -> Bool {
    func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    return place == 0 || isInWord(name[place]) && !isInWord(name[place - 1])
  }

  /// Returns the elements that match, lowest score first. Elements with the same score keep their
  /// order.
  static func ranked<Element, Match>(
    _ elements: [Element], rate: (Element) -> (match: Match, score: Int)?
  ) -> [Match] {
    elements.enumerated().compactMap { place, element in
      rate(element).map { (match: $0.match, score: $0.score, place: place) }
    }
    .sorted { ($0.score, $0.place) < ($1.score, $1.place) }.map(\.match)
  }
}
