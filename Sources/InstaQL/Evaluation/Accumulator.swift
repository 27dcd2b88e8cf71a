import Triples

/// The running result of one aggregate function, such as `sum(salary)`, for one group of entities.
struct Accumulator {
  private var count = 0
  private var integers: Int64 = 0
  /// The sum of the doubles. If the sum of the integers overflows, the part before the overflow is
  /// moved here.
  private var doubles = 0.0
  private var numbers = 0
  private var isWhole = true
  /// `different` has the distinct values, only for `countDistinct`; `all` has all numbers, only for
  /// `median`.
  private var different: Set<Value> = []
  private var all: [Value] = []
  private var least: (key: SortValue, value: Value)?
  private var greatest: (key: SortValue, value: Value)?

  /// Counts an entity, for an aggregate `count` without a field.
  mutating func addEntity() { count += 1 }

  /// Adds a value of the aggregated field. The caller skips nulls.
  mutating func add(_ value: Value, _ function: Aggregation.Function, _ type: CheckedType?) {
    count += 1
    switch function {
    case .count: break
    case .sum, .average: addNumber(value.counted(as: type))
    case .countDistinct: different.insert(value.comparable(as: type))
    case .median:
      let value = value.counted(as: type)
      if value.number != nil { all.append(value) }
    case .min, .max: addOrdered(value, type)
    }
  }

  private mutating func addNumber(_ value: Value) {
    switch value {
    case .integer(let number):
      numbers += 1
      let (sum, isBeyond) = integers.addingReportingOverflow(number)
      if isBeyond {
        isWhole = false
        doubles += Double(integers)
        integers = number
      } else {
        integers = sum
      }
    case .double(let number):
      numbers += 1
      isWhole = false
      doubles += number
    case .null, .bool, .text, .array, .object: break
    }
  }

  private mutating func addOrdered(_ value: Value, _ type: CheckedType?) {
    let isCollated = type == .string
    let reading: SortValue.Reading =
      type == .date ? .instants : isCollated ? .collated : .codeUnits
    let key = SortValue(value, reading)
    if case .nothing = key { return }
    if least.map({ key.compare($0.key, collated: isCollated) < 0 }) ?? true {
      least = (key, value)
    }
    if greatest.map({ key.compare($0.key, collated: isCollated) > 0 }) ?? true {
      greatest = (key, value)
    }
  }

  func result(_ function: Aggregation.Function) -> Value {
    switch function {
    case .count: .integer(Int64(count))
    case .countDistinct: .integer(Int64(different.count))
    case .median: median
    case .sum: isWhole ? .integer(integers) : Self.number(total)
    case .average: numbers == 0 ? .null : Self.number(total / Double(numbers))
    case .min: least?.value ?? .null
    case .max: greatest?.value ?? .null
    }
  }

  /// The median of the collected numbers; null if there are no numbers.
  ///
  /// - Complexity: O(n log n) for n numbers.
  private var median: Value {
    let sorted = all.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return .null }
    guard sorted.count.isMultiple(of: 2) else { return upper }
    let lower = sorted[sorted.count / 2 - 1]
    if lower == upper { return upper }
    return Self.number((lower.number ?? 0) / 2 + (upper.number ?? 0) / 2)
  }

  private var total: Double { doubles + Double(integers) }

  /// Returns the number as a value; null if it is infinite or NaN, which JSON cannot represent.
  private static func number(_ number: Double) -> Value {
    number.isFinite ? .double(number) : .null
  }
}

extension Value {
  /// Returns the value with which an operation or an aggregate counts. A database shows a number
  /// that no double represents exactly as text; it counts as the nearest double.
  func counted(as type: CheckedType?) -> Value {
    guard type == .number, case .text(let text) = self, let number = Double(text), number.isFinite
    else { return self }
    return .double(number)
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .text, .array, .object: nil
    }
  }
}
