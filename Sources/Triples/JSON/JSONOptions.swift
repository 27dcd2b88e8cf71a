/// Options and limits of JSON parsing.
public struct JSONOptions: Hashable, Sendable {
  /// What the parser does about duplicate keys in an object.
  public enum DuplicateKeys: Hashable, Sendable {
    /// Duplicate keys are an error.
    case refused
    /// The last value is used, as in JavaScript.
    case lastWins
  }

  /// What the parser does about integers that do not fit into 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    /// Such an integer is an error.
    case refused
    /// The nearest double is used.
    case doubles
  }

  /// What the parser does about numbers greater than the largest double.
  public enum HugeNumbers: Hashable, Sendable {
    /// Such a number is an error.
    case refused
    /// Null is used, because JavaScript reads such a number as infinity and writes infinity as
    /// null.
    case null
  }

  /// What the parser does about duplicate keys.
  public var duplicateKeys: DuplicateKeys
  /// What the parser does about integers of more than 64 bits.
  public var largeIntegers: LargeIntegers
  /// What the parser does about numbers beyond the range of doubles.
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
