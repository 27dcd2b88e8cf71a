/// Triples put in from numbers and bytes, for loaders: no `Value` is made and nothing is checked.
///
/// The column must be that of an attribute with one value and no link; for links there is
/// `insert(target:of:column:at:)`, and `insert(_:of:column:at:)` takes anything.
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

  /// A text as valid UTF-8.
  package mutating func load(
    _ text: UnsafeBufferPointer<UInt8>, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let time = relative(time, to: entity.row)
    columns[column].content.setText(text, at: entity.row, time: time)
  }

  /// Makes an entity belong to the namespace of a membership column.
  package mutating func load(member entity: EntityHandle, column: Int, at time: Int64) {
    let time = relative(time, to: entity.row)
    columns[column].content.mark(entity.row, time: time)
  }

  /// The same as `makeEntity`, for a store that nobody else holds: it spares one look for the id.
  package mutating func loadEntity(high: UInt64, low: UInt64, in namespace: String) -> EntityHandle
  {
    EntityHandle(row: entities.content.makeRow(high: high, low: low, home: namespace))
  }

  /// Makes room for so many more entities at once.
  package mutating func reserve(entities count: Int) {
    entities.content.reserve(entities.content.count + count)
  }

  /// Whether a column is one that the calls above can fill.
  package func takesPlainValues(column: Int) -> Bool { columns[column].content.kind == .value }
}
