import InstaQL
import Notebooks
import TerminalUI
import Triples
import Widgets

/// The column settings of the namespace: visibility, order, width and freezing.
struct ColumnsPane: ItemPane {
  var cursor = ListCursor()
  private(set) var items: [TableColumn] = []
  private(set) var settings = ColumnSettings()
  /// The current width of each column, by label.
  private var widths: [String: Int] = [:]
  /// The label of the column to select at first; nil after it was selected.
  private var wanted: String?

  /// - Parameter label: The column to select; nil for the first one.
  init(at label: String?) { wanted = label }

  var traits: PaneTraits { .columns }

  func remark(in context: PaneContext) -> String {
    let hidden = items.filter { settings.hidden.contains($0.label) }.count
    if hidden > 0 { return "\(items.count - hidden) of \(items.count) shown" }
    return NumberText.count(items.count, "column")
  }

  func label(of command: Command) -> String {
    command == .open && isChosenHidden ? "done" : traits.label(of: command)
  }

  private var isChosenHidden: Bool { chosen.map { settings.hidden.contains($0.label) } ?? false }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    guard let chosen else { return nil }
    let label = chosen.label
    // Settings apply immediately, so Enter does not have to apply them.
    if command == .open { return isChosenHidden ? [.close] : [.close, .jump(column: label)] }
    var new = settings
    switch command {
    case .mark, .hideColumn: new.hidden.toggle(label)
    case .moveColumnLeft: new.move(label, by: -1, among: items.map(\.label))
    case .moveColumnRight: new.move(label, by: 1, among: items.map(\.label))
    case .wider, .right: new.widen(label, from: widths[label] ?? 0, by: 1)
    case .narrower, .left: new.widen(label, from: widths[label] ?? 0, by: -1)
    case .fitColumn:
      new.widths[label] = new.widths[label] == nil ? context.table?.fullWidth(of: chosen) : nil
    case .freezeColumn: new.frozen.toggle(label)
    case .reset: new = ColumnSettings()
    default: return nil
    }
    return new == settings ? [.show(Self.whyUnchanged(by: command))] : [.arrange(new)]
  }

  private static func whyUnchanged(by command: Command) -> Notice {
    switch command {
    case .moveColumnLeft: .alreadyFirst
    case .moveColumnRight: .alreadyLast
    case .wider, .right: .widest
    case .narrower, .left: .narrowest
    default: .alreadyReset
    }
  }

  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    guard let chosen, times == 2 || (1..<4).contains(column) else { return [] }
    var new = settings
    new.hidden.toggle(chosen.label)
    return [.arrange(new)]
  }

  mutating func refresh(in context: PaneContext) {
    guard let table = context.table else { return }
    update(keeping: \.label, in: context) {
      $0.settings = table.settings
      $0.items = TableColumn.onScreen(
        of: table.answer.plan, in: table.catalog, by: table.settings, moving: table.moved)
      $0.widths = Dictionary(
        table.columns.map { ($0.label, $0.width) }, uniquingKeysWith: { first, _ in first })
    }
    guard let wanted = wanted.take() else { return }
    if let line = items.firstIndex(where: { $0.label == wanted }) { go(to: line, in: context) }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    drawItems(into: &frame, area: area, context) { column, line, frame in
      let label = column.label
      let isHidden = settings.hidden.contains(label)
      let keys = column.link.flatMap { context.table?.catalog.schema.keyAttributes(behind: $0) }
      let notes = [
        keys.flatMap { $0.isEmpty ? nil : "key " + $0.map(\.label).joined(separator: ", ") },
        settings.frozen.contains(label) ? "frozen" : nil,
        widths[label].map { "\($0) wide" + (settings.widths[label] == nil ? "" : " (custom)") },
      ].compactMap { $0 }.joined(separator: ", ")
      let width = frame.writeAtEnd(notes, .dim, in: line)
      frame.write(
        (isHidden ? "[ ] " : "[x] ") + label,
        isHidden ? .dim : column.isLink ? .link : .text, in: line, width: width)
    }
  }
}

extension PaneTraits {
  package static let columns = PaneTraits(
    title: "Columns",
    about:
      "The columns of the results: visibility, order and width. Remembered for each namespace."
  ) {
    $0.isAlone = true
    $0.ignored = .only(unfolding + changing + toMainPanes)
    $0.hints = [
      .mark, .open, .moveColumnLeft, .moveColumnRight, .wider, .narrower, .fitColumn, .freezeColumn,
      .reset, .undo, .cancel,
    ]
    $0.labels = [
      .mark: "show or hide", .open: "go to column", .moveColumnLeft: "move up",
      .moveColumnRight: "move down",
    ]
  }
}
