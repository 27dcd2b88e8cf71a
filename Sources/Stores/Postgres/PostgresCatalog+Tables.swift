import InstaQL
import Triples

// Converts the catalog into tables that do not depend on the kind of database.
extension PostgresCatalog {
  /// The maximum number of rows of a table that is counted exactly, or sorted without an index.
  static let maxSmallTable = 50_000

  var databaseCatalog: DatabaseCatalog {
    let names = namespaces
    // A role may read system columns, which locate rows without a key, only with all others.
    let unlinked = Set(relations.filter { !$0.isWhole && key(of: $0).isEmpty }.map(\.oid))
    let targets = names.filter { !unlinked.contains($0.key) }
    let tables = relations.map { relation in
      var table = DatabaseCatalog.Table(
        name: names[relation.oid] ?? relation.name,
        columns: (columns[relation.oid] ?? []).map { column in
          DatabaseCatalog.Column(
            name: column.name, type: column.type.name,
            isUnique: uniqueKeys[relation.oid]?.contains([column.name]) == true,
            isIndexed: indexedColumns[relation.oid]?.contains(column.name) == true,
            isGenerated: column.isGenerated, isRequired: column.isRequired,
            sqlType: ordered(column, of: relation))
        },
        key: key(of: relation),
        foreignKeys: unlinked.contains(relation.oid) ? [] : links(of: relation, targets))
      table.qualifiedName = relation.sqlName
      table.isInherited = relation.isInherited
      table.estimate = relation.estimate
      table.plainName = relation.name
      table.isPartition = relation.isPartition
      table.hasPlaces =
        table.key.isEmpty && relation.isWhole && ["r", "p"].contains(relation.kind)
      table.linkNames = linkNames[relation.schema]?[relation.name] ?? [:]
      table.readOnlyReason =
        relation.readOnlyReason ?? (table.key.isEmpty ? "has no primary key" : nil)
      table.isView = relation.kind == "v" || !relation.isPopulated
      table.isForeign = relation.kind == "f"
      table.isPopulated = relation.isPopulated
      table.readsOtherTables = table.isView || relation.hasRowSecurity
      setNumber(of: &table)
      return table
    }
    return DatabaseCatalog(tables: tables, leftOut: leftOut)
  }

  /// The namespace that contains the rows of each partition, keyed by the partition's name with
  /// schema.
  var tablesOfPartitions: [String: String] {
    let (names, listed) = (namespaces, Set(namespaces.values))
    return partitions.compactMapValues { names[$0] }.filter { !listed.contains($0.key) }
  }

  /// Returns the type of a column, with the collation by which its texts are sorted.
  private func ordered(_ column: Column, of relation: Relation) -> SQLColumnType {
    var type = column.type
    guard isUnicode, hasUnicodeCollation else { return type }
    let isIndexed =
      type.form == .text && orderedColumns[relation.oid]?.contains(column.name) == true
    type.textOrder =
      isIndexed ? .collated(Self.unicodeCollation) : textOrder(ofRows: relation.estimate ?? 0)
    return type
  }

  /// Returns the order in which texts are sorted without an index, for a table of `count` rows.
  func textOrder(ofRows count: Int) -> SQLColumnType.TextOrder {
    guard isUnicode, hasUnicodeCollation, count <= limits.sortedTexts else { return .byDatabase }
    return count <= Self.maxSmallTable
      ? .normalized(Self.unicodeCollation) : .collated(Self.unicodeCollation)
  }

  /// The reason why the server sorts all texts by its own collation, as a clause; nil if it does not.
  var ownOrderReason: String? {
    if !isUnicode { return "its encoding is not UTF-8" }
    return hasUnicodeCollation ? nil : "it has no collation '\(Self.unicodeCollation)'"
  }

  /// Uses the primary key as the rowid if it consists of one integer column.
  private func setNumber(of table: inout DatabaseCatalog.Table) {
    guard table.key.count == 1,
      let column = table.columns.first(where: { $0.name == table.key[0] }),
      column.sqlType?.form == .integer, column.sqlType?.name != "pg_catalog.oid"
    else { return }
    table.number = column.name.quotedSQL
    table.isKeyNumber = true
  }

  /// The namespace of each relation, keyed by the relation's oid.
  private var namespaces: [Int64: String] {
    let isShort = { (relation: Relation) in relation.isVisible && !relation.isPartition }
    var names: [Int64: String] = [:]
    for relation in relations where !isShort(relation) {
      names[relation.oid] = relation.qualifiedName
    }
    let taken = Set(names.values)
    for relation in relations where isShort(relation) {
      names[relation.oid] =
        taken.contains(relation.name) ? relation.qualifiedName : relation.name
    }
    return names
  }

  /// Returns the primary key. Without a primary key, returns a unique key of NOT NULL columns.
  private func key(of relation: Relation) -> [String] {
    let readable = columns[relation.oid] ?? []
    func isReadable(_ key: [String]) -> Bool {
      key.allSatisfy { name in readable.contains { $0.name == name } }
    }
    if let key = primaryKeys[relation.oid] { return isReadable(key) ? key : [] }
    let required = Set(readable.filter { !$0.type.isNullable }.map(\.name))
    return uniqueKeys[relation.oid]?.first { required.isSuperset(of: $0) } ?? []
  }

  /// Returns the foreign keys that reference shown tables.
  private func links(
    of relation: Relation, _ names: [Int64: String]
  ) -> [DatabaseCatalog.ForeignKey] {
    let readable = Set((columns[relation.oid] ?? []).map(\.name))
    let found = (foreignKeys[relation.oid] ?? []).compactMap { key -> DatabaseCatalog.ForeignKey? in
      guard let target = names[key.target], readable.isSuperset(of: key.columns) else { return nil }
      let there = Set((columns[key.target] ?? []).map(\.name))
      guard there.isSuperset(of: key.targetColumns), key.columns.count == key.targetColumns.count
      else { return nil }
      let onDelete: DatabaseCatalog.ForeignKey.Deletion =
        switch key.onDelete {
        case "c": .cascade
        case "n", "d": .clear
        default: .keep
        }
      return DatabaseCatalog.ForeignKey(
        columns: key.columns, target: target, targetColumns: key.targetColumns, onDelete: onDelete)
    }
    return DatabaseCatalog.distinct(found)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
  }

  /// Descriptions of the relations that are hidden, or shown only partly.
  private var leftOut: [String] {
    var words: [String] = []
    if !unreadable.isEmpty {
      let noun = unreadable.count == 1 ? "table" : "tables"
      words.append(
        "\(unreadable.count) \(noun) that your database role has no permission to read "
          + "(\(Self.list(unreadable)))")
    }
    if !partlyReadable.isEmpty {
      words.append(
        "columns of \(Self.list(partlyReadable)) that your database role has no permission to read")
    }
    let guarded = relations.filter(\.hasRowSecurity).map(\.qualifiedName)
    if let hidden = Self.hiddenRows(of: guarded) { words.append(hidden) }
    if containsAnyBytes { words.append("bytes that are not UTF-8 (\u{FFFD} stands for them)") }
    return words
  }

  /// Returns a description of the rows of tables that row security may hide; nil without tables.
  static func hiddenRows(of tables: [String]) -> String? {
    tables.isEmpty ? nil : "any rows of \(list(tables)) that row security hides"
  }
}

extension RowIDs {
  /// Returns the key columns, with their types, by which queries find rows of the table.
  func typedKey(of table: DatabaseCatalog.Table) -> SQLRowKey {
    let columns = table.key.compactMap { name in table.columns.first { $0.name == name } }
    var key = SQLRowKey(
      locator: columns.map {
        SQLRowKey.Column($0.name.quotedSQL, type: $0.sqlType?.name ?? "text")
      }, high: sqlKey?.high)
    key.isUUID = isUUID
    key.memory = memory
    key.place = place.map {
      SQLRowKey.Column($0, type: $0 == "ctid" ? "pg_catalog.tid" : "pg_catalog.oid")
    }
    return key
  }
}
