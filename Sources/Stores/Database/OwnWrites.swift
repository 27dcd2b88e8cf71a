import Triples

/// What this program wrote last into rows that other programs write as well: who has not seen it yet
/// has missed nothing that anybody else did.
struct OwnWrites: Sendable {
  private struct Place: Hashable {
    let row: RowName
    let attribute: AttributeID
  }

  /// What stood in a place, one after the other without another program's writes between; all but the
  /// first were written from here.
  private var values: [Place: [Value]] = [:]

  /// So many places are more than anybody changes before a screen shows the first.
  private static let mostPlaces = 10_000
  /// The same of changes of one place.
  private static let mostValues = 16

  /// Notes a change that was committed.
  ///
  /// - Parameter store: Knows the entities of the change.
  mutating func note(_ changes: ChangeSet, in store: TripleStore) {
    for change in changes.changes {
      guard let attribute = store.schema.attribute(change.attribute),
        attribute.cardinality == .one
      else { continue }
      let row = RowName(entity: store.id(of: change.entity), namespace: attribute.namespace)
      note(
        Place(row: row, attribute: attribute.id), old: change.old ?? .null,
        new: change.new ?? .null)
    }
  }

  private mutating func note(_ place: Place, old: Value, new: Value) {
    if values.count >= Self.mostPlaces { values = [:] }
    let known = values[place] ?? []
    values[place] = (known.last == old ? known.suffix(Self.mostValues) : [old]) + [new]
  }

  /// What stood in a place before this program made it what it is now; nothing when another program
  /// was the last to write there.
  func values(
    before now: Value, in row: RowName, _ attribute: Attribute
  ) -> ArraySlice<Value> {
    guard let known = values[Place(row: row, attribute: attribute.id)], known.last == now else {
      return []
    }
    return known.dropLast()
  }
}
