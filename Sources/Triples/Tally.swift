/// How often each value of an attribute is there among some entities, and how that went over time.
///
/// Made of values that were counted already, so that a database can count: it is as small as the number
/// of different numbers and dates, however many rows there are.
public struct Tally: Hashable, Sendable {
  public struct Count: Hashable, Sendable {
    public let value: Value
    public let count: Int
  }

  /// Some rows of one moment.
  public struct Moment: Hashable, Sendable {
    /// In milliseconds since 1970.
    public let time: Double
    /// Of the numbers of the attribute; how many rows for an attribute that is a date itself.
    public let sum: Double
    /// How many rows `sum` was made of.
    public let count: Int
  }

  private let attribute: Attribute
  /// The attribute that says when an entity was; nil where none does.
  public let dates: Attribute?
  /// How many entities there are, those without a value included.
  public private(set) var rows = 0
  /// How many different values, with none for those without.
  public private(set) var distinct = 0
  /// How many entities have no value.
  public private(set) var empty = 0
  /// Each different number or date with how often it is there.
  public private(set) var numbers: [(number: Double, count: Int)] = []
  public private(set) var moments: [Moment] = []
  private var counts: [Count] = []

  /// More values are not told one by one.
  public static let mostFrequent = 200

  /// - Parameter dates: What says when an entity was, for an attribute that is no date.
  public init(of attribute: Attribute, along dates: Attribute?) {
    self.attribute = attribute
    self.dates = attribute.checkedType == .date ? nil : dates
  }

  /// Takes in a value, each different one once; null is none.
  public mutating func add(_ value: Value, count: Int) {
    rows += count
    distinct += 1
    if value == .null { empty += count }
    if let number = value.number(of: attribute) {
      numbers.append((number, count))
      if attribute.checkedType == .date {
        moments.append(Moment(time: number, sum: Double(count), count: count))
      }
    }
    counts.append(Count(value: value, count: count))
    if counts.count > Self.mostFrequent * 4 { counts = frequent }
  }

  /// Takes in the rows of one date.
  public mutating func add(date: Value, sum: Double, count: Int) {
    guard let dates, let time = date.number(of: dates), count > 0 else { return }
    moments.append(Moment(time: time, sum: sum, count: count))
  }

  /// The values that are there most often, the most frequent first; of those that are there equally
  /// often the numbers and dates in their order, then the others by their texts, as rows are ordered.
  public var frequent: [Count] {
    let least = counts.map(\.count).sorted(by: >).dropFirst(Self.mostFrequent - 1).first ?? 0
    return Array(
      counts.filter { $0.count >= least }
        .map { (number: number($0), text: $0.value.plainText, count: $0) }
        .sorted { a, b in
          if a.count.count != b.count.count { return a.count.count > b.count.count }
          if a.number != b.number { return a.number < b.number }
          return Collation.compare(a.text, b.text) < 0
        }
        .prefix(Self.mostFrequent).map(\.count))
  }

  private func number(_ count: Count) -> Double { count.value.number(of: attribute) ?? .infinity }
}

extension Tally {
  public static func == (a: Tally, b: Tally) -> Bool {
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
  /// A text as it is, without the quotes that would put it behind those that go on; else the JSON.
  fileprivate var plainText: String {
    if case .text(let text) = self { text } else { JSONWriter.text(self) }
  }

  /// The number that it is, or the milliseconds since 1970 of a date.
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
