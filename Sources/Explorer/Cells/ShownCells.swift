import Synchronization
import Triples

/// The texts of cells and documents that were drawn lately, so that a key draws them again without
/// a look at the store: of a million rows, those in view lie all over the memory.
///
/// It belongs to one answer over one snapshot, where an entity always looks the same.
final class ShownCells: Sendable {
  private let rows = Mutex(Recent<UInt32, [CellText?]>(most: 8_000))
  private let documents = Mutex(Recent<Place, Document>(most: 4_000))

  private struct Place: Hashable {
    let row: Int
    let form: AnswerForm
  }

  private struct Document {
    let lines: [DocumentLines.Line]
    /// How many lines it was made for.
    let most: Int

    func serves(_ most: Int) -> Bool { most <= self.most || lines.count < self.most }
  }

  /// What stands in a column of an entity, if it was drawn lately.
  func cell(of entity: EntityHandle, column: Int) -> CellText? {
    rows.withLock { $0[entity.row]?[column] }
  }

  /// What stands in each column of an entity, nil in those that were not drawn lately; empty where none
  /// was.
  func row(of entity: EntityHandle) -> [CellText?] { rows.withLock { $0[entity.row] } ?? [] }

  /// Keeps what stands in a column of an entity.
  ///
  /// - Parameter count: The number of columns.
  func keep(_ cell: CellText, of entity: EntityHandle, column: Int, of count: Int) {
    rows.withLock { rows in
      if rows[entity.row] == nil {
        rows.keep([CellText?](repeating: nil, count: count), for: entity.row, cost: count)
      }
      rows.change(entity.row) { $0[column] = cell }
    }
  }

  /// The first lines of the document of a row, by `make` when it was not drawn lately.
  ///
  /// - Parameter most: So many are needed; there may be more.
  func document(
    _ row: Int, _ form: AnswerForm, most: Int, _ make: () -> [DocumentLines.Line]
  ) -> [DocumentLines.Line] {
    let place = Place(row: row, form: form)
    if let kept = documents.withLock({ $0[place] }), kept.serves(most) { return kept.lines }
    let lines = make()
    documents.withLock {
      $0.keep(Document(lines: lines, most: most), for: place, cost: lines.count)
    }
    return lines
  }
}

/// Values by key, all of which are forgotten when they have become too many: what is in view is soon
/// there again.
private struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var values: [Key: Value] = [:]
  private var cost = 0
  let most: Int

  init(most: Int) { self.most = most }

  subscript(key: Key) -> Value? { values[key] }

  /// A value that alone would cost too much is not kept.
  mutating func keep(_ value: Value, for key: Key, cost: Int) {
    guard cost <= most else { return }
    if self.cost + cost > most {
      values = [:]
      self.cost = 0
    }
    values[key] = value
    self.cost += cost
  }

  mutating func change(_ key: Key, _ edit: (inout Value) -> Void) {
    guard var value = values.removeValue(forKey: key) else { return }
    edit(&value)
    values[key] = value
  }
}
