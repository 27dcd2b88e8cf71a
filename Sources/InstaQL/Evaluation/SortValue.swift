import Triples

/// A value in a form that can be compared for sorting.
///
/// The order is: missing or null, false, true, numbers and dates, texts, and finally lists and
/// objects. All lists and objects are equal to each other.
enum SortValue: Sendable {
  case nothing
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case text(String)
  case unordered

  /// How a text is compared with other texts.
  enum Reading: Sendable {
    /// Compares texts by UTF-16 code units, as JavaScript does.
    case codeUnits
    /// Compares texts by the collation of en-US.
    case collated
    /// Compares texts as dates. A text that is not a date counts as missing.
    case instants
  }

  init(_ value: Value?, _ reading: Reading) {
    switch value {
    case nil, .null: self = .nothing
    case .bool(let bool): self = reading == .instants ? .nothing : .boolean(bool)
    case .integer(let number):
      let isBeyond = reading == .instants && Instant(milliseconds: number) == nil
      self = isBeyond ? .nothing : .integer(number)
    case .double(let number):
      if reading == .instants {
        self = Instant(milliseconds: number).map { .integer($0.milliseconds) } ?? .nothing
      } else {
        self = number.isNaN ? .nothing : .double(number)
      }
    case .text(let text):
      if reading == .instants {
        self = Instant(text).map { .integer($0.milliseconds) } ?? .nothing
      } else {
        self = .text(text)
      }
    case .array, .object: self = .unordered
    }
  }

  /// Compares two values. The result is negative, zero or positive, and the order is total.
  func compare(_ other: SortValue, collated: Bool) -> Int {
    switch (self, other) {
    case (.boolean(let a), .boolean(let b)): (a ? 1 : 0) - (b ? 1 : 0)
    case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.integer(let a), .double(let b)): Self.compare(a, b)
    case (.double(let a), .integer(let b)): -Self.compare(b, a)
    case (.text(let a), .text(let b)):
      collated ? Collation.compare(a, b) : Self.compareCodeUnits(a, b)
    default: rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .boolean: 1
    case .integer, .double: 2
    case .text: 3
    case .unordered: 4
    }
  }

  /// Compares an integer with a double, without rounding the integer.
  private static func compare(_ a: Int64, _ b: Double) -> Int {
    let near = Double(a)
    if near != b { return near < b ? -1 : 1 }
    guard let exact = Int64(exactly: b) else { return -1 }
    return a < exact ? -1 : a > exact ? 1 : 0
  }

  static func compareCodeUnits(_ a: String, _ b: String) -> Int {
    var left = a.utf16.makeIterator()
    var right = b.utf16.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?): if x != y { return x < y ? -1 : 1 }
      }
    }
  }
}
