/// How strict a reader of JSON is, and how much it takes.
public struct JSONOptions: Hashable, Sendable {
  public enum DuplicateKeys: Hashable, Sendable {
    case refused
    /// As JavaScript does.
    case lastWins
  }

  /// What becomes of integers that do not fit 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    case refused
    /// The nearest double.
    case doubles
  }

  /// What becomes of numbers beyond the greatest double.
  public enum HugeNumbers: Hashable, Sendable {
    case refused
    /// Null, as JavaScript writes the infinity that it reads them as.
    case null
  }

  public var duplicateKeys: DuplicateKeys
  public var largeIntegers: LargeIntegers
  public var hugeNumbers: HugeNumbers
  /// How many arrays and objects may lie inside one another.
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
