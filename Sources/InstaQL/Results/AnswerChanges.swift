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
    guard plan == earlier.plan else { return AnswerChanges() }
    if let changes {
      return self.changes(
        since: earlier, RowDifference(from: earlier.rows, to: rows),
        ChangedCells(earlier: earlier, later: self, changes).list)
    }
    let rows = RowDifference(from: earlier.ids, to: ids)
    return self.changes(since: earlier, rows, cells(comparedTo: earlier, rows))
  }

  private var ids: [EntityID] { rows.map(store.id(of:)) }

  private func changes<Key>(
    since earlier: Answer, _ difference: RowDifference<Key>, _ cells: [AnswerChanges.Cell]
  ) -> AnswerChanges {
    func placed(_ row: Int) -> AnswerChanges.Placed {
      AnswerChanges.Placed(entity: store.id(of: rows[row]), row: row)
    }
    return AnswerChanges(
      inserted: difference.inserted.map(placed),
      removed: difference.removed.map { earlier.store.id(of: earlier.rows[$0]) },
      moved: difference.moved.map(placed), cells: cells)
  }

  /// Returns the changed values of the rows that are in both answers. It compares all displayed
  /// values.
  private func cells(
    comparedTo earlier: Answer, _ difference: RowDifference<EntityID>
  ) -> [AnswerChanges.Cell] {
    var cells: [AnswerChanges.Cell] = []
    for (row, entity) in rows.enumerated() {
      guard let old = difference.place(of: row).map({ earlier.rows[$0] }) else { continue }
      let id = store.id(of: entity)
      func add(_ label: String, _ old: Value?, _ new: Value?) {
        if old == new { return }
        cells.append(.init(entity: id, namespace: namespace, label: label, old: old, new: new))
      }
      for field in fields {
        add(field.label, earlier.store.value(old, field.id), store.value(entity, field.id))
      }
      for column in prepared.computed {
        add(
          column.name, column.value(of: old, in: earlier.store),
          column.value(of: entity, in: store))
      }
      for relation in prepared.relations {
        guard let link = relation.link else { continue }
        let was = earlier.store.targets(old, link).map { earlier.store.id(of: $0) }.sorted()
        let now = store.targets(entity, link).map { store.id(of: $0) }.sorted()
        let ends = RowDifference(from: was, to: now)
        for end in ends.removed { add(relation.label, .text(was[end].text), nil) }
        for end in ends.inserted { add(relation.label, nil, .text(now[end].text)) }
      }
    }
    return cells
  }
}
