import GRDB
import InstaQL
import Triples

/// Derives stable entity ids from rows.
///
/// If the rowid is the key, ids are derived from the rowids and have the same order. A UUID key is
/// the id itself. Other ids are hashes of the table's name and the key's text.
struct RowIDs: Sendable {
  let table: String
  /// The columns of the key; empty if the rowid identifies the rows.
  let key: [String]
  /// The name of the rowid; nil if the table has none.
  let number: String?
  /// The column with the time of creation; nil if the table has none.
  let creation: String?
  private let high: UInt64
  /// Records the key of each row that is read; nil if keys can be computed from ids.
  let memory: KeyMemory?
  /// The system columns that locate a row without a key until it changes; empty if no link begins
  /// or ends at the table.
  let place: [String]
  /// Whether the key columns are strictly typed.
  let isTyped: Bool
  /// Whether the key is a UUID. If so, the key is also the id.
  let isUUID: Bool

  init(_ table: DatabaseCatalog.Table) {
    self.table = table.name
    number = table.number
    creation = table.creation?.quotedSQL
    let types = table.columns.filter { table.key.contains($0.name) }.map(\.sqlType)
    isTyped = types.contains { $0 != nil }
    isUUID = types.count == 1 && types[0]?.form == .uuid
    memory = table.number == nil && isTyped && !isUUID ? KeyMemory() : nil
    key = table.isKeyNumber ? [] : table.key
    let isLinked = table.isReferenced || !table.foreignKeys.isEmpty
    place = table.hasPlaces && isLinked ? ["tableoid", "ctid"] : []
    high = EntityID.high(of: table.name)
  }

  /// The columns to select for an id, in the order that ``id(_:_:)`` reads them.
  var columns: [String] { [number ?? creation ?? "NULL"] + parts.map(\.quotedSQL) }

  /// The columns that make up the key or, without a key, the place.
  private var parts: [String] { key.isEmpty ? place : key }

  /// Returns the columns from which a row's id is read, prefixed with a table alias.
  func columns(of alias: String) -> [String] {
    [(number ?? creation).map { "\(alias).\($0)" } ?? "NULL"]
      + parts.map { "\(alias).\($0.quotedSQL)" }
  }

  /// The rowid and key columns that a query uses to find rows by id; nil without rowids.
  var sqlKey: (number: String, columns: [String], high: UInt64?)? {
    number.map { ($0, key, key.isEmpty ? high : nil) }
  }

  /// The number of columns in a row's locator: 1 for a rowid, otherwise the number of columns of the
  /// key or place.
  var locatorCount: Int { number == nil ? parts.count : 1 }

  /// Returns the locator of the current row, read from its first columns.
  func locator(_ rows: some DatabaseRows) -> RowLocator {
    if number != nil { return .number(rows.integer(0)) }
    return .key(parts.indices.map { rows.text(Int32($0)) })
  }

  /// Returns the key of the current row, or nil if it has a rowid; `first` is the rowid's column.
  func key(_ rows: some DatabaseRows, _ first: Int32) -> [String]? {
    number == nil ? parts.indices.map { rows.text(first + 1 + Int32($0)) } : nil
  }

  /// Returns the id of the current row; `first` is the first of its id columns.
  func id(_ statement: some DatabaseRows, _ first: Int32) -> EntityID {
    let row = number == nil ? nil : statement.integer(first)
    if isEmpty, let place = self.key(statement, first), !place.isEmpty {
      return .derived(from: "\(table)/place \(place.joined(separator: " "))")
    }
    if key.isEmpty { return id(row, []) }
    return id(
      row,
      key.indices.map { place in
        let column = first + 1 + Int32(place)
        return statement.isNull(column) ? nil : statement.text(column)
      })
  }

  /// Returns an id derived from a row's position in the result, for rows with neither rowid nor
  /// key.
  ///
  /// - Parameter scope: The condition and order of the result; empty for all rows.
  func id(ofRowAt place: Int, of scope: String) -> EntityID {
    .derived(from: "\(table)/row \(place)\(scope)")
  }

  /// Whether rows have neither a rowid nor a key.
  var isEmpty: Bool { number == nil && key.isEmpty }

  /// Returns a number that orders rows without a key as they lie in their table; nil for other rows.
  func order(_ rows: some DatabaseRows, _ first: Int32) -> Int64? {
    guard isEmpty, let place = key(rows, first)?.last else { return nil }
    // A place is a pair of numbers, such as `(0,1)`: the block and the row within it.
    return place.split { !$0.isNumber }.reduce(0) { $0 << 16 | (Int64($1) ?? 0) }
  }

  /// Whether an id can only be derived from a row's position in the result.
  var areByPosition: Bool { locatorCount == 0 }

  private func id(_ number: Int64?, _ key: [String?]) -> EntityID {
    if key.isEmpty, let number, let id = EntityID(number: number, in: high) { return id }
    return Self.id(table, number, key)
  }

  /// Derives an id from the key or, without a complete key, from the rowid.
  ///
  /// Each part of the key is hashed with its length, so that different keys do not collide. A key
  /// that contains a NULL does not identify a row.
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

  /// The SQL function `sonde_id(table, number, key…)`: the id as a text. The key parts are texts.
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

/// The identity of a row within its table.
enum RowLocator: Hashable, Sendable {
  case number(Int64)
  /// The texts of the row's key columns.
  case key([String])

  /// The texts of the locator, to bind as parameters of a statement.
  var texts: [String] {
    switch self {
    case .number(let number): [String(number)]
    case .key(let texts): texts
    }
  }
}
