import InstaQL
import Triples

/// Reads rows of one table into a store.
struct RowReader {
  let ids: RowIDs
  /// Whether all attributes of the rows are read.
  let readsAll: Bool
  private let namespace: String
  private let identity: Int
  private let numbers: [Int]
  private let cells: [CellReader]
  private let keepsNulls: Bool
  private let isSparse: Bool
  /// For each attribute, whether it can have several values, which are read as a list.
  private let areLists: [Bool]
  /// For each column, a function that returns its SQL expression for a table alias.
  private let columns: [@Sendable (String) -> String]

  /// Creates a reader; nil if the store lacks the namespace.
  ///
  /// - Parameters:
  ///   - labels: The attributes to read; nil reads all.
  ///   - maxBytes: The maximum size of a text in bytes; longer texts are cut. Nil cuts no text.
  ///   - keepsNulls: Whether a NULL becomes a null value; otherwise the value is missing.
  ///   - spelling: Encodes BLOBs; nil reads their sizes.
  init?(
    _ namespace: DatabaseNames.Namespace, in store: TripleStore, labels: Set<String>? = nil,
    maxBytes: Int?, keepsNulls: Bool = true, spelling: BlobEncoder? = nil
  ) {
    self.keepsNulls = keepsNulls
    readsAll = labels == nil
    isSparse = namespace.table.isSparse
    guard let identity = store.column(of: namespace.identity.id) else { return nil }
    self.identity = identity
    self.namespace = namespace.table.name
    ids = namespace.ids
    let values = namespace.values.filter { labels?.contains($0.attribute.label) ?? true }
    areLists = values.map { $0.attribute.cardinality == .many }
    numbers = values.compactMap { store.column(of: $0.attribute.id) }
    cells = values.map {
      CellReader(
        $0.attribute.checkedType, maxBytes: maxBytes, spelling: spelling,
        form: $0.column.sqlType, isJSON: $0.column.isJSON)
    }
    let countsBytes = maxBytes != nil || spelling == nil
    columns = values.map { value in
      { alias in
        Self.selection(
          of: value.column, alias: alias, isShown: maxBytes != nil, countsBytes: countsBytes)
      }
    }
  }

  /// Returns the SQL expression of a column. A screen shows only the size of a BLOB, which SQLite
  /// knows without reading it.
  static func selection(
    of column: DatabaseCatalog.Column, alias: String, isShown: Bool, countsBytes: Bool = true
  ) -> String {
    let name = (alias.isEmpty ? "" : alias + ".") + column.name.quotedSQL
    if let type = column.sqlType {
      return type.selection(of: name, isShown: type.form == .bytes ? countsBytes : isShown)
    }
    guard isShown, !column.isJSON, ColumnKinds.sureType(declared: column.type) == nil else {
      return name
    }
    return "CASE typeof(\(name)) WHEN 'blob' THEN zeroblob(length(\(name))) ELSE \(name) END"
  }

  /// The columns to select: first the columns for the id, then the columns for the values.
  var selected: [String] { ids.columns + columns.map { $0("") } }

  /// Returns the columns to select, like ``selected``, but prefixed with a table alias.
  func selected(of alias: String) -> [String] {
    ids.columns(of: alias) + columns.map { $0(alias) }
  }

  /// Reads the current row of a statement.
  ///
  /// - Parameters:
  ///   - first: The index of the row's first column in the statement.
  ///   - place: The position of the row in the result, which orders and identifies rows without
  ///     rowids.
  ///   - scope: The condition and order of the query, if rows have neither rowid nor key.
  func read(
    _ statement: some DatabaseRows, _ first: Int32, place: Int = 0, of scope: String = "",
    into store: inout TripleStore
  ) -> EntityHandle {
    let entity = readEntity(statement, first, place: place, of: scope, into: &store)
    readValues(of: entity, statement, first, into: &store)
    return entity
  }

  /// Adds the current row's entity to the store, without values.
  func readEntity(
    _ statement: some DatabaseRows, _ first: Int32, place: Int = 0, of scope: String = "",
    into store: inout TripleStore
  ) -> EntityHandle {
    let time =
      ids.order(statement, first)
      ?? (ids.number == nil && ids.creation == nil
        ? Int64(ids.isTyped ? 0 : place) : statement.integer(first))
    let id =
      ids.areByPosition ? ids.id(ofRowAt: place, of: scope) : ids.id(statement, first)
    if let memory = ids.memory, let key = ids.key(statement, first) { memory.remember(key, of: id) }
    let entity = store.makeEntity(id, in: namespace)
    store.load(member: entity, column: identity, at: time)
    return entity
  }

  /// Reads the values of the current row's entity.
  func readValues(
    of entity: EntityHandle, _ statement: some DatabaseRows, _ first: Int32,
    into store: inout TripleStore
  ) {
    let time = store.createdAt(entity, in: namespace)
    let start = first + Int32(ids.columns.count)
    for (place, number) in numbers.enumerated() {
      if isSparse, statement.isNull(start + Int32(place)) { continue }
      let value = statement.value(start + Int32(place), cells[place])
      if value == .null, !keepsNulls { continue }
      if areLists[place], case .array(let list) = value {
        for value in list { _ = store.insert(value, of: entity, column: number, at: time) }
      } else {
        _ = store.insert(value, of: entity, column: number, at: time)
      }
    }
  }
}
