import TerminalUI
import Triples
import Widgets

// Draws the changes.
extension ChangesPane {
  private func whyEmpty(in context: PaneContext) -> Notice {
    switch view {
    // A server only reports changes of queries.
    case .everything where context.catalog?.snapshot.served != nil:
      .noChanges(inResultsUpTo: AnswerDiff.maxRows)
    case .everything where context.log.isComparing: .comparingStores
    case .everything where context.log.missed > 0: .tooManyChanges
    case .everything: .noChanges
    case .namespace: .noChangesInNamespace
    case .staged: .nothingStaged
    case .thenAndNow where context.plan == nil: .nothingToCompare
    case .thenAndNow:
      isComparable ? .noDifferences : .resultTooLargeToCompare(maxRows: AnswerDiff.maxRows)
    }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let widths = Widths(of: area.columns, wanted)
    let empty = items.isEmpty ? whyEmpty(in: context) : nil
    drawItems(into: &frame, area: area, or: empty, context) { entry, line, frame in
      if context.isScreenReader {
        let number = entry.transaction.map { "tx \($0): " } ?? ""
        frame.write(
          number + entry.sentence, row: line.area.row, column: area.column, width: area.columns,
          paint: Paint(.text, on: line.ground))
      } else {
        Self.draw(entry, widths, into: &frame, line: line.area, ground: line.ground)
      }
    }
  }

  private static func draw(
    _ entry: ChangeEntry, _ widths: Widths, into frame: inout Frame, line: Rect, ground: Role
  ) {
    var column = line.column + 1
    func write(_ text: String, _ role: Role, width: Int = .max, takes: Int? = nil) {
      let room = max(0, min(width, line.endColumn - column))
      let used = frame.write(
        text, row: line.row, column: column, width: room, paint: Paint(role, on: ground))
      column += takes ?? used
    }
    func write(_ text: String, _ role: Role, in width: Int) {
      write(text, role, width: max(0, width - 1), takes: width)
    }
    if let transaction = entry.transaction {
      write((widths.namesTransaction ? "tx " : "") + "\(transaction)", .dim, in: widths.transaction)
    }
    write(entry.kind.sign, entry.kind.role, takes: 2)
    write(entry.namespace, .namespace, in: widths.namespace)
    write(entry.name, .text, in: widths.name)
    write(entry.label, .attribute)
    if !entry.label.isEmpty { write("  ", .text) }
    if let old = entry.old {
      // The old and the new value each get half of the space, plus the space that the other does
      // not need.
      let room = max(0, line.endColumn - column - 3)
      let needed = entry.new.map { TextWidth.columns(of: $0.text) } ?? 0
      write(old.text, .deleted, width: min(30, max(room / 2, room - needed)))
    }
    if entry.old == nil, entry.new == nil { return }
    write(" → ", .dim)
    if let new = entry.new { write(new.text, .inserted) } else { write("·", .dim) }
  }
}

extension ChangeEntry.Kind {
  fileprivate var role: Role {
    switch self {
    case .inserted, .linked: .inserted
    case .updated, .moved: .changed
    case .deleted, .unlinked: .deleted
    }
  }
}
