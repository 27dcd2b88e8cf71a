/// Inserts triples from numbers and bytes without checks and without creating a `Value`, for
/// loaders.
///
/// The column must belong to an attribute with cardinality one that is not a link. Use
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

  /// Adds an entity to the namespace to which a membership column belongs.
  package mutating func load(member entity: EntityHandle, column: Int, at time: Int64) {
    let time = relative(time, to: entity.row)
    columns[column].content.mark(entity.row, time: time)
  }

  /// Returns the handle of a UUID, like `makeEntity` but with one lookup fewer. The store must not
  /// be shared.
  package mutating func loadEntity(high: UInt64, low: UInt64, in namespace: String) -> EntityHandle
  {
    EntityHandle(row: entities.content.makeRow(high: high, low: low, home: namespace))
  }

  /// Reserves space for additional entities.
  package mutating func reserve(entities count: Int) {
    entities.content.reserve(entities.content.count + count)
  }
}
