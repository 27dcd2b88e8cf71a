package import Triples

extension Attribute {
  /// Whether the values have an index.
  ///
  /// `isIndexed` permits conditions that servers allow on indexed attributes only. A database allows
  /// them on all of its columns, and has indexes for some.
  package var hasIndex: Bool {
    get { isIndexed && others[Self.withoutIndexKey] != .bool(true) }
    set { others[Self.withoutIndexKey] = newValue ? nil : .bool(true) }
  }

  private static let withoutIndexKey = "has-no-index"

  /// Removes what describes the database that the attribute was read from: generated values, and
  /// how rows are deleted. It does not apply to a copy in another store. The copy is indexed if the
  /// database has an index.
  mutating func removeDatabaseProperties() {
    if isIndexed, !hasIndex {
      (isIndexed, hasIndex) = (false, true)
      // No schema of Instant declared the type, so it counts as inferred, and `$ilike` stays valid.
      if inferredTypes == nil { inferredTypes = checkedType.map { [$0.inferredName] } }
    }
    isGenerated = false
    exactForm = nil
    keepsTarget = false
    isWithoutRowID = false
  }
}

extension CheckedType {
  /// The name that ``Attribute/inferredTypes`` has for values of this type.
  fileprivate var inferredName: String { self == .date ? CheckedType.string.rawValue : rawValue }
}

extension FileReading {
  /// The reading as content of another store. A file that was exported from a database describes
  /// that database, too.
  var withoutDatabaseProperties: FileReading {
    var store = store
    for attribute in store.schema.attributes {
      var plain = attribute
      plain.removeDatabaseProperties()
      if plain != attribute { store.addAttribute(plain) }
    }
    return FileReading(store, report, contentRows: contentRows)
  }
}
