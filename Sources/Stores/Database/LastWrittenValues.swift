import Triples

/// The values that this program wrote last, used to detect conflicts with other programs.
///
/// If a caller has not seen one of these values yet, it did not miss a change by another program.
struct LastWrittenValues: Sendable {
  private struct Place: Hashable {
    let row: RowReference
    let attribute: AttributeID
  }

  /// The successive values of a row's column since another program last wrote it. This program
  /// wrote all but the first.
  private var values: [Place: [Value]] = [:]

  /// The maximum number of recorded cells (columns of rows). Screens are refreshed after fewer
  /// changes.
  private static let maxPlaces = 10_000
  /// The maximum number of values per column of a row.
  private static let maxValues = 16

  /// Records a committed change.
  ///
  /// - Parameter store: Contains the entities of the change.
  mutating func recordChange(_ changes: ChangeSet, in store: TripleStore) {
    for change in changes.changes {
      guard let attribute = store.schema.attribute(change.attribute),
        attribute.cardinality == .one
      else { continue }
      let row = RowReference(entity: store.id(of: change.entity), namespace: attribute.namespace)
      recordValue(
        Place(row: row, attribute: attribute.id), old: change.old ?? .null,
        new: change.new ?? .null)
    }
  }

  private mutating func recordValue(_ place: Place, old: Value, new: Value) {
    if values.count >= Self.maxPlaces { values = [:] }
    let known = values[place] ?? []
    values[place] = (known.last == old ? known.suffix(Self.maxValues) : [old]) + [new]
  }

  /// Returns the earlier values of a column of a row, if this program wrote the current one;
  /// otherwise none.
  func values(
    before now: Value, in row: RowReference, _ attribute: Attribute
  ) -> ArraySlice<Value> {
    guard let known = values[Place(row: row, attribute: attribute.id)], known.last == now else {
      return []
    }
    return known.dropLast()
  }
}
