import GRDB
import InstaQL
import Triples

/// What the rows of a table are called as entities: the same row, the same id, at each reading.
///
/// Where the key is the row's number, the id is made of it and stands in its order; a key that is a
/// UUID is the id; any other id is made from the table's name and the text of the key.
struct RowIDs: Sendable {
  let table: String
  /// The columns of the key; none where the number is enough.
  let key: [String]
  /// What the number is called; nil where rows have none.
  let number: String?
  private let high: UInt64
  /// Remembers keys whose ids cannot be reversed.
  let memory: KeyMemory?
  /// Whether the columns of the key hold values of their types alone.
  let isTyped: Bool
  /// Whether the key is the id.
  let isUUID: Bool

  init(_ table: DatabaseCatalog.Table) {
    self.table = table.name
    number = table.number
    let types = table.columns.filter { table.key.contains($0.name) }.map(\.sqlType)
    isTyped = types.contains { $0 != nil }
    isUUID = types.count == 1 && types[0]?.form == .uuid
    memory = table.number == nil && isTyped && !isUUID ? KeyMemory() : nil
    key = table.isKeyNumber ? [] : table.key
    high = EntityID.high(of: table.name)
  }

  /// What a statement must select to tell a row's id, in this order.
  var columns: [String] { [number ?? "NULL"] + key.map(\.quotedSQL) }

  /// The same columns of a row that has a name.
  func columns(of alias: String) -> [String] {
    [number.map { "\(alias).\($0)" } ?? "NULL"] + key.map { "\(alias).\($0.quotedSQL)" }
  }

  /// How a query finds rows by id; nil where they have no numbers.
  var sqlKey: (number: String, columns: [String], high: UInt64?)? {
    number.map { ($0, key, key.isEmpty ? high : nil) }
  }

  /// How many columns it takes to find a row.
  var locatorCount: Int { number == nil ? key.count : 1 }

  /// What finds a row again, where a statement selected its locator first.
  func locator(_ rows: some DatabaseRows) -> RowLocator {
    if number != nil { return .number(rows.integer(0)) }
    return .key(key.indices.map { rows.text(Int32($0)) })
  }

  /// The key of the row that a statement stands on, whose columns begin there; nil where numbers do.
  func key(_ rows: some DatabaseRows, _ first: Int32) -> [String]? {
    number == nil ? key.indices.map { rows.text(first + 1 + Int32($0)) } : nil
  }

  /// The id of the row that a statement stands on, whose columns begin there.
  func id(_ statement: some DatabaseRows, _ first: Int32) -> EntityID {
    let row = number == nil ? nil : statement.integer(first)
    if key.isEmpty { return id(row, []) }
    return id(
      row,
      key.indices.map { place in
        let column = first + 1 + Int32(place)
        return statement.isNull(column) ? nil : statement.text(column)
      })
  }

  /// The id of a row that nothing tells apart from others: its place in an answer.
  func id(ofRowAt place: Int) -> EntityID { .derived(from: "\(table)/row \(place)") }

  /// Whether nothing tells rows apart.
  var isEmpty: Bool { number == nil && key.isEmpty }

  private func id(_ number: Int64?, _ key: [String?]) -> EntityID {
    if key.isEmpty, let number, let id = EntityID(number: number, in: high) { return id }
    return Self.id(table, number, key)
  }

  /// Parts of a key cannot run into each other; a key with a gap names no row, so its number does.
  private static func id(_ table: String, _ number: Int64?, _ key: [String?]) -> EntityID {
    let parts = key.compactMap { $0 }
    if let number, parts.count < key.count || key.isEmpty {
      return .derived(from: "\(table)/\(number)#")
    }
    guard parts.count == 1 else {
      return .derived(
        from: "\(table)/" + key.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined())
    }
    let id = EntityID(parts[0])
    return id.isUUID ? id : .derived(from: "\(table)/\(parts[0])")
  }

  // MARK: Within SQL

  /// `sonde_id(table, number, key…)`: the id as a text; the parts of the key are texts.
  static let function = DatabaseFunction("sonde_id", pure: true) { values in
    guard values.count >= 2, let table = String.fromDatabaseValue(values[0]) else { return nil }
    let number = Int64.fromDatabaseValue(values[1])
    let key = values.dropFirst(2).map { String.fromDatabaseValue($0) }
    if key.isEmpty, let number, let id = EntityID(number: number, in: EntityID.high(of: table)) {
      return id.text
    }
    return id(table, number, key).text
  }
}

/// What finds a row of a table.
enum RowLocator: Hashable, Sendable {
  case number(Int64)
  /// The texts of the columns of its key.
  case key([String])

  /// As a statement takes it.
  var texts: [String] {
    switch self {
    case .number(let number): [String(number)]
    case .key(let texts): texts
    }
  }
}
