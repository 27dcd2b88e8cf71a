/// Inserts triples from numbers and bytes for loaders, without creating a `Value` and without
/// checks.
///
/// The column must belong to a single-valued attribute that is not a link; use
/// `insert(target:of:column:at:)` for links and `insert(_:of:column:at:)` for any value.
extension TripleStore {
  package mutating func load(null entity: EntityHandle, column: Int, at time: Int64) {
    let time = relative(time, to: entity.row)
    columns[column].content.setNull(at: entity.row, time: time)
  }

  package mutating func load(
    _ value: Bool, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let time = relative(time, to: entity.row)
    columns[column].content.setBoolean(value, at: entity.row, time: time)
  }

  package mutating func load(
    _ value: Int64, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let time = relative(time, to: entity.row)
    columns[column].content.setInteger(value, at: entity.row, time: time)
  }

  package mutating func load(
    _ value: Double, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let time = relative(time, to: entity.row)
    columns[column].content.setDouble(value, at: entity.row, time: time)
  }

  /// Sets an entity's value in a column to a text, given as valid UTF-8.
  package mutating func load(
    _ text: UnsafeBufferPointer<UInt8>, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let time = relative(time, to: entity.row)
    columns[column].content.setText(text, at: entity.row, time: time)
  }

  /// Adds an entity to the namespace of a membership column.
  package mutating func load(member entity: EntityHandle, column: Int, at time: Int64) {
    let time = relative(time, to: entity.row)
    columns[column].content.mark(entity.row, time: time)
  }

  /// Does the same as `makeEntity`, for a store that is not shared; it saves one lookup of the id.
  package mutating func loadEntity(high: UInt64, low: UInt64, in namespace: String) -> EntityHandle
  {
    EntityHandle(row: entities.content.makeRow(high: high, low: low, home: namespace))
  }

  /// Reserves space for additional entities.
  package mutating func reserve(entities count: Int) {
    entities.content.reserve(entities.content.count + count)
  }

  /// Whether the calls above can fill a column.
  package func takesPlainValues(column: Int) -> Bool { columns[column].content.kind == .value }
}
