import InstaQL
import Triples

/// Puts rows of one table into a store.
struct RowReader {
  let ids: RowIDs
  private let namespace: String
  private let identity: Int
  private let numbers: [Int]
  private let cells: [CellReader]
  private let keepsNulls: Bool
  /// What selects each value of a row that is called as given.
  private let columns: [@Sendable (String) -> String]

  /// - Parameters:
  ///   - labels: The attributes that are read; nil reads all.
  ///   - mostBytes: Longer texts are cut; nil cuts none.
  ///   - keepsNulls: Whether a NULL is a null, and not nothing at all.
  ///   - spelling: Says bytes; nil says how many they are.
  init?(
    _ namespace: DatabaseNames.Namespace, in store: TripleStore, labels: Set<String>? = nil,
    mostBytes: Int?, keepsNulls: Bool = true, spelling: BytesSpelling? = nil
  ) {
    self.keepsNulls = keepsNulls
    guard let identity = store.column(of: namespace.identity.id) else { return nil }
    self.identity = identity
    self.namespace = namespace.table.name
    ids = namespace.ids
    let values = namespace.values.filter { labels?.contains($0.attribute.label) ?? true }
    numbers = values.compactMap { store.column(of: $0.attribute.id) }
    cells = values.map {
      CellReader(
        $0.attribute.checkedType, mostBytes: mostBytes, spelling: spelling,
        form: $0.column.sqlType)
    }
    let countsBytes = mostBytes != nil || spelling == nil
    columns = values.map { value in
      { alias in
        Self.selection(
          of: value.column, alias: alias, isShown: mostBytes != nil, countsBytes: countsBytes)
      }
    }
  }

  /// Of what is no text or number a screen shows the size, for which SQLite need not read it.
  static func selection(
    of column: DatabaseCatalog.Column, alias: String, isShown: Bool, countsBytes: Bool = true
  ) -> String {
    let name = (alias.isEmpty ? "" : alias + ".") + column.name.quotedSQL
    if let type = column.sqlType {
      return type.selection(of: name, isShown: type.form == .bytes ? countsBytes : isShown)
    }
    guard isShown, ColumnKinds.sureType(declared: column.type) == nil else { return name }
    return "CASE typeof(\(name)) WHEN 'blob' THEN zeroblob(length(\(name))) ELSE \(name) END"
  }

  /// What a statement must select, in this order.
  var selected: [String] { ids.columns + columns.map { $0("") } }

  /// The same of a row that has a name.
  func selected(of alias: String) -> [String] {
    ids.columns(of: alias) + columns.map { $0(alias) }
  }

  /// Reads the current row of a statement.
  ///
  /// - Parameters:
  ///   - first: The index of its first column.
  ///   - place: The substitute for its row number if it has none.
  func read(
    _ statement: some DatabaseRows, _ first: Int32, place: Int = 0, into store: inout TripleStore
  ) -> EntityHandle {
    let entity = readEntity(statement, first, place: place, into: &store)
    readValues(of: entity, statement, first, into: &store)
    return entity
  }

  /// No more than that there is such an entity.
  func readEntity(
    _ statement: some DatabaseRows, _ first: Int32, place: Int = 0, into store: inout TripleStore
  ) -> EntityHandle {
    let time =
      ids.number == nil ? Int64(ids.isTyped ? 0 : place) : statement.integer(first)
    let id = ids.isEmpty ? ids.id(ofRowAt: place) : ids.id(statement, first)
    if let memory = ids.memory, let key = ids.key(statement, first) { memory.note(key, of: id) }
    let entity = store.makeEntity(id, in: namespace)
    store.load(member: entity, column: identity, at: time)
    return entity
  }

  /// The values of an entity whose row it is.
  func readValues(
    of entity: EntityHandle, _ statement: some DatabaseRows, _ first: Int32,
    into store: inout TripleStore
  ) {
    let time = store.createdAt(entity, in: namespace)
    let start = first + Int32(ids.columns.count)
    for (place, number) in numbers.enumerated() {
      let value = statement.value(start + Int32(place), cells[place])
      if value == .null, !keepsNulls { continue }
      _ = store.insert(value, of: entity, column: number, at: time)
    }
  }
}
