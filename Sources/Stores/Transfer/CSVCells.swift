import Triples

/// How the cells of a CSV column represent an attribute's values.
enum CSVCells {
  /// Plain cells. The type of the column determines their values.
  case plain
  /// Cells in a form that `schema.json` declares. Plain cells could not distinguish null from
  /// missing values, or numbers from texts.
  case named(CSVCellForm)

  /// The form to declare in `schema.json`; nil for plain cells, which need no declaration.
  var form: CSVCellForm? { if case .named(let form) = self { form } else { nil } }

  init(_ field: EntityRows.Field, of entities: [EntityHandle], in store: TripleStore) {
    guard !field.isLink else {
      self = .plain
      return
    }
    var (kinds, hasMissing): (CSVKinds, Bool) = ([], false)
    for entity in entities {
      let values = store.values(entity, field.attribute)
      if values.isEmpty { hasMissing = true }
      for value in values { kinds.formUnion(CSVKinds(value)) }
    }
    let hasNulls = kinds.contains(.null)
    kinds.remove(.null)
    // A date in milliseconds could be read as a year.
    let isNumericDate = field.checkedType == .date && kinds.contains(.number)
    if !kinds.isPlain || isNumericDate || field.isList || hasNulls && hasMissing {
      self = .named(.json)
    } else {
      self = hasNulls ? .named(.emptyIsNull) : .plain
    }
  }
}

/// The kinds of values in a column.
private struct CSVKinds: OptionSet {
  let rawValue: UInt8

  static let text = CSVKinds(rawValue: 1)
  static let number = CSVKinds(rawValue: 2)
  static let boolean = CSVKinds(rawValue: 4)
  static let structure = CSVKinds(rawValue: 8)
  static let null = CSVKinds(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .text: self = .text
    case .integer, .double: self = .number
    case .bool: self = .boolean
    case .array, .object: self = .structure
    }
  }

  /// Whether values of these kinds can be restored from plain cells.
  var isPlain: Bool { rawValue.nonzeroBitCount <= 1 && !contains(.structure) }
}

/// A remark on the values that CSV cannot represent.
struct CSVRemark {
  /// Whether a `schema.json` declares the columns written as JSON.
  let hasSchema: Bool
  /// The columns with values that CSV cannot represent.
  var columns: [String] = []

  private static let maxNamed = 8

  var sentences: [String] {
    guard !columns.isEmpty else { return [] }
    let more = columns.count > Self.maxNamed ? " and \(columns.count - Self.maxNamed) more" : ""
    let names = columns.prefix(Self.maxNamed).joined(separator: ", ") + more
    return [
      hasSchema
        ? "CSV cannot contain null or mixed types, so \(names) \(columns.count == 1 ? "is" : "are") written as "
          + "JSON. schema.json lists such columns; keep it next to the files."
        : "CSV cannot contain null or mixed types. Values of \(names) may become text or missing when "
          + "they are read again. Use jsonl or dump to keep them."
    ]
  }
}
