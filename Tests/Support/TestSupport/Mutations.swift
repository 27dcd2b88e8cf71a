import DataSourcesTesting

/// Damages valid inputs, reproducibly by a seed.
package struct Mutations {
  private var random: SeededGenerator
  private let corpus: [[UInt8]]
  /// Words of the format that are spliced into inputs.
  private let words: [[UInt8]]

  package static let maxBytes = 16 << 10

  /// - Parameter corpus: Sound inputs, at least one.
  package init(of corpus: [[UInt8]], words: [String] = [], seed: UInt64) {
    random = SeededGenerator(seed: seed)
    self.corpus = corpus
    self.words = words.map { Array($0.utf8) } + Self.numbers
  }

  /// Bytes at the edges of numbers and encodings.
  private static let numbers: [[UInt8]] = [
    [0], [0x7F], [0x80], [0xFF], [0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF],
    [UInt8](repeating: 0xFF, count: 8), [0x80] + [UInt8](repeating: 0, count: 7),
    [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80, 0xA8],
    Array("9223372036854775808".utf8), Array("-1".utf8), Array("1e999".utf8),
  ]

  /// The next input: one of the corpus with one to eight mutations, mostly few.
  package mutating func next() -> [UInt8] {
    var bytes = random.pick(corpus)
    repeat { mutate(&bytes) } while !random.oneIn(3)
    return Array(bytes.prefix(Self.maxBytes))
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + random.below(random.oneIn(4) ? 64 : 4))
    switch random.below(9) {
    case 0:
      guard place < bytes.count else { return }
      bytes[place] ^= 1 << UInt8(random.below(8))
    case 1:
      guard place < bytes.count else { return }
      bytes[place] = UInt8(random.below(256))
    case 2: bytes.insert(UInt8(random.below(256)), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.insert(contentsOf: random.pick(words), at: place)
    case 6:
      let piece = bytes[place..<end]
      for _ in 0..<(1 << random.below(6)) { bytes.insert(contentsOf: piece, at: place) }
    case 7:
      let other = random.pick(corpus)
      let start = random.below(other.count + 1)
      let piece = other[start..<min(other.count, start + 1 + random.below(64))]
      bytes.replaceSubrange(place..<end, with: piece)
    default:
      // Swaps two bytes.
      guard place < bytes.count else { return }
      bytes.swapAt(place, random.below(bytes.count))
    }
    if bytes.count > Self.maxBytes { bytes.removeSubrange(Self.maxBytes...) }
  }
}
