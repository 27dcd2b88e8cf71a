import LiveQueries
import Triples

/// A deleted or renamed row, with the values that a ``ChangeSet`` cannot represent.
struct DeletedRow: Sendable {
  var number: Int64
  /// The cells that no ``Value`` can represent, such as BLOBs, keyed by column.
  var unrepresentable: [String: ColumnValue] = [:]
  /// The new reference of a row whose key was changed; nil if the row was deleted.
  var renamedRow: RowReference?
  /// The total size of ``unrepresentable`` in bytes.
  var bytes = 0
  /// Whether ``unrepresentable`` was dropped to save memory, so that the row cannot be restored.
  var isForgotten = false
  /// The sequence number of the change that deleted or renamed the row.
  fileprivate(set) var change = 0

  /// The record that remains after ``unrepresentable`` is dropped to save memory.
  ///
  /// Nil if a ``ChangeSet`` alone can restore the row, so that no record is needed.
  fileprivate var forgotten: DeletedRow? {
    unrepresentable.isEmpty && !isForgotten
      ? nil : DeletedRow(number: number, isForgotten: true, change: change)
  }

  /// Returns whether the screen may have displayed this row with the given values, keyed by column.
  ///
  /// If several rows had the same reference, the values that an undo restores show which row is
  /// meant.
  func isShown(as values: [String: Value]) -> Bool {
    isForgotten
      || values.allSatisfy { column, value in
        if let unrepresentable = unrepresentable[column] {
          return unrepresentable.isShown(as: value)
        }
        // An object or list stands for a BLOB or similar content, but this row has no such cell
        // here.
        return switch value {
        case .array, .object: false
        case .null, .bool, .integer, .double, .text: true
        }
      }
  }
}

/// The deleted and renamed rows, for undo.
///
/// The same reference can belong to several rows in succession, since SQLite reuses rowids.
struct DeletedRows: Sendable {
  /// The deleted and renamed rows, keyed by reference; the most recent row of a reference is the
  /// last.
  private var rows: [RowReference: [DeletedRow]] = [:]
  private var count = 0
  private var bytes = 0
  /// The references of the rows that each change deleted or renamed, oldest change first.
  private var changes: [(number: Int, names: [RowReference])] = []
  private var lastChange = 0

  func holds(_ name: RowReference) -> Bool { rows[name] != nil }

  /// Returns the new reference of a row whose key was changed; nil if the row was deleted.
  func renamedRow(of name: RowReference) -> RowReference? { rows[name]?.last?.renamedRow }

  /// Returns the newest row with this reference that the screen may have displayed with these
  /// values.
  func last(_ name: RowReference, shownAs values: [String: Value]) -> DeletedRow? {
    rows[name]?.last { $0.isShown(as: values) }
  }

  /// Adds the rows that a change deleted or renamed, and removes the rows that it restored.
  mutating func recordChange(gone: [RowReference: DeletedRow], returned: [RowReference: DeletedRow])
  {
    for (name, row) in returned { replace(name, row.change, by: nil) }
    while let last = changes.last, !last.names.contains(where: { holds($0, last.number) }) {
      changes.removeLast()
    }
    if gone.isEmpty { return }
    lastChange += 1
    for (name, row) in gone {
      var row = row
      row.change = lastChange
      rows[name, default: []].append(row)
      bytes += row.bytes
    }
    count += gone.count
    changes.append((lastChange, Array(gone.keys)))
    while changes.count > 1, isTooMuch { forgetFirst() }
  }

  private func holds(_ name: RowReference, _ change: Int) -> Bool {
    rows[name]?.contains { $0.change == change } == true
  }

  private mutating func forgetFirst() {
    let (change, names) = changes.removeFirst()
    for name in names {
      guard let row = rows[name]?.first(where: { $0.change == change }) else { continue }
      replace(name, change, by: row.forgotten)
    }
  }

  private mutating func replace(_ name: RowReference, _ change: Int, by new: DeletedRow?) {
    guard let place = rows[name]?.lastIndex(where: { $0.change == change }),
      let old = rows[name]?.remove(at: place)
    else { return }
    bytes -= old.bytes
    if let new {
      rows[name]?.insert(new, at: place)
      bytes += new.bytes
    } else {
      count -= 1
      if rows[name]?.isEmpty == true { rows[name] = nil }
    }
  }

  /// Whether the records exceed ten times the maximum rows, or four times the maximum bytes, of one
  /// undo.
  private var isTooMuch: Bool {
    count > 10 * UndoLimits.maxRows || bytes > 4 * UndoLimits.maxBytes
  }
}
