import InstaQL
import LiveQueries
import TerminalUI
import Widgets

// Draws the dialog.
extension ExportPane {
  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let isRowChoice = scopes(in: context).count > 1
    draw(.rows, "rows", rowsText(in: context), isChoice: isRowChoice, into: &frame, area: area)
    draw(
      .columns, "columns", columnsText(in: context), isChoice: columnChoices(in: context).count > 1,
      into: &frame, area: area)
    draw(.form, "format", form.words.name, isChoice: true, into: &frame, area: area)
    drawHelp(into: &frame, area: area)
    draw(.file, isCommand ? "command" : "file", nil, into: &frame, area: area)
    if area.rows > Line.file.rawValue { drawField(into: &frame, area: area) }
    guard area.rows > Self.noticeRow else { return }
    let (notice, role) = state
    frame.writeNotice(notice, context.keys, in: area.inset(top: Self.noticeRow), role: role)
  }

  /// Draws the description of the format, next to the format or below the lines.
  private func drawHelp(into frame: inout Frame, area: Rect) {
    let used = TextWidth.columns(of: form.words.name) + 16
    let isBeside = TextWidth.columns(of: form.words.help) < area.columns - used
    guard isBeside || area.rows > Self.helpRow else { return }
    // If the description does not fit, the part after its first comma is omitted.
    let isWhole = TextWidth.columns(of: form.words.help) < area.columns - 9
    frame.write(
      isWhole ? form.words.help : String(form.words.help.prefix { $0 != "," }), .dim,
      in: area.line(
        isBeside ? Line.form.rawValue : Self.helpRow,
        ground: line == .form && isBeside ? .selection : .text),
      at: isBeside ? used : 9)
  }

  private func drawField(into frame: inout Frame, area: Rect) {
    let row = area.row + Line.file.rawValue
    let width = Self.fieldWidth(of: area.columns)
    let column = area.column + Self.fieldColumn
    if line == .file, !isWriting {
      field.draw(into: &frame, row: row, column: column, width: width, paint: Paint(.input))
    } else {
      frame.write(
        TextWidth.shortened(field.text, to: width), row: row, column: column, width: width)
    }
  }

  /// The column in which the file name begins.
  static let fieldColumn = 11
  static func fieldWidth(of columns: Int) -> Int { max(0, columns - fieldColumn - 1) }

  /// The row below the lines, for the description of a format.
  private static let helpRow = Line.allCases.count
  private static let noticeRow = helpRow + 1

  private func draw(
    _ line: Line, _ name: String, _ text: String?, isChoice: Bool = false,
    into frame: inout Frame, area: Rect
  ) {
    guard line.rawValue < area.rows else { return }
    let place = area.line(
      line.rawValue, ground: line == self.line && !isWriting ? .selection : .text)
    frame.fill(place)
    frame.write(name, .attribute, in: place, width: 7)
    if let text { frame.write(isChoice ? "‹ \(text) ›" : "  \(text)", .text, in: place, at: 9) }
  }

  private func columnsText(in context: PaneContext) -> String {
    guard form.hasColumns else {
      return form.isStore ? "the whole store" : "all, nested like the query"
    }
    guard columnChoices(in: context).contains(columns) else { return "as shown" }
    return switch columns {
    case .shown: "as shown"
    case .all: "all fields and id"
    case .shownWithLists: "as shown, with lists"
    }
  }

  private func rowsText(in context: PaneContext) -> String {
    guard !form.isStore else { return "the whole store" }
    let answer = context.table?.answer
    return switch scope {
    case .marked: "\(NumberText.grouped(context.marked)) selected"
    case .shown:
      answer?.count == nil
        ? "\(NumberText.grouped(answer?.pageCount ?? 0)) shown" : "the count"
    case .all: "all \(NumberText.grouped(answer?.total ?? 0)) matching rows"
    }
  }

  /// Returns a path that leaves room for a sentence about it. The file line shows the whole path.
  private static func shortened(_ path: String) -> String { TextWidth.shortened(path, to: 32) }

  private var state: (notice: Notice, role: Role) {
    switch progress {
    case .choosing: (.exportKeys(openLabel), .dim)
    case .asking(let path): (.overwrites(Self.shortened(path)), .warning)
    case .askingFolder(_, let folder): (.createsFolder(Self.shortened(folder)), .warning)
    case .failed(let reason): (Notice(reason), .error)
    case .writing(nil): (.exporting, .progress)
    case .writing(let done?):
      (.exporting(done.words + (done.fraction.map { ", \(Int($0 * 100))%" } ?? "")), .progress)
    }
  }
}

extension LoadingProgress {
  fileprivate var words: String {
    let of = total.map { " of \(NumberText.grouped($0))" } ?? ""
    return "\(NumberText.grouped(done))\(of) \(unit.rawValue)"
  }
}
