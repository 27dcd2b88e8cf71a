public import Triples

/// How an answer differs from an earlier one to the same plan: what a screen marks.
///
/// Taking `removed` and `moved` out of the earlier rows, and putting `moved` and `inserted` in at
/// their places from the first to the last, gives the later rows.
public struct AnswerChanges: Sendable, Equatable {
  /// An entity and the row on which it stands in the later answer, from 0.
  public struct Placed: Sendable, Hashable {
    public let entity: EntityID
    public let row: Int

    public init(entity: EntityID, row: Int) {
      self.entity = entity
      self.row = row
    }
  }

  /// A value that came, went or was replaced, in a row that was there before or in what a relation
  /// leads to.
  public struct Cell: Sendable, Hashable {
    public let entity: EntityID
    /// The label of an attribute, or of a relation; the values of a relation are ids.
    public let label: String
    /// What was shown; nil when nothing was.
    public let old: Value?
    /// What is shown now; nil when nothing is.
    public let new: Value?

    public init(entity: EntityID, label: String, old: Value?, new: Value?) {
      self.entity = entity
      self.label = label
      self.old = old
      self.new = new
    }
  }

  /// Those that came, by their rows.
  public var inserted: [Placed]
  /// Those that went, in their order before.
  public var removed: [EntityID]
  /// As few of those that stayed as account for the new order, by their rows.
  public var moved: [Placed]
  public var cells: [Cell]

  public init(
    inserted: [Placed] = [], removed: [EntityID] = [], moved: [Placed] = [], cells: [Cell] = []
  ) {
    self.inserted = inserted
    self.removed = removed
    self.moved = moved
    self.cells = cells
  }

  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && moved.isEmpty && cells.isEmpty
  }

  /// The later rows, made of the earlier ones.
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
  /// What is different from an earlier answer to the same plan.
  ///
  /// - Parameter changes: All that changed from the earlier answer's store to this one's; nil when that
  ///   is not known: then the shown values are compared, and only links of the rows themselves.
  /// - Complexity: O(rows + changes), and with the changes unknown O(shown values).
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

  /// The cells that differ in rows of both answers, found by looking at all of them.
  private func comparedCells(_ earlier: Answer) -> [AnswerChanges.Cell] {
    let before = Dictionary(
      earlier.rows.map { (earlier.store.id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var cells: [AnswerChanges.Cell] = []
    for entity in rows {
      let id = store.id(of: entity)
      guard let old = before[id] else { continue }
      for field in fields {
        let (was, now) = (earlier.store.value(old, field.id), store.value(entity, field.id))
        if was != now {
          cells.append(AnswerChanges.Cell(entity: id, label: field.label, old: was, new: now))
        }
      }
      for relation in prepared.relations {
        guard let link = relation.link else { continue }
        let was = earlier.store.targets(old, link).map { earlier.store.id(of: $0) }
        let now = store.targets(entity, link).map { store.id(of: $0) }
        for end in Set(was).subtracting(now).sorted() {
          cells.append(.init(entity: id, label: relation.label, old: .text(end.text), new: nil))
        }
        for end in Set(now).subtracting(was).sorted() {
          cells.append(.init(entity: id, label: relation.label, old: nil, new: .text(end.text)))
        }
      }
    }
    return cells
  }
}
