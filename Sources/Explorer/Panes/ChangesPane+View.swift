import InstaQL
import LiveQueries
import TerminalUI
import Triples

// How it looks.
extension ChangesPane {
  /// What to say where there are no lines.
  private func whyEmpty(in context: PaneContext) -> String {
    switch view {
    case .everything where context.catalog?.snapshot.served != nil:
      // It tells no more than it is asked for.
      return
        "Nothing has changed in the answers that were shown: what does stands here, old → new, "
        + "in answers of up to \(NumberText.grouped(Comparison.mostRows)) rows"
    case .everything where context.log.isComparing:
      return "The store was read anew: what it says is held against what it said"
    case .everything where context.log.missed > 0:
      return
        "So much has changed at once that nobody knows what: what does next stands here, old → new"
    case .everything:
      return "Nothing has changed since the store was opened: what does stands here, old → new"
    case .namespace:
      return
        "Nothing of this namespace has changed since the store was opened: \(context.keys.name(of: .form)) shows more"
    case .unsent:
      return
        "Nothing that you changed waits. \(context.keys.name(of: .hold)) keeps what you change back from then on, and "
        + "sends it together when you say so"
    case .thenAndNow:
      guard isComparable else {
        return "Only up to \(NumberText.grouped(Comparison.mostRows)) rows of entities are held "
          + "against what they were: \(context.keys.name(of: .limit)) or \(context.keys.name(of: .filterText)) narrows them, "
          + "\(context.keys.name(of: .form)) shows all changes"
      }
      return "The answer is as it was: what comes, goes or changes stands here, with what it was; "
        + "\(context.keys.name(of: .mark)) begins anew from now on"
    }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    if lines.isEmpty { frame.writeWrapped(whyEmpty(in: context), in: area, paint: .dim) }
    let widths = Widths(of: area.columns, wanted)
    for (index, line, ground) in cursor.lines(of: lines.count, in: area) {
      if context.isLinear {
        Self.say(lines[index], into: &frame, line: line, ground: ground)
      } else {
        Self.draw(lines[index], widths, into: &frame, line: line, ground: ground)
      }
    }
  }

  /// The change as a sentence, for who hears it.
  private static func say(
    _ entry: ChangeLog.Entry, into frame: inout Frame, line: Rect, ground: Role
  ) {
    frame.fill(line, Paint(.text, on: ground))
    let number = entry.transaction.map { "\($0): " } ?? ""
    frame.write(
      number + entry.sentence, row: line.row, column: line.column, width: line.columns,
      paint: Paint(.text, on: ground))
  }

  private static func draw(
    _ entry: ChangeLog.Entry, _ widths: Widths, into frame: inout Frame, line: Rect, ground: Role
  ) {
    frame.fill(line, Paint(.text, on: ground))
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
    if let transaction = entry.transaction { write("\(transaction)", .dim, in: widths.transaction) }
    write(entry.kind.sign, entry.kind.role, takes: 2)
    write(entry.namespace, .namespace, in: widths.namespace)
    write(entry.name, .text, in: widths.name)
    write(entry.label, .attribute)
    if !entry.label.isEmpty { write("  ", .text) }
    if let old = entry.old {
      // Each of the two has half of the room, and what the other one does not need.
      let room = max(0, line.endColumn - column - 3)
      let needed = entry.new.map { TextWidth.columns(of: $0.text) } ?? 0
      write(old.text, .deleted, width: min(30, max(room / 2, room - needed)))
    }
    if entry.old != nil || entry.new != nil { write(" → ", .dim) }
    if let new = entry.new { write(new.text, .inserted) }
  }
}

extension ChangeLog.Kind {
  fileprivate var role: Role {
    switch self {
    case .inserted, .linked: .inserted
    case .updated, .moved: .changed
    case .deleted, .unlinked: .deleted
    }
  }
}
