import TerminalUI
import Triples
import Widgets

// Draws the changes.
extension ChangesPane {
  private func whyEmpty(in context: PaneContext) -> Notice {
    switch view {
    // A server only reports changes of queries.
    case .everything where context.catalog?.isServed == true:
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

  /// The minimum number of rows for the values of the change at the cursor, including the line
  /// above them. Long values get more rows.
  private static let minDetailRows = 5
  /// The minimum number of rows of the list above long values.
  private static let minListRows = 3

  func rowsBelow(in context: PaneContext) -> Int {
    guard !context.settings.isScreenReader, context.page > Self.minDetailRows * 3 else { return 0 }
    let rows = context.page - Self.minListRows - 1
    let lines = chosen.map {
      Self.lines(of: ($0.old, $0.new), width: context.width, limits: (rows + 1, rows + 1))
    }
    return max(Self.minDetailRows, 1 + min(rows, lines?.count ?? 0))
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let widths = Widths(of: area.columns, wanted)
    let empty = items.isEmpty ? whyEmpty(in: context) : nil
    let (list, detail) = area.split(rows: listRows(in: context))
    drawItems(into: &frame, area: list, or: empty, context) { entry, line, frame in
      if context.settings.isScreenReader {
        let number = entry.transaction.map { "tx \($0): " } ?? ""
        frame.write(
          number + sentence(of: entry), row: line.area.row, column: area.column,
          width: area.columns, paint: Paint(.text, on: line.ground))
      } else {
        Self.draw(entry, widths, into: &frame, line: line.area, ground: line.ground)
      }
    }
    if detail.rows > 1, let chosen { drawValues(of: chosen, into: &frame, area: detail) }
  }

  private func sentence(of entry: ChangeEntry) -> String {
    view == .staged ? entry.futureSentence : entry.sentence
  }

  private typealias ValueLine = (sign: String, text: String, role: Role)

  /// Returns the lines of an old and a new value.
  ///
  /// - Parameter limits: The maximum numbers of lines of both. A value with more ends with `…`.
  private static func lines(
    of values: (old: CellText?, new: CellText?), width: Int, limits: (old: Int, new: Int)
  ) -> [ValueLine] {
    func lines(_ sign: String, _ value: CellText?, _ role: Role, _ limit: Int) -> [ValueLine] {
      guard let value, limit > 0 else { return [] }
      return TextLines.wrapped(value.text, width: max(1, width - 4), limit: limit).enumerated()
        .map { ($0 == 0 ? sign : "  ", $1, role) }
    }
    return lines("- ", values.old, .dim, limits.old)
      + lines("+ ", values.new, .inserted, limits.new)
  }

  /// Returns the lines of the old and the new value: whole if they fit, otherwise with the first
  /// difference.
  private static func lines(of entry: ChangeEntry, width: Int, rows: Int) -> [ValueLine] {
    let limit = rows + 1
    let whole = lines(of: (entry.old, entry.new), width: width, limits: (limit, limit))
    if whole.count <= rows { return whole }
    // Each value gets half of the rows, plus those that the other does not need.
    let needed = [(limit, 0), (0, limit)].map {
      lines(of: (entry.old, entry.new), width: width, limits: $0).count
    }
    let old = min(needed[0], max(rows / 2, rows - needed[1]))
    let new = min(needed[1], rows - old)
    return lines(
      of: entry.values(within: min(old, new) * max(1, width - 4)), width: width, limits: (old, new))
  }

  /// Draws the old and the new value; without values, a sentence.
  private func drawValues(of entry: ChangeEntry, into frame: inout Frame, area: Rect) {
    let (rule, rest) = area.split(rows: 1)
    frame.fill(rule, Paint(.border), with: "─")
    let lines = Self.lines(of: entry, width: rest.columns, rows: rest.rows)
    if lines.isEmpty { frame.writeWrapped(sentence(of: entry), in: rest, paint: Paint(.text)) }
    for (row, line) in lines.prefix(rest.rows).enumerated() {
      frame.write(line.sign, .dim, in: rest.line(row))
      frame.write(line.text, line.role, in: rest.line(row), at: 3)
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
    if !entry.label.isEmpty {
      let start = column
      write(entry.label, .attribute)
      column = max(column + 2, start + widths.label)
    }
    // The old and the new value each get half of the space, plus the space that the other does not
    // need.
    let room = max(0, line.endColumn - column - 3)
    let needs = [entry.old, entry.new].map { $0.map { TextWidth.columns(of: $0.text) } ?? 0 }
    let oldWidth = min(30, max(room / 2, room - needs[1]))
    let isWhole = needs[0] <= oldWidth && needs[0] + needs[1] <= room
    let (old, new) =
      isWhole
      ? (entry.old, entry.new) : entry.values(within: min(oldWidth, room - oldWidth))
    if let old { write(old.text, .dim, width: oldWidth) }
    if old == nil, new == nil { return }
    write(" → ", .dim)
    if let new { write(new.text, .inserted) } else { write("·", .dim) }
  }
}

extension ChangesPane {
  /// The width that each part of a line needs to fit the longest text of any change in the list.
  struct Wanted: Equatable {
    var number = 0
    var namespace = 0
    var name = 0
    var label = 0
    var values = 0

    init() {}

    init(of lines: [ChangeEntry]) {
      for line in lines {
        let values = [line.old, line.new].map { value in
          // A longer text exceeds the width of any terminal.
          value.map { $0.text.utf8.count > 500 ? 500 : TextWidth.columns(of: $0.text) } ?? 0
        }
        // The widths include two spaces after a text.
        namespace = max(namespace, TextWidth.columns(of: line.namespace) + 2)
        name = max(name, TextWidth.columns(of: line.name) + 2)
        if line.old != nil || line.new != nil {
          label = max(label, TextWidth.columns(of: line.label) + 2)
        }
        self.values = max(
          self.values, values.reduce(5 + TextWidth.columns(of: line.label), +))
      }
      let newest = lines.reversed().lazy.compactMap(\.transaction).first
      number = newest.map { "\($0)".count } ?? 0
    }
  }

  /// The actual widths of the parts of a line. In narrow panes, old and new values take precedence.
  struct Widths {
    private(set) var transaction: Int
    private(set) var namespace: Int
    private(set) var name: Int
    /// The width to which shorter labels of attributes are padded.
    private(set) var label: Int
    /// Whether there is space for `tx` before the transaction number.
    private(set) var namesTransaction = false

    init(of columns: Int, _ wanted: Wanted) {
      (transaction, namespace, name) =
        columns >= 70 ? (8, 15, 25) : columns >= 44 ? (5, 11, 15) : (4, 0, 13)
      // Long names get the columns that other parts do not need.
      namespace = min(wanted.namespace, columns >= 100 ? 25 : namespace)
      name = min(wanted.name, columns >= 100 ? columns / 3 : name)
      label = columns >= 70 ? min(wanted.label, columns / 5) : 0
      // Three columns are for the margin and the sign.
      let rest = columns - 3 - transaction - namespace - name
      var lack = min(wanted.values, columns * 3 / 5) - rest
      func give(_ width: inout Int, downTo least: Int) {
        let given = max(0, min(lack, width - least))
        width -= given
        lack -= given
      }
      give(&transaction, downTo: wanted.number + 1)
      give(&name, downTo: min(name, 12))
      give(&name, downTo: min(name, 8))
      namesTransaction = transaction > wanted.number + 3
    }
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
