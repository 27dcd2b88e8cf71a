import LiveQueries
import Triples

/// A row that was deleted, or is called otherwise by now, as far as values do not say what it was.
struct KeptRow: Sendable {
  var number: Int64
  /// By column.
  var unsaid: [String: ColumnValue] = [:]
  /// What the row is called since its key was changed; nil of one that was deleted.
  var heir: RowName?
  /// How much the unsaid values take.
  var bytes = 0
  /// Whether there were such values, which are kept no longer.
  var isForgotten = false
  /// By which change it went, counted from the first.
  fileprivate(set) var change = 0

  /// The reduced row when there is no more space; nil if values describe it completely.
  fileprivate var forgotten: KeptRow? {
    unsaid.isEmpty && !isForgotten
      ? nil : KeptRow(number: number, isForgotten: true, change: change)
  }

  /// Whether a row that comes back with these values, by column, may be this one.
  func isShown(as values: [String: Value]) -> Bool {
    isForgotten
      || values.allSatisfy { column, value in
        if let unsaid = unsaid[column] { return unsaid.isShown(as: value) }
        // What no column takes was shown of something that is kept.
        return switch value {
        case .array, .object: false
        case .null, .bool, .integer, .double, .text: true
        }
      }
  }
}

/// The rows that went and may come back, as far as values do not say what they were.
///
/// One name can stand for several rows, one after the other: a database gives a number again that is
/// free.
struct KeptRows: Sendable {
  /// The last that went is last.
  private var rows: [RowName: [KeptRow]] = [:]
  private var count = 0
  private var bytes = 0
  /// Which rows each change took away, the oldest first.
  private var changes: [(number: Int, names: [RowName])] = []
  private var lastChange = 0

  func holds(_ name: RowName) -> Bool { rows[name] != nil }

  /// What a row is called since its key was changed; nil of one that was deleted.
  func heir(of name: RowName) -> RowName? { rows[name]?.last?.heir }

  /// The last row of this name that may have been shown with these values, by column.
  func last(_ name: RowName, shownAs values: [String: Value]) -> KeptRow? {
    rows[name]?.last { $0.isShown(as: values) }
  }

  /// A change took rows away, and brought others back.
  mutating func note(gone: [RowName: KeptRow], returned: [RowName: KeptRow]) {
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

  private func holds(_ name: RowName, _ change: Int) -> Bool {
    rows[name]?.contains { $0.change == change } == true
  }

  private mutating func forgetFirst() {
    let (change, names) = changes.removeFirst()
    for name in names {
      guard let row = rows[name]?.first(where: { $0.change == change }) else { continue }
      replace(name, change, by: row.forgotten)
    }
  }

  private mutating func replace(_ name: RowName, _ change: Int, by new: KeptRow?) {
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

  /// Ten changes of the maximum size can be undone, or four with the maximum number of bytes.
  private var isTooMuch: Bool {
    count > 10 * UndoLimits.maxRows || bytes > 4 * UndoLimits.maxBytes
  }
}
