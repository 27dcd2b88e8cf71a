/// Facts about entities, stored in columns: one for each attribute, with a cell for each entity.
///
/// A store is a value, and a copy is a snapshot. A copy costs only a few references, shares all
/// columns, and is not affected by changes to the original. A change copies one chunk of 1,024
/// cells and the short path to it, regardless of the size of the store.
public struct TripleStore: Sendable {
  /// The content behind a single reference, which makes passing a store cheap.
  private var storage = Boxed(Contents())

  private struct Contents: Sendable {
    var schema = Schema()
    var transactionID = 0
    var columns: [Boxed<Column>] = []
    var attributes: [Attribute?] = []
    var numbers: [AttributeID: Int] = [:]
    var memberships: [String: Int] = [:]
    var entities = Boxed(Entities())
  }

  /// Creates a store without attributes and entities.
  public init() {}

  /// Returns whether two stores are copies of each other that have not changed since.
  ///
  /// - Complexity: O(1). Separate stores with equal content are not identical.
  package func isIdentical(to other: TripleStore) -> Bool { storage.isIdentical(to: other.storage) }

  /// The attributes of the store, which transactions change.
  public internal(set) var schema: Schema {
    _read { yield storage.content.schema }
    _modify { yield &storage.content.schema }
  }

  /// The number of the last transaction that the store contains; 0 before the first.
  public package(set) var transactionID: Int {
    get { storage.content.transactionID }
    set { storage.content.transactionID = newValue }
  }

  var columns: [Boxed<Column>] {
    @inline(__always) _read { yield storage.content.columns }
    @inline(__always) _modify { yield &storage.content.columns }
  }

  /// The attribute of each column; nil for a removed attribute.
  var attributes: [Attribute?] {
    _read { yield storage.content.attributes }
    _modify { yield &storage.content.attributes }
  }

  var numbers: [AttributeID: Int] {
    _read { yield storage.content.numbers }
    _modify { yield &storage.content.numbers }
  }

  /// The column of each namespace's `id` attribute.
  var memberships: [String: Int] {
    _read { yield storage.content.memberships }
    _modify { yield &storage.content.memberships }
  }

  var entities: Boxed<Entities> {
    @inline(__always) _read { yield storage.content.entities }
    @inline(__always) _modify { yield &storage.content.entities }
  }

  // MARK: Entities

  /// Returns the number of entities of a namespace; 0 for an unknown namespace.
  ///
  /// - Complexity: O(1).
  public func count(of namespace: String) -> Int {
    memberships[namespace].map { columns[$0].content.filled } ?? 0
  }

  /// Returns the handle of an id; nil if the store does not contain the id.
  ///
  /// The store contains the ids of entities, deleted ones included, and of the targets of links.
  ///
  /// - Complexity: O(1) on average.
  public func handle(of id: EntityID) -> EntityHandle? {
    entities.content.row(of: id).map(EntityHandle.init(row:))
  }

  /// The number of ids that the store contains, including ids of deleted entities.
  package var knownEntities: Int { entities.content.count }

  /// Returns whether the handle exists in this store. A handle from a later state may be unknown.
  package func knows(_ entity: EntityHandle) -> Bool {
    // Row numbers have gaps, because each namespace has its own blocks.
    Int(entity.row >> 10) < entities.content.blockCount
      && entities.content.contains(row: entity.row)
  }

  /// Returns the id of an entity of this store.
  ///
  /// - Complexity: O(1).
  public func id(of entity: EntityHandle) -> EntityID {
    // The entities are read in place, since exports and imports call this for every triple.
    entities.with { $0.pointee.id(entity.row) }
  }

  /// Returns whether an entity belongs to a namespace.
  ///
  /// - Complexity: O(1).
  public func contains(_ entity: EntityHandle, in namespace: String) -> Bool {
    guard let column = memberships[namespace] else { return false }
    return columns[column].content.isPresent(entity.row)
  }

  /// Returns the namespaces of an entity, in schema order; `[]` for a deleted entity.
  ///
  /// - Complexity: O(namespaces).
  public func namespaces(of entity: EntityHandle) -> [String] {
    schema.namespaces.filter { contains(entity, in: $0) }
  }

  /// Returns the creation time of the entity in a namespace, in milliseconds since 1970.
  ///
  /// The result is 0 if the entity does not belong to the namespace.
  ///
  /// - Complexity: O(1).
  public func createdAt(_ entity: EntityHandle, in namespace: String) -> Int64 {
    guard let column = memberships[namespace] else { return 0 }
    return createdAt(entity.row, column: column) ?? 0
  }

  // MARK: Values

  /// Returns the value of an attribute; nil when there is none.
  ///
  /// The value is `.null` for a stored null, the id's text for a link, and the last value of an
  /// attribute with several values.
  ///
  /// - Complexity: O(1).
  public func value(_ entity: EntityHandle, _ attribute: AttributeID) -> Value? {
    numbers[attribute].flatMap { value(entity.row, column: $0) }
  }

  /// Returns all values of an attribute, in insertion order; `[]` when there are none.
  ///
  /// - Complexity: O(values).
  public func values(_ entity: EntityHandle, _ attribute: AttributeID) -> [Value] {
    guard let column = numbers[attribute] else { return [] }
    return values(entity.row, column: column)
  }

  /// Returns the creation time of a triple in milliseconds since 1970; nil when there is no value.
  ///
  /// If the attribute has several values, this is the time of the last value in insertion order.
  public func createdAt(_ entity: EntityHandle, _ attribute: AttributeID) -> Int64? {
    numbers[attribute].flatMap { createdAt(entity.row, column: $0) }
  }

  /// Returns the targets of a link, in no particular order.
  ///
  /// If several attributes have the link's name, the attribute of `link` is used.
  ///
  /// - Complexity: O(targets). The first call in reverse direction builds an index in O(links).
  public func targets(_ entity: EntityHandle, _ link: Link) -> [EntityHandle] {
    guard let column = numbers[link.attribute.id] else { return [] }
    let rows =
      switch link.direction {
      case .forward: columns[column].content.targets(entity.row)
      case .reverse: columns[column].content.sources(of: entity.row)
      }
    return rows.map(EntityHandle.init(row:))
  }
}

/// Methods that read a column by its index, for repeated reads of one attribute.
extension TripleStore {
  /// Returns the index of an attribute's column, which is the same in all later snapshots.
  package func column(of attribute: AttributeID) -> Int? { numbers[attribute] }

  package func cell(_ entity: EntityHandle, column: Int) -> ColumnCell {
    with(column) { $0.pointee.cell(entity.row) }
  }

  package func value(_ entity: EntityHandle, column: Int) -> Value? {
    value(entity.row, column: column)
  }

  func value(_ row: UInt32, column: Int) -> Value? {
    with(column) { column in
      if column.pointee.kind == .membership {
        return column.pointee.isPresent(row) ? .text(entities.content.id(row).text) : nil
      }
      let cell = column.pointee.cell(row)
      if case .target(let target) = cell { return .text(entities.content.id(target).text) }
      // The texts are read in place, without a copy of the column.
      if case .text(let code) = cell { return .text(column.pointee.texts.text(code)) }
      return column.pointee.value(of: cell)
    }
  }

  func values(_ row: UInt32, column: Int) -> [Value] {
    with(column) { content in
      switch content.pointee.kind {
      case .target, .targetList:
        return content.pointee.targets(row).map { .text(entities.content.id($0).text) }
      case .valueList: return content.pointee.values(row)
      case .membership, .value: return value(row, column: column).map { [$0] } ?? []
      }
    }
  }

  func createdAt(_ row: UInt32, column: Int) -> Int64? {
    with(column) { column in
      guard column.pointee.isPresent(row) else { return nil }
      let time = column.pointee.time(row)
      return time == Chunk.asEntity ? entities.content.birth(row) : time
    }
  }

  /// Returns the number of texts that a column stores, including unused texts.
  package func textCount(column: Int) -> Int { columns[column].content.texts.count }

  /// Passes a column to `body` without copying it.
  @inline(__always)
  func with<Result>(_ column: Int, _ body: (UnsafePointer<Column>) -> Result) -> Result {
    columns[column].with(body)
  }
}
