/// The numbers of a date in reading order, and its month if the text contains a month name.
struct DayParts {
  private var numbers: [Int] = []
  var namedMonth: Int?
  /// Whether the text can only be a date in the order year, month, day.
  var isISO = false

  var isEmpty: Bool { numbers.isEmpty }

  /// Adds a number; returns false if there are already three.
  mutating func add(_ number: Int) -> Bool {
    guard numbers.count < 3 else { return false }
    numbers.append(number)
    return true
  }

  /// The day that the parts denote; nil if there is no such day. Missing parts are 1, and a missing
  /// year is 2001. A year of two digits is between 1950 and 2049.
  var calendarDay: CalendarDay? {
    guard let first = numbers.first else { return nil }
    let parts = numbers + Array(repeating: 1, count: 3 - numbers.count)
    var year = parts[2]
    var month = parts[0]
    var day = parts[1]
    let beginsWithDay = (1...31).contains(first)
    if let namedMonth {
      month = namedMonth
      (day, year) = beginsWithDay ? (parts[0], parts[1]) : (parts[1], parts[0])
    } else if isISO || !beginsWithDay {
      (year, month, day) = (parts[0], parts[1], parts[2])
    }
    if !isISO {
      if (0...49).contains(year) { year += 2000 } else if (50...99).contains(year) { year += 1900 }
    }
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }
}

/// Hour, minute, second and millisecond in reading order.
struct TimeParts {
  private var numbers: [Int] = []
  /// The offset of the half-day in hours: 0 for AM, 12 for PM.
  var halfDay: Int?

  var isEmpty: Bool { numbers.isEmpty }

  mutating func add(_ number: Int) -> Bool {
    guard numbers.count < 4 else { return false }
    numbers.append(number)
    return true
  }

  /// Adds the last number of the time and sets the remaining parts to 0. Returns false if there are
  /// already four.
  mutating func addLast(_ number: Int) -> Bool {
    guard add(number) else { return false }
    while numbers.count < 4 { numbers.append(0) }
    return true
  }

  /// Returns whether a number after a space belongs to the time.
  func expects(_ number: Int) -> Bool {
    switch numbers.count {
    case 1, 2: number <= 59
    case 3: number <= 999
    default: false
    }
  }

  /// The number of milliseconds since midnight; 0 without a time, nil for an invalid time.
  var millisecondOfDay: Int? {
    let parts = numbers + Array(repeating: 0, count: 4 - numbers.count)
    var hour = parts[0]
    if let halfDay {
      guard hour <= 12 else { return nil }
      hour = hour % 12 + halfDay
    }
    let isEndOfDay = hour == 24 && parts[1] == 0 && parts[2] == 0 && parts[3] == 0
    guard isEndOfDay || (hour <= 23 && parts[1] <= 59 && parts[2] <= 59 && parts[3] <= 999)
    else { return nil }
    return ((hour * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3]
  }
}

/// An offset from UTC. Parts that the text does not contain are nil.
struct ZoneParts {
  private var sign = 1
  private var hour: Int?
  var minute: Int?

  var isZulu: Bool { hour == 0 && minute == 0 }
  var expectsMinute: Bool { hour != nil && minute == nil }
  var minutesEast: Int { sign * ((hour ?? 0) * 60 + (minute ?? 0)) }

  mutating func set(hours: Int) { set(sign: hours < 0 ? -1 : 1, hour: abs(hours), minute: 0) }

  mutating func set(sign: Int, hour: Int, minute: Int?) {
    self.sign = sign
    self.hour = hour
    self.minute = minute
  }
}
