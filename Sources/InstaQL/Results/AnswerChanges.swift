public import Triples

/// The differences from an earlier answer to the same plan.
///
/// To compute the later rows, remove `removed` and `moved` from the earlier rows. Then insert
/// `moved` and `inserted` at their row numbers, in ascending order.
public struct AnswerChanges: Sendable, Equatable {
  /// An entity and its row number in the later answer, from 0.
  public struct Placed: Sendable, Hashable {
    /// The entity at that row.
    public let entity: EntityID
    /// The row number in the answer, from 0.
    public let row: Int

    /// Creates a value from an entity and its row number.
    public init(entity: EntityID, row: Int) {
      self.entity = entity
      self.row = row
    }
  }

  /// A value that was added, removed or replaced. Its entity is in both answers.
  public struct Cell: Sendable, Hashable {
    /// The entity whose value changed: an entity of a row, or of an included relation.
    public let entity: EntityID
    /// The namespace of the label. It is needed because an entity may belong to several namespaces.
    public let namespace: String
    /// The label of an attribute, a computed column or a relation. For a relation, the values are
    /// ids.
    public let label: String
    /// The value that was displayed before; nil when there was none.
    public let old: Value?
    /// The value after the change; nil when there is none.
    public let new: Value?

    /// Creates a changed value. A nil `old` or `new` means that there is no value.
    public init(entity: EntityID, namespace: String, label: String, old: Value?, new: Value?) {
      self.entity = entity
      self.namespace = namespace
      self.label = label
      self.old = old
      self.new = new
    }
  }

  /// The added entities, sorted by row number.
  public var inserted: [Placed]
  /// The removed entities, in their previous order.
  public var removed: [EntityID]
  /// The fewest remaining entities that must move to get the new order, sorted by row number.
  public var moved: [Placed]
  /// The changed values of the entities that are in both answers.
  public var cells: [Cell]

  /// Creates a set of changes; see the properties.
  public init(
    inserted: [Placed] = [], removed: [EntityID] = [], moved: [Placed] = [], cells: [Cell] = []
  ) {
    self.inserted = inserted
    self.removed = removed
    self.moved = moved
    self.cells = cells
  }

  /// Whether there are no differences.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && moved.isEmpty && cells.isEmpty
  }

  /// Returns the later rows, by applying the changes to the earlier rows.
  public func applied(to rows: [EntityID]) -> [EntityID] {
    let gone = Set(removed).union(moved.map(\.entity))
    var rows = rows.filter { !gone.contains($0) }
    for placed in (inserted + moved).sorted(by: { $0.row < $1.row }) {
      rows.insert(placed.entity, at: min(placed.row, rows.count))
    }
    return rows
  }
}

extension Answer {
  /// Returns the differences from an earlier answer to the same plan.
  ///
  /// - Parameter changes: All changes between the stores of the two answers. If it is nil, all
  ///   displayed values are compared instead, except those of related entities.
  /// - Complexity: O(rows + changes); O(displayed values) without `changes`.
  package func changes(since earlier: Answer, by changes: ChangeSet?) -> AnswerChanges {
    var result = AnswerChanges()
    guard plan == earlier.plan else { return result }
    if let changes {
      let rows = RowDifference(from: earlier.rows, to: self.rows)
      result.inserted = rows.inserted.map { placed($0) }
      result.moved = rows.moved.map { placed($0) }
      result.removed = rows.removed.map { earlier.store.id(of: $0) }
      result.cells = ChangedCells(earlier: earlier, later: self, changes).list
      return result
    }
    let (old, new) = (earlier.ids, ids)
    let rows = RowDifference(from: old, to: new)
    result.inserted = rows.inserted.map { AnswerChanges.Placed(entity: $0.entity, row: $0.row) }
    result.moved = rows.moved.map { AnswerChanges.Placed(entity: $0.entity, row: $0.row) }
    result.removed = rows.removed
    result.cells = comparedCells(earlier)
    return result
  }

  private var ids: [EntityID] { rows.map(store.id(of:)) }

  private func placed(_ row: (entity: EntityHandle, row: Int)) -> AnswerChanges.Placed {
    AnswerChanges.Placed(entity: store.id(of: row.entity), row: row.row)
  }

  /// Returns the changed values of the rows that are in both answers. It compares all displayed
  /// values.
  private func comparedCells(_ earlier: Answer) -> [AnswerChanges.Cell] {
    let before = Dictionary(
      earlier.rows.map { (earlier.store.id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var cells: [AnswerChanges.Cell] = []
    func add(_ entity: EntityID, _ label: String, _ old: Value?, _ new: Value?) {
      cells.append(.init(entity: entity, namespace: namespace, label: label, old: old, new: new))
    }
    for entity in rows {
      let id = store.id(of: entity)
      guard let old = before[id] else { continue }
      for field in fields {
        let (was, now) = (earlier.store.value(old, field.id), store.value(entity, field.id))
        if was != now {
          add(id, field.label, was, now)
        }
      }
      for column in prepared.computed {
        let was = column.value(of: old, in: earlier.store)
        let now = column.value(of: entity, in: store)
        if was != now {
          add(id, column.name, was, now)
        }
      }
      for relation in prepared.relations {
        guard let link = relation.link else { continue }
        let was = earlier.store.targets(old, link).map { earlier.store.id(of: $0) }
        let now = store.targets(entity, link).map { store.id(of: $0) }
        for end in Set(was).subtracting(now).sorted() {
          add(id, relation.label, .text(end.text), nil)
        }
        for end in Set(now).subtracting(was).sorted() {
          add(id, relation.label, nil, .text(end.text))
        }
      }
    }
    return cells
  }
}
