/// The number of entities with each value of an attribute, and the sum of its values per date.
///
/// A database can do the counting, because each value is added once together with its count. The
/// size depends on the number of distinct values and dates, not on the number of rows.
public struct ValueCounts: Hashable, Sendable {
  /// A value and the number of its occurrences.
  public struct Count: Hashable, Sendable {
    /// The value.
    public let value: Value
    /// The number of entities with the value.
    public let count: Int
  }

  /// The rows with the same date: their number, and the sum of their values.
  public struct Moment: Hashable, Sendable {
    /// The time in milliseconds since 1970.
    public let time: Double
    /// The sum of the attribute's numbers; the number of rows for a date attribute.
    public let sum: Double
    /// The number of rows in `sum`.
    public let count: Int
  }

  private let attribute: Attribute
  /// The attribute that contains an entity's date; nil when there is none.
  public let dates: Attribute?
  /// The number of entities, including those without a value.
  public private(set) var rows = 0
  /// The number of distinct values. Null is not a value.
  public private(set) var distinct = 0
  /// The number of entities without a value.
  public private(set) var empty = 0
  /// The distinct numbers or dates, each with the number of entities that have it.
  public private(set) var numbers: [(number: Double, count: Int)] = []
  /// An entry for each distinct date.
  public private(set) var moments: [Moment] = []
  private var counts: [Count] = []

  /// The maximum number of values listed individually.
  public static let maxFrequentValues = 200

  /// Creates empty counts for an attribute.
  ///
  /// - Parameter dates: The attribute that contains an entity's date, if `attribute` is not a date
  ///   itself.
  public init(of attribute: Attribute, along dates: Attribute?) {
    self.attribute = attribute
    self.dates = attribute.checkedType == .date ? nil : dates
  }

  /// Adds a value and the number of its occurrences. Each different value must be added once; null
  /// counts as missing.
  public mutating func add(_ value: Value, count: Int) {
    rows += count
    if value == .null { empty += count } else { distinct += 1 }
    if let number = value.number(of: attribute) {
      numbers.append((number, count))
      if attribute.checkedType == .date {
        moments.append(Moment(time: number, sum: Double(count), count: count))
      }
    }
    counts.append(Count(value: value, count: count))
    if counts.count > Self.maxFrequentValues * 4 { counts = frequent }
  }

  /// Adds the entities with one date: their number, and the sum of their values.
  public mutating func add(date: Value, sum: Double, count: Int) {
    guard let dates, let time = date.number(of: dates), count > 0 else { return }
    moments.append(Moment(time: time, sum: sum, count: count))
  }

  /// The most frequent values, sorted by count. Values with equal counts are sorted by number or
  /// date, then by text.
  public var frequent: [Count] {
    let least = counts.map(\.count).sorted(by: >).dropFirst(Self.maxFrequentValues - 1).first ?? 0
    return Array(
      counts.filter { $0.count >= least }
        .map { (number: number($0), text: $0.value.plainText, count: $0) }
        .sorted { a, b in
          if a.count.count != b.count.count { return a.count.count > b.count.count }
          if a.number != b.number { return a.number < b.number }
          return Collation.compare(a.text, b.text) < 0
        }
        .prefix(Self.maxFrequentValues).map(\.count))
  }

  private func number(_ count: Count) -> Double { count.value.number(of: attribute) ?? .infinity }
}

extension ValueCounts {
  public static func == (a: ValueCounts, b: ValueCounts) -> Bool {
    a.attribute == b.attribute && a.dates == b.dates && a.rows == b.rows && a.empty == b.empty
      && a.distinct == b.distinct && a.frequent == b.frequent && a.moments == b.moments
      && a.numbers.elementsEqual(b.numbers, by: ==)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(attribute)
    hasher.combine(rows)
    hasher.combine(distinct)
  }
}

extension Value {
  /// The text without quotes, so that it is sorted before longer texts; the JSON of any other
  /// value.
  fileprivate var plainText: String {
    if case .text(let text) = self { text } else { JSONWriter.text(self) }
  }

  /// Returns the value as a number: for a date attribute, the milliseconds since 1970. Nil for
  /// other values.
  package func number(of attribute: Attribute) -> Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number.isFinite ? number : nil
    case .text(let text):
      attribute.checkedType == .date ? Instant(text).map { Double($0.milliseconds) } : nil
    case .null, .bool, .array, .object: nil
    }
  }
}
