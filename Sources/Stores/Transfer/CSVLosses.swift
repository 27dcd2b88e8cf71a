import Triples

/// What a folder of CSV cannot say of the store that was written.
struct CSVLosses {
  /// How many values are null: a field of CSV is empty for these as for those that are missing.
  var nulls = 0
  /// Columns whose values come back as text, because they are not all of one plain type.
  var columns: [String] = []

  private static let maxNamed = 8

  var remarks: [String] {
    var remarks: [String] = []
    if nulls > 0 {
      remarks.append(
        "CSV has no null: \(nulls) null \(nulls == 1 ? "value is" : "values are") written as empty, and "
          + "read back as missing. json, jsonl, dump and backup keep them.")
    }
    if !columns.isEmpty {
      let more = columns.count > Self.maxNamed ? " and \(columns.count - Self.maxNamed) more" : ""
      remarks.append(
        "CSV has no types: values of \(columns.prefix(Self.maxNamed).joined(separator: ", "))\(more) "
          + "are read back as text. json, jsonl, dump and backup keep them.")
    }
    return remarks
  }
}

/// The kinds of values in a column.
struct CSVKinds: OptionSet {
  let rawValue: UInt8

  static let text = CSVKinds(rawValue: 1)
  static let number = CSVKinds(rawValue: 2)
  static let boolean = CSVKinds(rawValue: 4)
  static let structure = CSVKinds(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ value: Value) {
    switch value {
    case .null: self = []
    case .text: self = .text
    case .integer, .double: self = .number
    case .bool: self = .boolean
    case .array, .object: self = .structure
    }
  }

  /// Whether values of these kinds have their types again when they are read.
  var comesBack: Bool { rawValue.nonzeroBitCount <= 1 && !contains(.structure) }
}
