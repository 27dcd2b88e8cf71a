import InstaQL
import Triples

/// Maps tables to namespaces, columns to attributes, and foreign keys to links, and names each of
/// them.
struct DatabaseNames: Sendable {
  /// A link between entities that represents a foreign key or a join table.
  struct Link: Sendable {
    let attribute: Attribute
    let key: DatabaseCatalog.ForeignKey
    /// The other foreign key of a join table; nil for a plain foreign key.
    var joined: DatabaseCatalog.ForeignKey?
    var table: String
    /// The table's name as written in SQL.
    var sqlName: String
    /// The table's own rows as written in SELECT and DELETE.
    var sqlRows: String
  }

  struct Namespace: Sendable {
    let table: DatabaseCatalog.Table
    let identity: Attribute
    let ids: RowIDs
    /// The columns with their attributes, in the order of the columns.
    var values: [(column: DatabaseCatalog.Column, attribute: Attribute)] = []

    /// Returns whether a column contains the ids of the rows and is named `id`.
    fileprivate func isIdentity(_ column: DatabaseCatalog.Column) -> Bool {
      DatabaseNames.isIdentity(column, of: table, ids)
    }

    /// The labels of the namespace's attributes, except foreign-key columns.
    var labelsWithoutKeys: Set<String> {
      Set(values.filter { $0.attribute.keyOf == nil }.map(\.attribute.label))
    }
  }

  private(set) var namespaces: [Namespace] = []
  private(set) var links: [Link] = []
  /// The labels in use, keyed by namespace.
  private var taken: [String: Set<String>] = [:]

  /// The index of each namespace in ``namespaces``, keyed by the namespace's name.
  private var places: [String: Int] = [:]
  /// The link of each foreign-key column, keyed by table and column.
  private var linkOfColumn: [String: [String: AttributeID]] = [:]

  func namespace(_ name: String) -> Namespace? { places[name].map { namespaces[$0] } }

  /// Sets the type of a column's values; nil allows any type.
  mutating func setType(_ type: CheckedType?, of column: Int, in namespace: Int) {
    namespaces[namespace].values[column].attribute.checkedType = type
  }

  /// Creates the names of tables and links whose attributes are known.
  init(_ namespaces: [Namespace], _ links: [Link]) {
    (self.namespaces, self.links) = (namespaces, links)
    for (place, namespace) in namespaces.enumerated() { places[namespace.table.name] = place }
  }

  init(_ catalog: DatabaseCatalog) {
    for table in catalog.tables where !table.isJoin { add(table) }
    for table in catalog.tables where !table.isJoin {
      for key in table.foreignKeys { addLink(table, key) }
    }
    for table in catalog.tables where table.isJoin { addJoin(table) }
    for place in namespaces.indices { addKeys(to: place) }
  }

  /// Adds attributes for foreign-key columns after all others. Unlike links, these attributes also
  /// show broken references.
  private mutating func addKeys(to place: Int) {
    let table = namespaces[place].table
    for column in table.columns where table.linkColumns.contains(column.name) {
      let isTaken = taken[table.name]?.contains(Self.label(column.name)) == true
      let name = Self.label(column.name)
      let label = free(isTaken ? name + "_key" : name, in: table.name)
      var attribute = Self.attribute(
        table.name, label, isUnique: column.isUnique || table.key == [column.name])
      attribute.checkedType = column.sqlType?.checkedType
      attribute.describe(column, of: table)
      attribute.keyOf = linkOfColumn[table.name]?[column.name]
      namespaces[place].values.append((column, attribute))
    }
  }

  private mutating func add(_ table: DatabaseCatalog.Table) {
    let ids = RowIDs(table)
    var namespace = Namespace(table: table, identity: Self.identity(of: table, ids), ids: ids)
    taken[table.name] = [namespace.identity.label]
    namespace.values.reserveCapacity(table.columns.count)
    for column in table.columns
    where !table.linkColumns.contains(column.name) && !namespace.isIdentity(column) {
      let label = free(Self.label(column.name), in: table.name)
      let isUnique = column.isUnique || table.key == [column.name]
      var attribute = Self.attribute(table.name, label, isUnique: isUnique)
      // SQLite chooses the number of a new row.
      let isGiven = table.isKeyNumber && table.key == [column.name] && !table.isTyped
      attribute.isRequired = column.isRequired && !isGiven && !column.isGenerated
      attribute.checkedType = column.sqlType?.checkedType
      attribute.describe(column, of: table)
      namespace.values.append((column, attribute))
    }
    places[table.name] = namespaces.count
    namespaces.append(namespace)
  }

  /// Returns the attribute that identifies a table's rows: `id`, unless a column has that name.
  private static func identity(of table: DatabaseCatalog.Table, _ ids: RowIDs) -> Attribute {
    let hasOwnID = table.columns.contains {
      $0.name.lowercased() == "id" && !isIdentity($0, of: table, ids)
    }
    var label = hasOwnID ? "_id" : "id"
    while hasOwnID, table.columns.contains(where: { Self.label($0.name) == label }) { label += "_" }
    var identity = attribute(table.name, label, isUnique: true)
    identity.isInternal = hasOwnID
    identity.isPosition = ids.isEmpty
    identity.readOnlyReason = table.fixedReason
    identity.isWithoutRowID = table.number == nil && table.readOnlyReason == nil && !table.isTyped
    return identity
  }

  private static func isIdentity(
    _ column: DatabaseCatalog.Column, of table: DatabaseCatalog.Table, _ ids: RowIDs
  ) -> Bool {
    ids.isUUID && column.name == "id" && table.key == ["id"]
  }

  private mutating func addLink(
    _ table: DatabaseCatalog.Table, _ key: DatabaseCatalog.ForeignKey
  ) {
    guard taken[key.target] != nil else { return }
    let given = key.columns.count == 1 ? table.linkNames[key.columns[0]] : nil
    let label = free(given?.label ?? stem(of: key), in: table.name)
    let siblings = table.foreignKeys.count { $0.target == key.target }
    let reverse = free(
      given?.reverse ?? (siblings > 1 ? "\(plain(table))_\(label)" : plain(table)), in: key.target)
    var attribute = Self.link(table.name, label, to: key.target, reverse)
    let isAlone = key.columns.count == 1
    attribute.isUnique =
      isAlone
      && (table.key == key.columns
        || table.columns.contains {
          $0.name == key.columns[0] && $0.isUnique
        })
    attribute.isRequired = table.columns.contains {
      $0.isRequired && key.columns.contains($0.name)
    }
    switch key.onDelete {
    case .cascade: attribute.onDelete = .cascade
    case .clear: break
    case .keep:
      attribute.keepsTarget = namespace(key.target)?.table.hasTriggers == false
    }
    links.append(
      Link(
        attribute: attribute, key: key, table: table.name, sqlName: table.sqlName,
        sqlRows: table.sqlRows))
    for column in key.columns where linkOfColumn[table.name]?[column] == nil {
      linkOfColumn[table.name, default: [:]][column] = attribute.id
    }
  }

  private mutating func addJoin(_ table: DatabaseCatalog.Table) {
    var (from, to) = (table.foreignKeys[0], table.foreignKeys[1])
    let given = table.linkNames.first
    if let given, to.columns == [given.key] { swap(&from, &to) }
    guard taken[from.target] != nil, taken[to.target] != nil else { return }
    let isSame = from.target == to.target
    let label = free(
      given?.value.label ?? (isSame ? stem(of: to) : plain(to.target)), in: from.target)
    let reverse = free(
      given?.value.reverse ?? (isSame ? stem(of: from) : plain(from.target)), in: to.target)
    var attribute = Self.link(from.target, label, to: to.target, reverse)
    attribute.cardinality = .many
    links.append(
      Link(
        attribute: attribute, key: from, joined: to, table: table.name, sqlName: table.sqlName,
        sqlRows: table.sqlRows))
  }

  /// Returns the base name of a link: the name of its column without an ending such as `_id` or
  /// ` Id`.
  private func stem(of key: DatabaseCatalog.ForeignKey) -> String {
    guard key.columns.count == 1 else { return plain(key.target) }
    let name = Self.label(key.columns[0])
    for ending in ["_id", " id", "_ID", "Id", "ID"] where name.hasSuffix(ending) {
      var stem = name.dropLast(ending.count)
      while stem.last == " " || stem.last == "_" { stem.removeLast() }
      if !stem.isEmpty { return String(stem) }
    }
    return name == "id" ? plain(key.target) : name
  }

  /// Returns a name without dots, which separate the parts of a path.
  private static func label(_ name: String) -> String {
    name.contains(".") ? name.escaping(".", as: "_") : name
  }

  /// Returns a table's name without its schema and without dots, for the name of a link.
  private func plain(_ table: DatabaseCatalog.Table) -> String {
    Self.label(table.plainName ?? table.name)
  }

  private func plain(_ name: String) -> String {
    namespace(name).map { plain($0.table) } ?? Self.label(name)
  }

  /// Returns the wanted label, with underscores appended if the namespace already has it.
  private mutating func free(_ wanted: String, in namespace: String) -> String {
    var label = wanted
    while taken[namespace, default: []].contains(label) { label += "_" }
    taken[namespace, default: []].insert(label)
    return label
  }

  private static func attribute(
    _ namespace: String, _ label: String, isUnique: Bool
  ) -> Attribute {
    var attribute = Attribute(
      id: AttributeID(EntityID.derived(from: "\(namespace).\(label)").text), namespace: namespace,
      label: label, constraints: isUnique ? [.unique, .indexed] : .indexed)
    attribute.isColumn = true
    return attribute
  }

  private static func link(
    _ namespace: String, _ label: String, to target: String, _ reverse: String
  ) -> Attribute {
    var attribute = attribute(namespace, label, isUnique: false)
    attribute.valueType = .ref
    attribute.isIndexed = false
    attribute.reverse = Attribute.Name(namespace: target, label: reverse)
    return attribute
  }
}

extension Attribute {
  /// Records the name, position and type of the attribute's column, and whether it is generated or
  /// has an index.
  fileprivate mutating func describe(
    _ column: DatabaseCatalog.Column, of table: DatabaseCatalog.Table
  ) {
    let place = table.columns.firstIndex { $0.name == column.name } ?? 0
    self.column = Column(
      name: column.name, place: place, type: column.sqlType?.shortName ?? column.type.lowercased())
    isGenerated = column.isGenerated
    exactForm = column.isJSON ? .json : column.sqlType?.exactForm
    hasIndex = isUnique || column.isIndexed
  }
}

extension SQLColumnType {
  fileprivate var exactForm: Attribute.ExactForm? {
    switch form {
    case .integer, .numeric: .number
    case .json: .json
    case .float, .boolean, .text, .uuid, .enumeration, .date, .timestamp, .timestamptz, .unordered,
      .bytes, .other:
      nil
    }
  }

  /// The name of the type without its schema, such as `int4`, or `text[]` for a list.
  var shortName: String {
    let name =
      name.hasSuffix("\"")
      ? name.dropLast().split(separator: "\"").last ?? "" : name.split(separator: ".").last ?? ""
    return form == .unordered && name.hasPrefix("_") ? name.dropFirst() + "[]" : String(name)
  }
}
