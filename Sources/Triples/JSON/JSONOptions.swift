/// Options and limits of JSON parsing.
public struct JSONOptions: Hashable, Sendable {
  /// The handling of duplicate keys in an object.
  public enum DuplicateKeys: Hashable, Sendable {
    /// Duplicate keys are an error.
    case refused
    /// The last value is used, as in JavaScript.
    case lastWins
  }

  /// The handling of integers that do not fit into 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    /// Such an integer is an error.
    case refused
    /// The nearest double is used.
    case doubles
  }

  /// The handling of numbers greater than the largest double.
  public enum HugeNumbers: Hashable, Sendable {
    /// Such a number is an error.
    case refused
    /// Null is used, because JavaScript reads such a number as infinity and writes infinity as
    /// null.
    case null
  }

  /// The handling of duplicate keys.
  public var duplicateKeys: DuplicateKeys
  /// The handling of integers of more than 64 bits.
  public var largeIntegers: LargeIntegers
  /// The handling of numbers beyond the range of doubles.
  public var hugeNumbers: HugeNumbers
  /// The maximum nesting depth of arrays and objects.
  public var maximumDepth: Int
  /// The maximum length of a text in bytes.
  public var maximumBytes: Int

  /// Creates options; see the properties.
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
