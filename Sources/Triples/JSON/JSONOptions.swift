/// Options and limits of JSON parsing.
public struct JSONOptions: Hashable, Sendable {
  /// What to do about a key that an object has twice.
  public enum DuplicateKeys: Hashable, Sendable {
    /// An error.
    case refused
    /// Like JavaScript.
    case lastWins
  }

  /// How to handle integers that do not fit 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    /// An error.
    case refused
    /// Uses the nearest double.
    case doubles
  }

  /// How to handle numbers greater than the largest double.
  public enum HugeNumbers: Hashable, Sendable {
    /// An error.
    case refused
    /// Uses null, as JavaScript writes the infinity that it reads.
    case null
  }

  /// What to do about duplicate keys.
  public var duplicateKeys: DuplicateKeys
  /// What to do about integers of more than 64 bits.
  public var largeIntegers: LargeIntegers
  /// What to do about numbers beyond the range of doubles.
  public var hugeNumbers: HugeNumbers
  /// The maximum nesting depth of arrays and objects.
  public var maximumDepth: Int
  /// The maximum length of a text in bytes.
  public var maximumBytes: Int

  /// Options; see the properties.
  public init(
    duplicateKeys: DuplicateKeys = .lastWins, largeIntegers: LargeIntegers = .refused,
    hugeNumbers: HugeNumbers = .refused, maximumDepth: Int = 256, maximumBytes: Int = 1 << 30
  ) {
    self.duplicateKeys = duplicateKeys
    self.largeIntegers = largeIntegers
    self.hugeNumbers = hugeNumbers
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
  }
}
