/// A part of a regular expression.
indirect enum PatternPart {
  /// A scalar in the set with this index.
  case scalar(Int)
  case atStart
  case atEnd
  case atBoundary(isInside: Bool)
  case sequence([PatternPart])
  case choice([PatternPart])
  /// A part that is repeated from a minimum to a maximum number of times; nil means no maximum.
  case repeated(PatternPart, Int, Int?)
}

/// Parses regular expressions: literals, `.`, sets, groups, choices and repetitions.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var sets: [ScalarSet] = []
  private(set) var ignoresCase = false

  private static let maxDepth = 100
  /// The maximum number in the braces of a repetition.
  private static let maxRepetitions = 500

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func whole() throws(PatternError) -> PatternPart {
    if scalars.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      position = 4
    }
    let tree = try choice()
    if position < scalars.count {
      throw error("unmatched parenthesis; write \\) to match the character )")
    }
    return tree
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func error(_ reason: String, at place: Int? = nil) -> PatternError {
    PatternError(position: place ?? position, reason: reason)
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternPart {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else {
      throw error("groups are nested more than \(Self.maxDepth) levels deep")
    }
    var parts = [try sequence()]
    while skip("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternPart {
    var parts: [PatternPart] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      let start = position
      let part = try single()
      parts.append(try repetition(of: part, from: start))
    }
    return .sequence(parts)
  }

  // MARK: Repetitions

  private mutating func repetition(
    of part: PatternPart, from start: Int
  ) throws(PatternError) -> PatternPart {
    var part = part
    var isRepeated = false
    while let (least, most) = try bounds() {
      if isRepeated {
        throw error(
          "a repetition follows another one; put the first one into a group, as in (?:a+)*",
          at: position - 1)
      }
      switch part {
      case .atStart, .atEnd, .atBoundary:
        throw error("^, $, \\b and \\B cannot be repeated", at: start)
      case .scalar, .sequence, .choice, .repeated: break
      }
      part = .repeated(part, least, most)
      isRepeated = true
      // The caller needs only whether the pattern matches, so greedy and lazy repetitions are
      // equivalent.
      _ = skip("?")
    }
    return part
  }

  /// Parses the bounds of `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`; nil when there is no repetition.
  private mutating func bounds() throws(PatternError) -> (Int, Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    let start = position
    guard skip("{") else { return nil }
    guard let least = try number() else {
      throw error("expected a repeat count; write \\{ to match the character {", at: start)
    }
    var most: Int? = least
    if skip(",") { most = try number() }
    guard skip("}") else { throw error("expected } after the repeat count") }
    if let most, most < least {
      throw error("the maximum repeat count is below the minimum", at: start)
    }
    return (least, most)
  }

  private mutating func number() throws(PatternError) -> Int? {
    var number: Int?
    while let digit = current.flatMap({ Character($0).wholeNumberValue }), current?.isASCII == true
    {
      number = (number ?? 0) * 10 + digit
      if let number, number > Self.maxRepetitions {
        throw error("a repeat count cannot be greater than \(Self.maxRepetitions)")
      }
      position += 1
    }
    return number
  }

  // MARK: Single parts

  private mutating func single() throws(PatternError) -> PatternPart {
    let start = position
    guard let scalar = current else { return .sequence([]) }
    position += 1
    switch scalar {
    case "^": return .atStart
    case "$": return .atEnd
    case ".":
      var set = ScalarSet(ranges: [0x0A...0x0A])
      set.isNegated = true
      return add(set)
    case "(": return try group(start)
    case "[": return try set(start)
    case "*", "+", "?":
      throw error(
        "there is nothing to repeat; write \\\(scalar) to match the character \(scalar)", at: start)
    case "\\": return try escaped(start)
    default: return add(ScalarSet(ranges: [folded(scalar)...folded(scalar)]))
    }
  }

  private func folded(_ scalar: Unicode.Scalar) -> UInt32 {
    (ignoresCase ? RegularExpression.folded(scalar) : scalar).value
  }

  private mutating func add(_ set: ScalarSet) -> PatternPart {
    sets.append(set)
    return .scalar(sets.count - 1)
  }

  private mutating func group(_ start: Int) throws(PatternError) -> PatternPart {
    if skip("?") {
      guard skip(":") else {
        throw error(
          "after '(?', only ':' is supported, and 'i)' at the beginning of the pattern", at: start)
      }
    }
    let inner = try choice()
    guard skip(")") else { throw error("this group has no closing parenthesis", at: start) }
    return .sequence([inner])
  }

  private mutating func escaped(_ start: Int) throws(PatternError) -> PatternPart {
    if skip("b") { return .atBoundary(isInside: false) }
    if skip("B") { return .atBoundary(isInside: true) }
    var set = ScalarSet()
    if addClass(to: &set) { return add(set) }
    let scalar = try escapedScalar(start)
    return add(ScalarSet(ranges: [folded(scalar)...folded(scalar)]))
  }

  /// Parses a class after a backslash, such as `\d` or `\W`. Returns false if there is none.
  private mutating func addClass(to set: inout ScalarSet) -> Bool {
    switch current {
    case "d": set.classes.append(.digit)
    case "w": set.classes.append(.word)
    case "s": set.classes.append(.space)
    case "D": set.negatedClasses.append(.digit)
    case "W": set.negatedClasses.append(.word)
    case "S": set.negatedClasses.append(.space)
    default: return false
    }
    position += 1
    return true
  }

  private mutating func escapedScalar(_ start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = current else { throw error("nothing follows the backslash", at: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard skip("{") else {
        throw error("\\u must be followed by a character code, as in \\u{1F600}", at: start)
      }
      var hex = ""
      while let digit = current, digit != "}", hex.unicodeScalars.count < 8 {
        hex.unicodeScalars.append(digit)
        position += 1
      }
      guard skip("}"), let value = UInt32(hex, radix: 16), let scalar = Unicode.Scalar(value)
      else { throw error("\\u must be followed by a character code, as in \\u{1F600}", at: start) }
      return scalar
    default:
      if ScalarSet.isWord(scalar) {
        throw error("the escape \\\(scalar) is not supported", at: start)
      }
      return scalar
    }
  }

  /// Parses a set such as `[a-z_]` or `[^0-9]`.
  private mutating func set(_ start: Int) throws(PatternError) -> PatternPart {
    var set = ScalarSet()
    set.isNegated = skip("^")
    var isFirst = true
    while let scalar = current, scalar != "]" || isFirst {
      isFirst = false
      let place = position
      position += 1
      if scalar == "\\", addClass(to: &set) { continue }
      let low = scalar == "\\" ? try escapedScalar(place) : scalar
      guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges.append(folded(low)...folded(low))
        continue
      }
      position += 1
      let high = try highEnd()
      guard low.value <= high.value else {
        throw error("the range is reversed; write the lower character first", at: place)
      }
      set.ranges.append(low.value...high.value)
      if ignoresCase { addFolded(low, high, to: &set) }
    }
    guard skip("]") else { throw error("this set has no closing bracket", at: start) }
    return add(set)
  }

  private mutating func highEnd() throws(PatternError) -> Unicode.Scalar {
    let place = position
    guard let scalar = current else { throw error("the character after '-' is missing") }
    position += 1
    return scalar == "\\" ? try escapedScalar(place) : scalar
  }

  /// Adds the lower-case forms of the capital letters in a range.
  private func addFolded(_ low: Unicode.Scalar, _ high: Unicode.Scalar, to set: inout ScalarSet) {
    let capitals: ClosedRange<UInt32> = 0x41...0x5A
    let part = (low.value...high.value).clamped(to: capitals)
    guard capitals.contains(low.value) || capitals.contains(high.value) || low.value < 0x41 else {
      return
    }
    guard high.value >= 0x41, low.value <= 0x5A else { return }
    set.ranges.append((part.lowerBound + 0x20)...(part.upperBound + 0x20))
  }
}
