import Triples

/// The values that this program recently wrote, to distinguish its own changes from those of
/// others.
///
/// A change is rejected if another program changed the value after the caller read it. If the
/// caller has missed only changes of this program, the change is accepted.
struct LastWrittenValues: Sendable {
  private struct Place: Hashable {
    let row: RowReference
    let attribute: AttributeID
  }

  /// The successive values of each cell since another program last wrote it.
  ///
  /// This program wrote all of these values except the first.
  private var values: [Place: [Value]] = [:]
  /// The cells that contained these values, if writing the values again would change them.
  private var cells: [Place: [Value: ColumnValue]] = [:]

  /// The maximum number of recorded cells. When it is reached, all recorded values are dropped.
  private static let maxPlaces = 10_000
  /// The maximum number of earlier values per cell.
  private static let maxValues = 16

  /// Records a committed change.
  ///
  /// - Parameters:
  ///   - store: Contains the entities of the change.
  ///   - replaced: The rows before the change.
  mutating func recordChange(
    _ changes: ChangeSet, in store: TripleStore,
    replacing replaced: [RowReference: DeletedRow] = [:]
  ) {
    for change in changes.changes {
      guard let attribute = store.schema.attribute(change.attribute),
        attribute.cardinality == .one
      else { continue }
      let row = RowReference(entity: store.id(of: change.entity), namespace: attribute.namespace)
      recordValue(
        Place(row: row, attribute: attribute.id), old: change.old ?? .null,
        new: change.new ?? .null,
        cell: attribute.column.flatMap { replaced[row]?.unrepresentable[$0.name] })
    }
  }

  private mutating func recordValue(
    _ place: Place, old: Value, new: Value, cell: ColumnValue?
  ) {
    if values.count >= Self.maxPlaces { (values, cells) = ([:], [:]) }
    let known = values[place] ?? []
    let all = (known.last == old ? known.suffix(Self.maxValues) : [old]) + [new]
    values[place] = all
    if let cell { cells[place, default: [:]][old] = cell } else { cells[place]?[old] = nil }
    if let known = cells[place], known.count > Self.maxValues {
      cells[place] = known.filter { all.contains($0.key) }
    }
  }

  /// Returns the cell that contained an earlier value; nil if writing the value again gives the same
  /// cell.
  func cell(_ value: Value, in row: RowReference, _ attribute: Attribute) -> ColumnValue? {
    cells[Place(row: row, attribute: attribute.id)]?[value]
  }

  /// Returns the values that a cell had before `now`; empty if this program did not write `now`.
  func values(
    before now: Value, in row: RowReference, _ attribute: Attribute
  ) -> ArraySlice<Value> {
    guard let known = values[Place(row: row, attribute: attribute.id)], known.last == now else {
      return []
    }
    return known.dropLast()
  }
}
