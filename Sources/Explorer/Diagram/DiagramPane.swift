import InstaQL
import TerminalUI
import Triples
import Widgets

/// The schema diagram, with namespaces as boxes and links as lines.
struct DiagramPane: Pane {
  private(set) var layout: DiagramLayout?
  /// The name of the selected namespace, which stays valid when the schema changes.
  private(set) var chosen = ""
  /// The index of the selected namespace in the schema, for searches.
  var cursor = ListCursor()
  /// The upper left corner of the visible part of the diagram.
  private var top = 0
  private var left = 0
  /// The size of the pane when the pane was last drawn.
  private var shownIn: Size?

  var traits: PaneTraits { .diagram }

  func remark(in context: PaneContext) -> String {
    guard let graph = layout?.graph else { return "" }
    return NumberText.count(graph.namespaces.count, "namespace") + " · "
      + NumberText.count(graph.edges.count, "link")
  }

  private var chosenBox: DiagramLayout.Box? {
    guard let layout, let place = layout.graph.namespaces.firstIndex(of: chosen) else { return nil }
    return layout.boxes[place]
  }

  /// Returns the number of rows for the diagram. The last rows of the pane describe the selected
  /// namespace.
  func rows(of page: Int) -> Int { max(1, page - Self.detailRows(of: page)) }
  private static func detailRows(of page: Int) -> Int { page >= 16 ? 3 : 2 }

  /// Returns the place in the pane where the upper left corner of the diagram is drawn. A small
  /// diagram is centered.
  func origin(in size: Size) -> Position {
    let free = layout.map { layout in
      Position(
        row: max(0, (size.rows - layout.size.rows) / 2),
        column: max(0, (size.columns - layout.size.columns) / 2))
    }
    return Position(row: top - (free?.row ?? 0), column: left - (free?.column ?? 0))
  }

  mutating func refresh(in context: PaneContext) {
    guard let schema = context.catalog?.schema else { return }
    let graph = DiagramGraph(schema)
    let size = Size(columns: context.width, rows: context.page)
    let isSame = graph == layout?.graph && size == shownIn && graph.namespaces.contains(chosen)
    shownIn = size
    // A change of data alone does not scroll.
    if isSame { return }
    if graph != layout?.graph { layout = DiagramLayout(graph) }
    if !graph.namespaces.contains(chosen) {
      chosen = context.plan?.namespace ?? graph.namespaces.first ?? ""
    }
    if let place = graph.namespaces.firstIndex(of: chosen) {
      cursor.move(to: place, of: graph.namespaces.count, page: graph.namespaces.count)
    }
    follow(in: context)
  }

  /// Scrolls until the selected box and the space around it are visible.
  private mutating func follow(in context: PaneContext) {
    guard let layout, let box = chosenBox else { return }
    let page = rows(of: context.page)
    if box.area.row < top || box.area.rows > page { top = box.area.row }
    if box.area.rows <= page, box.area.endRow > top + page { top = box.area.endRow - page }
    let margin = min(Self.margin, max(0, (context.width - box.area.columns) / 2))
    if box.area.column - margin < left { left = box.area.column - margin }
    if box.area.endColumn + margin > left + context.width {
      left = box.area.endColumn + margin - context.width
    }
    clampScroll(layout, context)
  }

  /// The number of columns to show on both sides of the selected box, so that its lines are
  /// visible.
  private static let margin = 12

  private mutating func clampScroll(_ layout: DiagramLayout, _ context: PaneContext) {
    top = min(max(0, top), max(0, layout.size.rows - rows(of: context.page)))
    left = min(max(0, left), max(0, layout.size.columns - context.width))
  }

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    let page = rows(of: context.page)
    switch command {
    // For a screen reader, the diagram is a list.
    case .up where context.settings.isScreenReader: choose(cursor.index - 1, in: context)
    case .down where context.settings.isScreenReader: choose(cursor.index + 1, in: context)
    case .up: return go(.up, in: context)
    case .down: return go(.down, in: context)
    case .left: return go(.left, in: context)
    case .right: return go(.right, in: context)
    case .pageUp: pan(rows: -page, in: context)
    case .pageDown: pan(rows: page, in: context)
    case .halfPageUp: pan(rows: -page / 2, in: context)
    case .halfPageDown: pan(rows: page / 2, in: context)
    case .firstColumn: pan(columns: -context.width / 2, in: context)
    case .lastColumn: pan(columns: context.width / 2, in: context)
    case .first, .last: choose(command == .first ? 0 : .max, in: context)
    case .open: return open(in: context)
    case .copy:
      return layout.map { [.effect(.copy($0.picture(in: context.catalog)))] }
        ?? [.show(.loading)]
    default: return nil
    }
    return []
  }

  /// Scrolls the diagram by rows and columns.
  mutating func pan(rows: Int = 0, columns: Int = 0, in context: PaneContext) {
    guard let layout else { return }
    top += rows
    left += columns
    clampScroll(layout, context)
  }

  /// Selects a namespace by its index in the schema.
  mutating func choose(_ place: Int, in context: PaneContext) {
    guard let names = layout?.graph.namespaces, !names.isEmpty else { return }
    let place = min(max(0, place), names.count - 1)
    chosen = names[place]
    cursor.move(to: place, of: names.count, page: names.count)
    follow(in: context)
  }

  /// Selects a linked box in a direction, or else any box in that direction.
  private mutating func go(_ direction: DiagramLayout.Direction, in context: PaneContext)
    -> [PaneAction]
  {
    guard let layout, let box = chosenBox, let next = layout.place(direction, of: box.place) else {
      return []
    }
    choose(next, in: context)
    return []
  }

  private func open(in context: PaneContext) -> [PaneAction] {
    guard !chosen.isEmpty else { return [] }
    return chosen == context.plan?.namespace
      ? [.close] : [.close, .drillDown(QueryPlan(chosen))]
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    let origin = origin(in: Size(columns: context.width, rows: rows(of: context.page)))
    guard line < rows(of: context.page),
      let box = layout?.boxes.first(where: {
        $0.area.contains(row: line + origin.row, column: column + origin.column)
      })
    else { return [] }
    choose(box.place, in: context)
    return times == 2 ? open(in: context) : []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) { pan(rows: lines, in: context) }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    guard let layout, let catalog = context.catalog else { return }
    if layout.boxes.isEmpty {
      frame.writeNotice(
        catalog.snapshot.isUnanswered ? .noSchema : .emptyStore, context.keys, in: area)
      return
    }
    if context.settings.isScreenReader {
      return drawList(layout, into: &frame, area: area, catalog)
    }
    let (picture, words) = area.split(rows: rows(of: area.rows))
    frame.fill(words.split(rows: 1).top, Paint(.border), with: "─")
    layout.draw(
      into: &frame, area: picture,
      origin: origin(in: Size(columns: picture.columns, rows: picture.rows)),
      chosen: chosenBox?.place, catalog: catalog)
    drawMarks(of: layout, into: &frame, around: picture)
    draw(words: words, into: &frame, catalog)
  }

  /// Draws marks at the edges beyond which there are more boxes, with their numbers.
  private func drawMarks(of layout: DiagramLayout, into frame: inout Frame, around area: Rect) {
    func mark(_ text: String, _ isMore: Bool, row: Int, column: Int) {
      guard isMore else { return }
      frame.write(text, row: row, column: column, paint: Paint(.key))
    }
    let boxes = layout.boxes.map(\.area)
    let right = boxes.count { $0.column >= left + area.columns }
    let below = boxes.count { $0.row >= top + area.rows }
    let before = boxes.count { $0.endColumn <= left }
    let above = boxes.count { $0.endRow <= top }
    let middle = area.row + area.rows / 2
    mark("◂", left > 0, row: middle, column: area.column - 1)
    mark("▸", left + area.columns < layout.size.columns, row: middle, column: area.endColumn)
    // The line above contains the title, so the number of boxes is written below.
    mark("▴", top > 0, row: area.row, column: area.endColumn)
    let words = [
      top > 0 && above > 0 ? "▴ \(above) above" : "",
      top + area.rows < layout.size.rows ? (below > 0 ? "▾ \(below) below" : "▾") : "",
      right > 0 ? "\(right) right ▸" : "", before > 0 ? "◂ \(before) left" : "",
    ].filter { !$0.isEmpty }
    let text = " " + words.joined(separator: " · ") + " "
    let start = min(
      area.column + area.columns / 2 - 5, area.endColumn - TextWidth.columns(of: text))
    mark(text, !words.isEmpty, row: area.endRow, column: max(area.column, start))
  }

  /// Draws a line for each namespace, with its links in words.
  private func drawList(
    _ layout: DiagramLayout, into frame: inout Frame, area: Rect, _ catalog: Catalog
  ) {
    let names = layout.graph.namespaces
    let first = max(0, cursor.index - area.rows + 1)
    for (row, name) in names.dropFirst(first).prefix(area.rows).enumerated() {
      let line = area.line(row, ground: name == chosen ? .selection : .text)
      frame.fill(line)
      frame.write(Self.spoken(name, in: catalog), .text, in: line)
    }
  }

  private static func links(of namespace: String, in catalog: Catalog) -> [String] {
    catalog.schema.links(of: namespace).map {
      ($0.label == $0.target ? "" : $0.label + " ") + $0.sign + $0.target
    }
  }

  /// Draws the links of the selected namespace in words, since the lines of links may be hard to
  /// follow.
  private func draw(words area: Rect, into frame: inout Frame, _ catalog: Catalog) {
    guard area.rows > 1 else { return }
    let links = Self.links(of: chosen, in: catalog)
    let count = catalog.count(of: chosen).map { NumberText.count($0, "row") }
    let attributes = catalog.schema.attributes(of: chosen).count
    let parts =
      [count, NumberText.count(attributes, "attribute")].compactMap { $0 }
      + (links.isEmpty ? ["no links"] : links)
    let used = frame.writeWrapped(
      chosen + "  " + parts.joined(separator: " · "), in: area.inset(top: 1),
      paint: Paint(.text))
    guard used > 0 else { return }
    frame.repaint(
      Rect(
        row: area.row + 1, column: area.column + 1, rows: 1,
        columns: min(TextWidth.columns(of: chosen), max(0, area.columns - 2))), ink: .title)
  }
}

extension PaneTraits {
  package static let diagram = PaneTraits(
    title: "Diagram",
    about: "Namespaces as boxes and links as lines: → to one, ⇉ to many, ↻ to the same namespace."
  ) {
    $0.command = .diagram
    $0.isAlone = true
    $0.ignored = .only(unfolding + changing)
    $0.place = .screen
    $0.hints = [.open, .find, .copy, .cancel]
  }
}
