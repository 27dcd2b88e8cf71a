/// Numbers as people read them.
enum NumberText {
  /// Which numbers have their digits in groups of three.
  enum Grouping: Sendable, Hashable {
    /// From five digits on: `2138551` is `2 138 551`, `1985` stays.
    case long
    /// All that have more than three: those that stand beneath a long one.
    case all
  }

  /// The shortest number that is in groups on its own.
  static let leastGrouped: UInt64 = 10_000

  /// Digits in groups of three, from five digits on: `2138551` is `2 138 551`, `1985` stays.
  static func grouped(_ number: some BinaryInteger) -> String {
    guard let number = Int64(exactly: number) else { return String(number) }
    return grouped(number)
  }

  /// The same of a number that fits: every count on the screen at every key.
  static func grouped(_ number: Int64, _ grouping: Grouping = .long) -> String {
    // Digits from the last one on: 20 with 6 gaps and a sign at most.
    String(unsafeUninitializedCapacity: 27) { bytes in
      var start = 27
      var rest = number.magnitude
      let isGrouped = grouping == .all || rest >= leastGrouped
      var digits = 0
      repeat {
        if isGrouped, digits > 0, digits.isMultiple(of: 3) {
          start -= 1
          bytes[start] = UInt8(ascii: " ")
        }
        start -= 1
        bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
        digits += 1
      } while rest > 0
      if number < 0 {
        start -= 1
        bytes[start] = UInt8(ascii: "-")
      }
      for index in start..<27 { bytes[index - start] = bytes[index] }
      return 27 - start
    }
  }

  /// A double as briefly as it can be told from its neighbours, whole parts in groups.
  static func grouped(_ number: Double, _ grouping: Grouping = .long) -> String {
    let text = number.description
    guard number.magnitude < 1e15, number.isFinite, let point = text.firstIndex(of: ".") else {
      return text
    }
    let whole = grouped(Int64(number), grouping)
    let sign = number < 0 && !whole.hasPrefix("-") ? "-" : ""
    return sign + whole + text[point...]
  }

  /// So many bytes, in the unit that gives them few digits: `950 B`, `12 kB`, `3.4 MB`.
  static func bytes(_ count: Int) -> String {
    let count = max(0, count)
    return switch count {
    case ..<1_000: "\(count) B"
    case ..<1_000_000: "\(count / 1_000) kB"
    default: "\(Double(count / 100_000) / 10) MB"
    }
  }

  /// A time that something took, in the unit that gives it two or three digits.
  static func elapsed(_ duration: Duration) -> String {
    let seconds = Double(duration.components.seconds)
    let micros = seconds * 1e6 + Double(duration.components.attoseconds) / 1e12
    return switch micros {
    case ..<1_000: "\(Int(micros)) µs"
    case ..<10_000: "\(Double(Int(micros / 100)) / 10) ms"
    case ..<1_000_000: "\(Int(micros / 1_000)) ms"
    default: "\(Double(Int(micros / 100_000)) / 10) s"
    }
  }
}
