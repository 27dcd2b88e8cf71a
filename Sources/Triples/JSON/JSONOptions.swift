/// Options and limits of JSON parsing.
public struct JSONOptions: Hashable, Sendable {
  /// What the parser does about duplicate keys in an object.
  public enum DuplicateKeys: Hashable, Sendable {
    /// The parser rejects duplicate keys.
    case refused
    /// The parser uses the last value, as JavaScript does.
    case lastWins
  }

  /// What the parser does about integers that do not fit into 64 bits.
  public enum LargeIntegers: Hashable, Sendable {
    /// The parser rejects integers that do not fit into 64 bits.
    case refused
    /// The parser uses the nearest double.
    case doubles
  }

  /// What the parser does about numbers greater than the largest double.
  public enum HugeNumbers: Hashable, Sendable {
    /// The parser rejects numbers greater than the largest double.
    case refused
    /// The parser uses null, because JavaScript reads such a number as infinity and writes infinity
    /// as null.
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
