import Triples

/// The tables of a relational database that represent a store.
///
/// Each namespace has a table, with a column for each attribute and a foreign key for each link
/// with a single target. A link with several targets has a join table.
struct TablePlan {
  struct Table {
    let namespace: String
    let name: String
    /// The column `id` of a database table whose values identify the rows; nil if the key contains
    /// the ids of the entities.
    var key: Column?
    var columns: [Column] = []
    var keys: [ForeignKey] = []

    /// The name of the primary key.
    var keyName: String { key?.name ?? "id" }

    /// Returns the key of a row, which foreign keys contain.
    func keyValue(of row: EntityHandle, in store: TripleStore) -> Value {
      guard let key else { return .text(store.id(of: row).text) }
      return store.value(row, key.attribute.id) ?? .null
    }
  }

  struct Column {
    let attribute: Attribute
    let name: String
    let kind: Kind
    let isRequired: Bool
    let isUnique: Bool
  }

  enum Kind { case text, integer, real, boolean, date, json, mixed }

  struct ForeignKey {
    let end: LinkEnd
    let name: String
    let isRequired: Bool
    let isUnique: Bool
  }

  struct Pairs {
    let end: LinkEnd
    let name: String
    let source: (column: String, table: Table)
    /// The column that contains the link's target.
    let target: String
  }

  /// The target of a link: its namespace, its table, and the entities in that table.
  struct LinkEnd {
    let attribute: Attribute
    let namespace: String
    let table: Table
    /// The entities in the target table.
    let rows: RowSet

    /// The name of the link in the target namespace; nil if the link has no name there.
    var reverse: String? {
      attribute.reverse?.namespace == namespace ? attribute.reverse?.label : nil
    }

    /// Returns the targets of an entity's link that are in the target table.
    func targets(of source: EntityHandle, in store: TripleStore) -> [EntityHandle] {
      store.targets(source, Link(attribute, .forward)).filter { rows.contains($0) }
    }
  }

  private(set) var tables: [Table] = []
  private(set) var pairs: [Pairs] = []
  /// The data that does not fit into tables, each as a sentence.
  private(set) var remarks: [String] = []
  private let database: Database

  /// The kinds of databases. They allow different names.
  enum Database {
    case sqlite, postgres

    /// The maximum length of a name in bytes.
    fileprivate var maxNameBytes: Int { self == .postgres ? 63 : .max }

    /// The names of the columns that the database adds to every table.
    fileprivate var systemColumns: Set<String> {
      self == .postgres ? ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] : []
    }
  }

  /// The names in use, in lower case, since databases ignore case.
  private var taken: Set<String> = [TablePlan.linkNames]

  /// The name of the table that records the names of links, which foreign keys cannot store.
  static let linkNames = "sonde_links"

  /// Plans the tables for a store.
  ///
  /// - Parameter database: The kind of database that will contain the tables.
  init(_ store: TripleStore, for database: Database = .sqlite) {
    self.database = database
    for namespace in store.schema.entityNamespaces {
      tables.append(Table(namespace: namespace, name: free(namespace)))
    }
    for place in tables.indices { addKey(to: place, store) }
    for place in tables.indices { addColumns(to: place, store) }
    for attribute in store.schema.attributes where attribute.valueType == .ref {
      add(attribute, store)
    }
  }

  private mutating func free(_ wanted: String) -> String {
    let isReserved = wanted.lowercased().hasPrefix("sqlite_")
    let name = free(isReserved || wanted.isEmpty ? "_" + wanted : wanted, &taken)
    if name != wanted {
      remarks.append("The namespace '\(wanted)' is exported as table '\(name)'.")
    }
    return name
  }

  private func free(_ wanted: String, _ taken: inout Set<String>) -> String {
    var number = 1
    while true {
      let ending =
        number == 1
        ? "" : database == .sqlite ? String(repeating: "_", count: number - 1) : "_\(number)"
      var name = wanted.filter { $0 != "\0" }
      while name.utf8.count + ending.utf8.count > database.maxNameBytes { name.removeLast() }
      name += ending
      if taken.insert(name.lowercased()).inserted { return name }
      number += 1
    }
  }

  // MARK: Values

  /// Uses a column `id` of a database table as the key if its values identify the rows.
  private mutating func addKey(to place: Int, _ store: TripleStore) {
    let namespace = tables[place].namespace
    let attributes = store.schema.allOwnAttributes(of: namespace)
    guard store.schema.identity(of: namespace)?.isInternal == true,
      let attribute = attributes.first(where: {
        $0.column != nil && $0.keyOf == nil && $0.label.lowercased() == "id"
      })
    else { return }
    var seen = ValueStatistics(attribute.with { $0.isUnique = true }, for: database)
    let rows = store.rows(of: namespace).handles
    for row in rows { seen.add(store.values(row, attribute.id)) }
    guard seen.isUnique, seen.count == rows.count, [.integer, .text].contains(seen.kind) else {
      return
    }
    tables[place].key = Column(
      attribute: attribute, name: attribute.label, kind: seen.kind, isRequired: true,
      isUnique: true)
  }

  private mutating func addColumns(to place: Int, _ store: TripleStore) {
    let namespace = tables[place].namespace
    let rows = store.rows(of: namespace)
    var taken = database.systemColumns.union(["id"])
    var oddIDs = 0
    let key = tables[place].key
    for entity in rows.handles where key == nil && !store.id(of: entity).isUUID { oddIDs += 1 }
    if oddIDs > 0 {
      remarks.append(
        "\(namespace): \(oddIDs) ids are not UUIDs; their rows get new ids when Sonde opens the database."
      )
    }
    for attribute in store.schema.allOwnAttributes(of: namespace)
    where attribute.valueType == .blob && !attribute.isIdentity
      && attribute.id != key?.attribute.id
    {
      var seen = ValueStatistics(attribute, for: database)
      for entity in rows.handles { seen.add(store.values(entity, attribute.id)) }
      let label = store.schema.portable(attribute).label
      let name = free(label.isEmpty ? "_" : label, &taken)
      if label != attribute.label || (database == .postgres && name != attribute.label) {
        remarks.append("\(namespace).\(attribute.label) is exported as column '\(name)'.")
      }
      if let remark = seen.remark {
        remarks.append("\(namespace).\(attribute.label): \(remark).")
      }
      tables[place].columns.append(
        Column(
          attribute: attribute, name: name, kind: seen.kind,
          isRequired: attribute.isRequired == true && seen.count == rows.handles.count,
          isUnique: attribute.isUnique && seen.isUnique))
    }
  }

  // MARK: Links

  private mutating func add(_ attribute: Attribute, _ store: TripleStore) {
    let name = "\(attribute.namespace).\(attribute.label)"
    guard let near = tables.firstIndex(where: { $0.namespace == attribute.namespace }) else {
      return
    }
    let sources = store.rows(of: attribute.namespace).handles
    guard let far = target(of: attribute, from: sources, store) else {
      remarks.append("\(name): the link is not exported, because its target namespace is empty.")
      return
    }
    let end = LinkEnd(
      attribute: attribute, namespace: far.namespace, table: far,
      rows: store.rows(of: far.namespace))
    var (targets, lost, linked): (Set<EntityHandle>, Int, Int) = ([], 0, 0)
    var isUnique = attribute.isUnique
    for source in sources {
      let here = end.targets(of: source, in: store)
      lost += store.targets(source, Link(attribute, .forward)).count - here.count
      if !here.isEmpty { linked += 1 }
      for end in here where !targets.insert(end).inserted { isUnique = false }
    }
    if lost > 0 {
      let noun = lost == 1 ? "broken reference is" : "broken references are"
      remarks.append("\(name): \(lost) \(noun) not exported.")
    }
    let (table, isSame) = (tables[near].name, tables[near].name == far.name)
    guard attribute.cardinality == .one else {
      pairs.append(
        Pairs(
          end: end, name: free("\(table)_\(attribute.label)", &taken),
          source: (isSame ? "source_id" : pairColumn(table), tables[near]),
          target: isSame ? "target_id" : pairColumn(far.name)))
      return
    }
    let column = nameOfReplacedColumn(attribute, end, in: near, sources, store)
    var used = database.systemColumns.union(
      ["id"] + tables[near].columns.map { $0.name.lowercased() }
        + tables[near].keys.map { $0.name.lowercased() })
    tables[near].keys.append(
      ForeignKey(
        end: end, name: free(column ?? attribute.label + "_id", &used),
        isRequired: attribute.isRequired == true && linked == sources.count, isUnique: isUnique))
  }

  /// Removes the column of a database's foreign key if the new foreign key has the same values.
  ///
  /// - Returns: The name of the column in the database; nil if none was removed.
  private mutating func nameOfReplacedColumn(
    _ link: Attribute, _ end: LinkEnd, in near: Int, _ sources: [EntityHandle],
    _ store: TripleStore
  ) -> String? {
    guard let place = tables[near].columns.firstIndex(where: { $0.attribute.keyOf == link.id }),
      let column = tables[near].columns[place].attribute.column,
      sources.allSatisfy({ source in
        let target = end.targets(of: source, in: store).first
        let value = target.map { end.table.keyValue(of: $0, in: store) }
        let known = store.value(source, tables[near].columns[place].attribute.id)
        return value ?? .null == known ?? .null
      })
    else { return nil }
    tables[near].columns.remove(at: place)
    return column.name
  }

  /// Returns the name of a join table's column that references the given table.
  private func pairColumn(_ table: String) -> String {
    var used: Set<String> = []
    return free(table + "_id", &used)
  }

  /// Returns the table that contains the targets of a link.
  ///
  /// If the declared target namespace has no table, this is the table of the first existing target.
  private func target(
    of attribute: Attribute, from sources: [EntityHandle], _ store: TripleStore
  ) -> Table? {
    if let named = tables.first(where: { $0.namespace == attribute.reverse?.namespace }) {
      return named
    }
    let end = sources.lazy.compactMap { store.targets($0, Link(attribute, .forward)).first }.first
    return end.flatMap { end in tables.first { store.rows(of: $0.namespace).contains(end) } }
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

/// Statistics about the values of an attribute.
private struct ValueStatistics {
  private let attribute: Attribute
  private let database: TablePlan.Database
  private var kinds: Set<TablePlan.Kind> = []
  private var different: Set<Value> = []
  private var (booleans, documents, lists) = (0, 0, 0)
  private var (isExact, areDates) = (true, true)
  /// The numbers and dates of PostgreSQL that SQLite stores as texts.
  private var others: (count: Int, example: String) = (0, "")
  private(set) var count = 0
  private(set) var isUnique = true

  init(_ attribute: Attribute, for database: TablePlan.Database) {
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

  var kind: TablePlan.Kind {
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
