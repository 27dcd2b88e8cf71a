/// A regular expression with linear matching time.
///
/// It matches a text if any part of the text matches; `^` and `$` stand for the ends of the text.
/// Each scalar of the text advances a set of states, so no part is tried twice. The time is
/// proportional to the length of the text times the number of states.
package struct RegularExpression: Hashable, Sendable {
  package let text: String
  /// The states. Matching begins at the last state.
  let states: [State]
  let sets: [ScalarSet]
  let ignoresCase: Bool

  /// The maximum number of states; `(ab){50}` has a hundred.
  package static let maxStates = 1_000

  enum State: Hashable, Sendable {
    /// Consumes a scalar in the set with this index.
    case scalar(set: Int, next: Int)
    /// Continues at both states.
    case split(Int, Int)
    case atStart(next: Int)
    case atEnd(next: Int)
    /// Matches at a word boundary or, if `isInside` is true, everywhere except at a word boundary.
    case atBoundary(isInside: Bool, next: Int)
    case match
  }

  /// Parses a regular expression.
  ///
  /// - Throws: `PatternError` with the position and the reason.
  package init(_ text: String) throws(PatternError) {
    self.text = text
    var parser = PatternParser(text)
    let tree = try parser.whole()
    ignoresCase = parser.ignoresCase
    var builder = StateBuilder()
    let start = try builder.build(tree, next: builder.add(.match))
    // Matching begins at the last state, which is added here and continues at the start.
    states = builder.states + [.split(start, start)]
    sets = parser.sets
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  /// Returns whether the expression matches anywhere in a text.
  ///
  /// - Complexity: O(length × states).
  package func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var now = StateSet(count: states.count)
    var later = StateSet(count: states.count)
    var waiting: [Int] = []
    var position = 0
    var previous: Unicode.Scalar?
    while true {
      let (scalar, length) = Self.scalar(bytes, at: position)
      // A match may begin at each position.
      enter(states.count - 1, &now, &waiting, previous, scalar)
      if now.hasMatch { return true }
      guard let scalar else { return false }
      let folded = ignoresCase ? Self.folded(scalar) : scalar
      for place in now.list {
        guard case .scalar(let set, let next) = states[place], sets[set].contains(scalar, folded)
        else { continue }
        later.pending.append(next)
      }
      position += length
      let (following, _) = Self.scalar(bytes, at: position)
      now.removeAll()
      swap(&now, &later)
      for place in now.removePending() { enter(place, &now, &waiting, scalar, following) }
      previous = scalar
    }
  }

  /// Adds a state, and all states that are reachable from it without consuming a scalar.
  private func enter(
    _ start: Int, _ set: inout StateSet, _ waiting: inout [Int], _ before: Unicode.Scalar?,
    _ after: Unicode.Scalar?
  ) {
    waiting.append(start)
    while let place = waiting.popLast() {
      guard set.insert(place) else { continue }
      switch states[place] {
      case .scalar: set.list.append(place)
      case .split(let first, let second):
        waiting.append(second)
        waiting.append(first)
      case .atStart(let next): if before == nil { waiting.append(next) }
      case .atEnd(let next): if after == nil { waiting.append(next) }
      case .atBoundary(let isInside, let next):
        let isBoundary = Self.isWord(before) != Self.isWord(after)
        if isBoundary != isInside { waiting.append(next) }
      case .match: set.hasMatch = true
      }
    }
  }

  private struct StateSet {
    var list: [Int] = []
    var pending: [Int] = []
    var hasMatch = false
    private var known: [UInt64]

    init(count: Int) { known = Array(repeating: 0, count: count / 64 + 1) }

    mutating func insert(_ place: Int) -> Bool {
      let bit: UInt64 = 1 << UInt64(place & 63)
      if known[place >> 6] & bit != 0 { return false }
      known[place >> 6] |= bit
      return true
    }

    mutating func removePending() -> [Int] {
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      hasMatch = false
      for place in known.indices { known[place] = 0 }
    }
  }

  /// Returns the scalar at a position of valid UTF-8, and its length in bytes; nil at the end.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> (Unicode.Scalar?, Int) {
    guard position < bytes.count else { return (nil, 0) }
    let first = bytes[position]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard position + length <= bytes.count else { return ("\u{FFFD}", bytes.count - position) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for place in 1..<length { value = value << 6 | UInt32(bytes[position + place] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map(ScalarSet.isWord) ?? false
  }

  /// Returns the scalar in lower case, if that is a single scalar; otherwise the scalar itself.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }
}

/// An error in a regular expression.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position in scalars, from 0.
  package var position: Int
  package var reason: String

  package var description: String { message }

  /// The error as one sentence, with its position.
  package var message: String { "At character \(position + 1) of the pattern: \(reason)." }
}

/// A set of scalars: ranges and classes.
struct ScalarSet: Hashable, Sendable {
  enum Class: Hashable, Sendable { case digit, word, space }

  var ranges: [ClosedRange<UInt32>] = []
  var classes: [Class] = []
  var negatedClasses: [Class] = []
  var isNegated = false

  /// Returns whether the set contains a scalar.
  ///
  /// - Parameter folded: The same scalar in lower case, if case is ignored. If so, the ranges also
  ///   contain lower-case letters.
  func contains(_ scalar: Unicode.Scalar, _ folded: Unicode.Scalar) -> Bool {
    holds(scalar, folded) != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar, _ folded: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) || range.contains(folded.value) {
      return true
    }
    for kind in classes where Self.isMember(scalar, of: kind) { return true }
    for kind in negatedClasses where !Self.isMember(scalar, of: kind) { return true }
    return false
  }

  private static func isMember(_ scalar: Unicode.Scalar, of kind: Class) -> Bool {
    switch kind {
    case .digit: ("0"..."9").contains(scalar) || scalar.properties.generalCategory == .decimalNumber
    case .word: isWord(scalar)
    case .space: scalar.properties.isWhitespace
    }
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_"
    }
    let category = scalar.properties.generalCategory
    return scalar.properties.isAlphabetic || category == .decimalNumber
      || category == .nonspacingMark || category == .spacingMark
  }
}

/// Builds the states of a pattern from its end to its beginning.
private struct StateBuilder {
  var states: [RegularExpression.State] = []
  private var steps = 0
  /// The maximum number of building steps, which also limits repeated empty groups.
  private static let maxSteps = 100_000

  mutating func add(_ state: RegularExpression.State) throws(PatternError) -> Int {
    guard states.count < RegularExpression.maxStates else {
      throw PatternError(
        position: 0,
        reason: "the pattern is too large; use a shorter pattern or smaller repeat counts")
    }
    states.append(state)
    return states.count - 1
  }

  /// Builds a part that continues at `next`, and returns the index of its first state. The parser
  /// limits the depth of groups, and so the depth of recursion.
  mutating func build(_ part: PatternPart, next: Int) throws(PatternError) -> Int {
    steps += 1
    guard steps < Self.maxSteps else {
      throw PatternError(
        position: 0,
        reason: "the repeat counts of the pattern are too large; use smaller ones")
    }
    switch part {
    case .scalar(let set): return try add(.scalar(set: set, next: next))
    case .atStart: return try add(.atStart(next: next))
    case .atEnd: return try add(.atEnd(next: next))
    case .atBoundary(let isInside): return try add(.atBoundary(isInside: isInside, next: next))
    case .sequence(let parts):
      var start = next
      for part in parts.reversed() { start = try build(part, next: start) }
      return start
    case .choice(let parts):
      var start = try build(parts[parts.count - 1], next: next)
      for part in parts.dropLast().reversed() {
        start = try add(.split(build(part, next: next), start))
      }
      return start
    case .repeated(let inner, let least, let most): return try repeated(inner, least, most, next)
    }
  }

  private mutating func repeated(
    _ inner: PatternPart, _ least: Int, _ most: Int?, _ next: Int
  ) throws(PatternError) -> Int {
    var start = next
    if let most {
      for _ in least..<max(least, most) {
        start = try add(.split(build(inner, next: start), next))
      }
    } else {
      let loop = try add(.match)
      let body = try build(inner, next: loop)
      states[loop] = .split(body, next)
      start = loop
    }
    for _ in 0..<least { start = try build(inner, next: start) }
    return start
  }
}
