/// Options and limits of JSON parsing.
public struct JSONOptions: Hashable, Sendable {
  public enum DuplicateKeys: Hashable, Sendable {
    case refused
    /// Like JavaScript.
    case lastWins
  }

  /// How to handle integers that do not fit 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    case refused
    /// Uses the nearest double.
    case doubles
  }

  /// How to handle numbers greater than the largest double.
  public enum HugeNumbers: Hashable, Sendable {
    case refused
    /// Uses null, as JavaScript writes the infinity that it reads.
    case null
  }

  public var duplicateKeys: DuplicateKeys
  public var largeIntegers: LargeIntegers
  public var hugeNumbers: HugeNumbers
  /// The maximum nesting depth of arrays and objects.
  public var maximumDepth: Int
  public var maximumBytes: Int

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
