/// Numbers as people read them.
enum NumberText {
  /// Digits in groups of three, from five digits on: `2138551` is `2 138 551`, `1985` stays.
  static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    guard digits.count > 4 else { return String(number) }
    var text = number < 0 ? "-" : ""
    for (offset, digit) in digits.enumerated() {
      if offset > 0, (digits.count - offset).isMultiple(of: 3) { text.append(" ") }
      text.append(digit)
    }
    return text
  }

  /// A double as briefly as it can be told from its neighbours, whole parts in groups.
  static func grouped(_ number: Double) -> String {
    let text = number.description
    guard number.magnitude < 1e15, number.isFinite, let point = text.firstIndex(of: ".") else {
      return text
    }
    let whole = grouped(Int64(number))
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
