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
    let kind: StoredKind
    let isRequired: Bool
    let isUnique: Bool
  }

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
  private let database: RelationalDatabase

  /// The names in use, in lower case, since databases ignore case.
  private var taken: Set<String> = [TablePlan.linkNames]

  /// The name of the table that records the names of links, which foreign keys cannot store.
  static let linkNames = "sonde_links"

  /// Plans the tables for a store.
  ///
  /// - Parameter database: The kind of database that will contain the tables.
  init(_ store: TripleStore, for database: RelationalDatabase = .sqlite) {
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

extension RelationalDatabase {
  /// The maximum length of a name in bytes.
  fileprivate var maxNameBytes: Int { self == .postgres ? 63 : .max }

  /// The names of the columns that the database adds to every table.
  fileprivate var systemColumns: Set<String> {
    self == .postgres ? ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] : []
  }
}
