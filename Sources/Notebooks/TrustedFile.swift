/// A settings file of a project whose commands the user allowed.
package struct TrustedFile: Codable, Sendable, Hashable {
  /// The path at that time, for readers of the notebook.
  package var path: String
  /// The digest of path and text: a changed or moved file is not trusted.
  package var digest: String

  package init(path: String, digest: String) {
    self.path = path
    self.digest = digest
  }

  /// The digest of a file.
  package static func digest(path: String, text: [UInt8]) -> String {
    SHA256.digest(of: Array(path.utf8) + [0] + text).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}

/// The hash function SHA-256.
///
/// - Source: FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4
package enum SHA256 {
  package static func digest(of message: [UInt8]) -> [UInt8] {
    let length = UInt64(message.count) * 8
    let padding = (119 - message.count % 64) % 64
    let padded =
      message + [0x80] + [UInt8](repeating: 0, count: padding)
      + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    var state = initial
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &state)
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
    }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = (0..<16).map { word in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + 4 * word + $1]) }
    }
    for index in 16..<64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let low = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
      let high = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    var s = state
    for index in 0..<64 {
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      let high = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)
      let low = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)
      let first = s[7] &+ high &+ choice &+ constants[index] &+ words[index]
      s = [first &+ low &+ majority, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }

  private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  /// The first 64 primes.
  private static let primes: [Int] = (2...311).filter { number in
    !(2..<number).contains { number.isMultiple(of: $0) }
  }

  /// The first 32 bits of the fractional parts of the primes' square roots.
  private static let initial: [UInt32] = primes.prefix(8).map { fraction(of: $0, power: 2) }
  /// The first 32 bits of the fractional parts of the primes' cube roots.
  private static let constants: [UInt32] = primes.map { fraction(of: $0, power: 3) }

  /// The bits of a root, found by comparing powers of integers, which is exact.
  private static func fraction(of prime: Int, power: Int) -> UInt32 {
    // root * 2^32, as the largest integer whose power does not exceed prime * 2^(32 * power).
    var root: UInt64 = 0
    for bit in stride(from: UInt64(36), through: 0, by: -1) {
      let next = root | 1 << bit
      if isRoot(next, of: UInt64(prime), power: power) { root = next }
    }
    return UInt32(truncatingIfNeeded: root)
  }

  /// Whether `candidate^power <= prime << (32 * power)`, computed in 128 bits.
  private static func isRoot(_ candidate: UInt64, of prime: UInt64, power: Int) -> Bool {
    let square = UInt128(candidate) * UInt128(candidate)
    if power == 2 { return square <= UInt128(prime) << 64 }
    return square * UInt128(candidate) <= UInt128(prime) << 96
  }
}
