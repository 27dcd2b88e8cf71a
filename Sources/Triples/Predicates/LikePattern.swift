/// A pattern for `$like` and `$ilike`. It matches whole texts.
///
/// `%` matches any text, `_` one character, and a backslash escapes the next character.
package struct LikePattern: Hashable, Sendable {
  package let text: String
  package let ignoresCase: Bool

  /// The parts between `%` signs; n signs give n + 1 segments.
  private let segments: [Segment]

  private struct Segment: Hashable, Sendable {
    /// The segment in UTF-8. The byte 0xFF, which does not occur in UTF-8, represents `_`.
    var bytes: [UInt8] = []
    var hasWildcard = false
  }

  private static let wildcard: UInt8 = 0xFF

  package init(_ text: String, ignoringCase: Bool = false) {
    self.text = text
    ignoresCase = ignoringCase
    var segments = [Segment()]
    for symbol in Self.symbols(of: text) {
      switch symbol {
      case .anyText:
        // Consecutive `%` signs are equivalent to a single `%`.
        if segments.count == 1 || !segments[segments.count - 1].bytes.isEmpty {
          segments.append(Segment())
        }
      case .anyCharacter:
        segments[segments.count - 1].bytes.append(Self.wildcard)
        segments[segments.count - 1].hasWildcard = true
      case .character(let scalar):
        let folded = ignoringCase ? Self.folded(scalar) : scalar
        segments[segments.count - 1].bytes.append(contentsOf: String(folded).utf8)
      }
    }
    self.segments = segments
  }

  /// A part of a pattern.
  package enum Symbol: Hashable, Sendable {
    case anyText
    case anyCharacter
    case character(Unicode.Scalar)
  }

  /// Returns the symbols of a pattern. A backslash at the end is literal.
  package static func symbols(of pattern: String) -> [Symbol] {
    var symbols: [Symbol] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: symbols.append(.anyText)
      case "_" where !isEscaped: symbols.append(.anyCharacter)
      default: symbols.append(.character(scalar))
      }
      isEscaped = false
    }
    return isEscaped ? symbols + [.character("\\")] : symbols
  }

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard ignoresCase else { return matchesExactly(text) }
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    if text.allSatisfy({ $0 < 0x80 }) {
      for byte in text { folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
    } else {
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        folded.append(contentsOf: String(Self.folded(scalar)).utf8)
      }
    }
    return folded.withUnsafeBufferPointer { matchesExactly($0) }
  }

  /// The part that a text must contain, if the pattern has the form `%part%`; otherwise nil.
  var soughtPart: [UInt8]? {
    guard !ignoresCase, segments.count == 3, segments[0].bytes.isEmpty, segments[2].bytes.isEmpty,
      !segments[1].bytes.isEmpty, !segments[1].hasWildcard
    else { return nil }
    return segments[1].bytes
  }

  /// Matches the first segment at the beginning, the last at the end, and each other as early as
  /// possible.
  private func matchesExactly(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    segments.withUnsafeBufferPointer { segments in
      let first = segments.baseAddress!
      guard var position = match(first, text, at: 0) else { return false }
      guard segments.count > 1 else { return position == text.count }
      for place in 1..<(segments.count - 1) {
        guard let end = find(first + place, text, from: position) else { return false }
        position = end
      }
      return endsWith(first + segments.count - 1, text, from: position)
    }
  }

  /// Matches a segment at a position, and returns its end; nil when it does not match.
  private func match(
    _ segment: UnsafePointer<Segment>, _ text: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Int? {
    var position = start
    for byte in segment.pointee.bytes {
      guard position < text.count else { return nil }
      if byte == Self.wildcard {
        position += 1
        while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
      } else {
        guard text[position] == byte else { return nil }
        position += 1
      }
    }
    return position
  }

  private func find(
    _ segment: UnsafePointer<Segment>, _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    if !segment.pointee.hasWildcard {
      return segment.pointee.bytes.withUnsafeBufferPointer { part in
        Bytes.find(part, in: text, from: start).map { $0 + part.count }
      }
    }
    var position = start
    while position <= text.count {
      if let end = match(segment, text, at: position) { return end }
      position += 1
      while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
    }
    return nil
  }

  private func endsWith(
    _ segment: UnsafePointer<Segment>, _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Bool {
    if !segment.pointee.hasWildcard {
      let place = text.count - segment.pointee.bytes.count
      return place >= start && match(segment, text, at: place) == text.count
    }
    var position = start
    while position <= text.count {
      if match(segment, text, at: position) == text.count { return true }
      position += 1
      while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
    }
    return false
  }

  /// Returns the case-folded scalar.
  ///
  /// The scalar is mapped to upper and then to lower case, if these are single scalars, so that `ς`
  /// becomes `σ`. Non-ASCII scalars are never mapped to ASCII.
  package static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII { return "A"..."Z" ~= scalar ? Unicode.Scalar(scalar.value + 32)! : scalar }
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    let base = upper.count == 1 ? upper.first! : scalar
    let lower = base.properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let folded = lower.first, !folded.isASCII else { return scalar }
    return folded
  }
}
