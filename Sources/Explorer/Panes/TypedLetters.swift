/// The letters that a user typed to filter a list. A name matches if it contains them in order.
/// Without letters, all names match.
struct TypedLetters {
  let letters: [Character]

  init(_ text: String) {
    letters = Array(text.lowercased().filter { !$0.isWhitespace })
  }

  /// Returns the positions of the letters in a name, and a score that is lower for better matches.
  /// Nil if the name does not match.
  ///
  /// Adjacent letters score best, then the score grows with the number of other letters before and
  /// between them.
  func match(_ name: String) -> (positions: [Int], score: Int)? {
    let name = name.map { $0.lowercased().first ?? $0 }
    if letters.count <= name.count {
      let places = 0...(name.count - letters.count)
      let place = places.first { name[$0..<$0 + letters.count].elementsEqual(letters) }
      if let place { return (Array(place..<place + letters.count), min(9, place)) }
    }
    var positions: [Int] = []
    var next = 0
    for letter in letters {
      guard let place = name[next...].firstIndex(of: letter) else { return nil }
      positions.append(place)
      next = place + 1
    }
    return (positions, 10 + next - letters.count)
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
