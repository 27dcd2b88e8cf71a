import Triples

/// A column of an export to PostgreSQL: its type, and the values that do not fit into it.
struct PostgresColumnPlan {
  let plan: TablePlan.Column
  let type: String
  private var hasLongValues = false
  private var textsWithNUL = 0
  private var changedDates = 0
  /// The rows with a string of JSON that looks like a list or object.
  private let strings: Set<EntityHandle>
  /// The numbers in a column of JSON that are read as strings of digits.
  private var digits: (count: Int, example: String) = (0, "")

  /// The maximum length in bytes of values in an index.
  private static let maxIndexedBytes = 2_000

  init(
    _ plan: TablePlan.Column, _ rows: [EntityHandle], _ store: TripleStore,
    strings: Set<EntityHandle>
  ) {
    (self.plan, self.strings) = (plan, strings)
    var (arePlain, hasManyDigits, hasIntegers) = (true, false, false)
    var dates = DateForms()
    for row in rows {
      for value in store.values(row, plan.attribute.id) {
        switch value {
        case .text(let text):
          if text.utf8.count > Self.maxIndexedBytes { hasLongValues = true }
          if text.hasNUL { textsWithNUL += 1 }
          if plan.kind == .date { dates.add(text) }
          if plan.attribute.exactForm == .json, case .text? = Value(exactNumber: text) {
            digits = (digits.count + 1, text)
          }
          guard plan.kind == .real else { continue }
          if ExactNumber(text) != nil { hasManyDigits = true }
          // `numeric` has infinities only from PostgreSQL 14 on.
          if text.hasSuffix("Infinity") { arePlain = false }
        case .double(let number): if "\(number)".contains("e") { arePlain = false }
        case .array, .object:
          if value.hasNUL { textsWithNUL += 1 }
          if JSONWriter.text(value).utf8.count > Self.maxIndexedBytes { hasLongValues = true }
        case .integer(let number):
          hasIntegers = true
          if number.magnitude > 1 << 53 { hasManyDigits = true }
        case .null, .bool: break
        }
      }
    }
    if plan.attribute.cardinality == .many { hasLongValues = true }
    let isFloat = plan.attribute.isDeclaredFloat && !hasIntegers
    type =
      switch plan.kind {
      case .text: "text"
      case .integer: "bigint"
      // `numeric` keeps integers among the numbers unchanged.
      case .real: hasManyDigits || arePlain && !isFloat ? "numeric" : "double precision"
      case .boolean: "boolean"
      case .date: dates.type(declared: plan.attribute.column?.type)
      case .json, .mixed: "jsonb"
      }
    if type == "timestamptz" { changedDates = dates.withoutOffset }
  }

  var isUnique: Bool { plan.isUnique && !hasLongValues }

  var isIndexed: Bool { plan.attribute.hasIndex && !hasLongValues }

  /// A clause that describes the values that do not fit into the column; nil if all fit.
  var remark: String? {
    var words: [String] = []
    if textsWithNUL > 0 {
      words.append("\(textsWithNUL) strings are written without their NUL characters")
    }
    if changedDates > 0 { words.append("\(changedDates) dates are written in UTC") }
    if digits.count > 0 {
      words.append(
        "numbers with more digits than a double has, such as \(digits.example), are written as "
          + "strings (\(digits.count) in all)")
    }
    if hasLongValues, plan.isUnique || plan.attribute.hasIndex {
      words.append("the column has no index, because some values are too long for an index")
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Returns the text of a cell as the server parses it; nil is NULL.
  func cell(of row: EntityHandle, in store: TripleStore) -> String? {
    let values = store.values(row, plan.attribute.id)
    if plan.attribute.cardinality == .many {
      return values.isEmpty ? nil : Self.json(.array(values))
    }
    guard let value = values.first, value != .null else { return nil }
    switch (type, value) {
    case ("jsonb", .text(let text))
    where plan.attribute.exactForm == .json && !strings.contains(row)
      && JSONReader.isExactDocument(text):
      return text
    case ("jsonb", _): return Self.json(value)
    case ("timestamptz", .text(let text)):
      return PostgresDate(text) == nil ? Instant(text)?.description : text
    case (_, .text(let text)): return text.withoutNUL
    default: return value.postgresText
    }
  }

  private static func json(_ value: Value) -> String {
    JSONWriter.text(value.withoutNUL)
  }
}

/// The forms of the dates in a column.
private struct DateForms {
  private var seen: Set<PostgresDate> = []
  /// Whether some dates have another form, and the server cannot read some of them.
  private var (hasOthers, hasUnreadable) = (false, false)
  /// The number of times that are not written in UTC.
  private(set) var withoutOffset = 0

  mutating func add(_ text: String) {
    let form = PostgresDate(text)
    if let form, form == .infinite || PostgresDate(beyondISO: text) != nil {
      seen.insert(form)
    } else if let day = Instant(text)?.description {
      if day.first?.isNumber != true { hasUnreadable = true }
      if let form { seen.insert(form) } else { hasOthers = true }
    }
    if form == .local || form == nil { withoutOffset += 1 }
  }

  /// Returns the SQL type of the column.
  ///
  /// - Parameter declared: The type of the column in the database from which the dates come.
  func type(declared: String?) -> String {
    if hasUnreadable { return "text" }
    if hasOthers { return "timestamptz" }
    switch declared {
    case "timestamp" where seen.isSubset(of: [.local, .infinite]): return "timestamp"
    case "timestamptz" where seen.isSubset(of: [.utc, .infinite]): return "timestamptz"
    default: return seen.isSubset(of: [.day, .infinite]) ? "date" : "timestamptz"
    }
  }
}

extension TablePlan.Table {
  /// Whether the primary key is a number that the server assigns to rows without one.
  var isNumbered: Bool { key?.kind == .integer }

  /// Returns the primary key of a row as the server parses it.
  func postgresKey(of row: EntityHandle, in store: TripleStore) -> String? {
    keyValue(of: row, in: store).withoutNUL.postgresText
  }
}

extension String {
  fileprivate var hasNUL: Bool { utf8.contains(0) }

  /// The text without NUL characters, which PostgreSQL cannot store.
  fileprivate var withoutNUL: String {
    hasNUL ? String(String.UnicodeScalarView(unicodeScalars.filter { $0.value != 0 })) : self
  }
}

extension Value {
  fileprivate var hasNUL: Bool { self != withoutNUL }

  /// The value without NUL characters in its texts, also within lists and objects.
  fileprivate var withoutNUL: Value {
    switch self {
    case .text(let text): .text(text.withoutNUL)
    case .array(let values): .array(values.map(\.withoutNUL))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key.withoutNUL, value: $0.value.withoutNUL)
          }))
    case .null, .bool, .integer, .double: self
    }
  }
}
