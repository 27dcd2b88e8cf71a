import Triples

/// The kinds of databases to which a store is exported.
enum RelationalDatabase { case sqlite, postgres }

/// The kind of the values in a column of such a database.
enum StoredKind { case text, integer, real, boolean, date, json, mixed }

/// Statistics about the values of an attribute.
struct ValueStatistics {
  private let attribute: Attribute
  private let database: RelationalDatabase
  private var kinds: Set<StoredKind> = []
  private var different: Set<Value> = []
  private var (booleans, documents, lists) = (0, 0, 0)
  private var (isExact, areDates) = (true, true)
  /// The numbers and dates of PostgreSQL that SQLite stores as texts.
  private var others: (count: Int, example: String) = (0, "")
  private(set) var count = 0
  private(set) var isUnique = true

  init(_ attribute: Attribute, for database: RelationalDatabase) {
    (self.attribute, self.database) = (attribute, database)
  }

  mutating func add(_ values: [Value]) {
    if attribute.cardinality == .many, !values.isEmpty {
      lists += 1
      kinds.insert(.json)
      return
    }
    guard let value = values.first else { return }
    switch value {
    case .null: return
    case .bool:
      kinds.insert(.boolean)
      booleans += 1
    case .integer(let number):
      kinds.insert(.integer)
      if number.magnitude > 1 << 53 { isExact = false }
    case .double: kinds.insert(.real)
    case .text(let text): add(text)
    case .array, .object:
      kinds.insert(.json)
      documents += 1
    }
    count += 1
    if attribute.isUnique, !different.insert(value).inserted { isUnique = false }
  }

  private mutating func add(_ text: String) {
    if attribute.exactForm == .json, JSONReader.isExactDocument(text) {
      kinds.insert(.json)
      documents += 1
      return
    }
    switch attribute.checkedType {
    case .number? where Self.isPostgresNumber(text):
      if database == .postgres {
        kinds.insert(.real)
        return
      }
      addOther(text)
    case .date? where PostgresDate(beyondISO: text) != nil:
      if database == .postgres { break }
      areDates = false
      addOther(text)
    // In a column of dates, SQLite would convert a text that looks like a number to a number.
    case .date? where Instant(text) == nil || text.hasSuffix(" BC") || Double(text) != nil:
      areDates = false
    case .date?, .number?, .string?, .boolean?, nil: break
    }
    kinds.insert(.text)
  }

  private mutating func addOther(_ text: String) {
    if others.count == 0 { others.example = text }
    others.count += 1
  }

  /// Returns whether a text is a number that only PostgreSQL has.
  private static func isPostgresNumber(_ text: String) -> Bool {
    ["NaN", "Infinity", "-Infinity"].contains(text) || ExactNumber(text) != nil
  }

  var kind: StoredKind {
    // A column of JSON may have values of any type, and texts of exact JSON.
    if attribute.exactForm == .json,
      database == .postgres || kinds.isEmpty || kinds.contains(.json)
    {
      return .json
    }
    return switch kinds {
    case []:
      switch attribute.checkedType {
      case .string?: .text
      case .number?: attribute.isDeclaredInteger ? .integer : .real
      case .boolean?: .boolean
      case .date?: .date
      case nil: .mixed
      }
    case [.text]: attribute.checkedType == .date && areDates ? .date : .text
    case [.integer, .real]: isExact || database == .postgres ? .real : .mixed
    case [.boolean], [.integer], [.real], [.json]: kinds.first ?? .mixed
    default: .mixed
    }
  }

  /// A clause that describes the values that do not fit into the column; nil if all fit.
  var remark: String? {
    var words: [String] = []
    if lists > 0 {
      words.append(
        "\(lists) lists of values are written as JSON\(database == .sqlite ? " text" : "")")
    }
    if documents > 0, database == .sqlite {
      words.append("lists and objects are written as JSON text (\(documents) in all)")
    }
    if booleans > 0, kinds.count > 1, kind != .json, database == .sqlite {
      words.append(
        "true and false are written as 1 and 0, because the column also has other types (\(booleans) in all)"
      )
    }
    if others.count > 0 {
      let what =
        attribute.checkedType == .date
        ? "dates outside of ISO 8601" : "numbers that SQLite cannot store exactly"
      words.append(
        "\(what), such as \(others.example), are written as text (\(others.count) in all)")
    }
    if attribute.isUnique, !isUnique {
      words.append("the column has no unique constraint, because some values are equal")
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}

extension Attribute {
  /// Whether the attribute is a column of a database that is declared for integers.
  fileprivate var isDeclaredInteger: Bool {
    column.map { $0.type.contains("int") || $0.type == "oid" } ?? false
  }

  /// Whether the attribute is a column of a database that is declared for floating-point numbers.
  var isDeclaredFloat: Bool {
    guard let type = column?.type else { return false }
    return ["float4", "float8", "float", "real", "double", "double precision"].contains(type)
  }
}
