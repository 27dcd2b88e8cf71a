import InstaQL
package import TerminalUI
import Widgets

extension Workspace {
  /// Draws the screen: header, panes and footer.
  package func view() -> Frame {
    var frame = Frame(size: size)
    guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
      drawTooSmall(into: &frame)
      return frame
    }
    if settings.isScreenReader { return linearView() }
    let layout = layout
    drawHeader(into: &frame, area: layout.header)
    if !isCovered(layout.middle, in: layout) {
      if let left = layout.left {
        drawStack([.namespaces, .schema], into: &frame, area: left, layout: layout)
      }
      if let right = layout.right {
        drawStack([.query, .results], into: &frame, area: right, layout: layout)
        drawDetail(into: &frame, layout: layout)
      }
    }
    drawOverlays(into: &frame, layout: layout)
    if let box = typing(in: layout)?.completions { prompt?.completion?.draw(into: &frame, in: box) }
    drawStaleness(into: &frame, layout: layout)
    drawFooter(into: &frame, layout: layout)
    return frame
  }

  private func drawTooSmall(into frame: inout Frame) {
    let need = Layout.smallest
    let words = [
      "Too small:", "\(size.columns)×\(size.rows),", "needs", "\(need.columns)×\(need.rows)",
    ]
    let lines = size.columns >= 30 ? [words.joined(separator: " ")] : words
    for (row, line) in lines.enumerated() where row < size.rows {
      frame.write(line, row: row, column: 0, width: size.columns, paint: Paint(.text))
    }
  }

  /// Draws the visible main panes of one side of the screen.
  private func drawStack(
    _ panes: [MainPane], into frame: inout Frame, area: Rect, layout: Layout
  ) {
    let shown = panes.filter { layout.only == nil || layout.only == $0 }
    let sections = shown.map { section(of: $0, columns: area.columns, layout) }
    let inner = PanelStack(area: area, sections: sections).draw(into: &frame)
    // The error of a typed query may cover rows of the results, so the query is drawn after them.
    for (pane, area) in zip(shown, inner).reversed() {
      draw(pane, into: &frame, area: area, layout: layout)
    }
  }

  /// Returns the title of a main pane, or of what takes its place.
  private func section(
    of pane: MainPane, columns: Int, _ layout: Layout
  ) -> PanelStack.Section {
    let isFocused = focusedPane == pane.traits && prompt == nil
    let (title, key) = (title(of: pane), number(of: pane.traits))
    switch pane {
    case .namespaces:
      return .init(title: title, key: key, isFocused: isFocused, rows: layout.namespaceRows)
    case .schema:
      return .init(title: title, key: key, isFocused: isFocused, rows: layout.schemaRows)
    case .query:
      let prompt = linePrompt
      return .init(
        title: prompt?.title ?? title, key: prompt == nil ? key : "",
        remark: prompt?.countText ?? queryRemark(rows: layout.queryRows),
        isFocused: isFocused || prompt != nil, rows: layout.queryRows)
    case .results: break
    }
    let columns = columns - columnsBeside(layout)
    if let list = listInsteadOfResults(layout) {
      return .init(
        title: self.title(of: list), key: number(of: list.traits), isFocused: true,
        rows: layout.resultPaneRows, columns: columns)
    }
    return .init(
      title: cellPrompt?.title ?? title, key: isTypingInCell ? "" : key,
      remark: tab.latency.notice.map { mainKeys.line($0) } ?? markedRemark
        + tab.results.remark(page: layout.resultRows),
      isFocused: isInResults, rows: layout.resultPaneRows, columns: columns)
  }

  private func draw(_ pane: MainPane, into frame: inout Frame, area: Rect, layout: Layout) {
    switch pane {
    case .namespaces, .schema:
      if let catalog { drawList(pane, of: catalog, into: &frame, area: area) }
    case .query: drawQuery(into: &frame, area: area)
    case .results:
      if !isCovered(area, in: layout) { drawResults(into: &frame, area: area, layout: layout) }
    }
  }

  /// Returns the number key that focuses a main pane; empty if there is none.
  func number(of focus: PaneTraits) -> String {
    guard let command = focus.command else { return "" }
    let keys = settings.keymap.keys(for: command, in: focus)
    return keys.lazy.map(\.name).first { ("1"..."9").contains($0) } ?? ""
  }

  func drawList(_ list: MainPane, of catalog: Catalog, into frame: inout Frame, area: Rect) {
    let isFocused = focusedPane == list.traits && (prompt == nil || searchedList == list)
    if list == .namespaces {
      namespaces.draw(
        into: &frame, area: area, catalog: catalog, shown: shownNamespace, isFocused: isFocused,
        isSpoken: settings.isScreenReader)
    } else if let namespace = chosenNamespace {
      tab.schema.draw(
        into: &frame, area: area, namespace: namespace, catalog: catalog, isFocused: isFocused)
    }
  }

  /// Whether the results have the focus, or one of their cells is being edited.
  private var isInResults: Bool { focusedPane == .results && !isTypingInLine }

  /// Returns the searched list if it takes the place of the results; otherwise nil. It does if the
  /// left side has no space next to the prompt.
  private func listInsteadOfResults(_ layout: Layout) -> MainPane? {
    layout.left == nil ? searchedList : nil
  }

  /// Returns the title of a main pane; that of the schema is the namespace.
  private func title(of pane: MainPane) -> String {
    pane == .schema ? chosenNamespace ?? pane.traits.title : pane.traits.title
  }

  /// Draws the results, or what takes their place.
  private func drawResults(into frame: inout Frame, area: Rect, layout: Layout) {
    if let catalog, let list = listInsteadOfResults(layout) {
      drawList(list, of: catalog, into: &frame, area: area)
    } else if let loading = store.loading {
      loading.draw(store.identity.address, mainKeys, into: &frame, area: area)
    } else if tab.results.content == .nothing, let missingQueryReason {
      frame.writePanel(missingQueryReason, mainKeys, in: area)
    } else {
      tab.results.draw(
        into: &frame, area: area, isFocused: isInResults,
        marks: session.marks, keys: mainKeys, recoveryHint: recoveryHint)
      drawCellPrompt(into: &frame, area: area)
    }
  }

  /// Returns the remark in the title of the query pane: whether the query is that of the last
  /// session, its notation and the number of lines. The number is omitted if all lines are visible.
  /// A prompt in place of the query has none.
  private func queryRemark(rows: Int) -> String {
    if isTypingInLine { return "" }
    var parts = session.spelling.title.isEmpty ? [] : [session.spelling.title]
    if let plan = tab.plan {
      if plan == tab.restoredPlan, plan != QueryPlan(plan.namespace) {
        parts.insert("from the last session", at: 0)
      }
      let lines = tab.queryLines.count
      if lines > rows, rows > 0 { parts.append("\(lines) lines") }
    }
    return parts.joined(separator: " · ")
  }

  /// Returns the width of the pane that covers the right part of the results, including its border.
  /// Returns 0 if no pane covers them.
  func columnsBeside(_ layout: Layout) -> Int {
    if tab.overlays.contains(where: { $0.pane.place == .beside }) {
      return layout.size(.beside) ?? 0
    }
    return layout.isDetailBeside ? layout.detailArea?.columns ?? 0 : 0
  }

  /// The number of visible columns of the results.
  var resultColumns: Int { resultColumns(in: layout) }

  func resultColumns(in layout: Layout) -> Int {
    max(0, (layout.right ?? layout.middle).columns - 2 - columnsBeside(layout))
  }

  private func drawQuery(into frame: inout Frame, area: Rect) {
    if let prompt = linePrompt {
      prompt.draw(
        into: &frame, area: area, plan: queryToChange, schema: catalog?.schema,
        seen: seen(of: queryToChange))
      if let complaint = prompt.shownComplaint, !prompt.showsComplaint(in: area) {
        drawWhole(complaint, into: &frame, below: area)
      }
    } else if let plan = tab.plan {
      queryText(plan).draw(into: &frame, area: area, top: tab.queryLines.top)
    }
  }

  private func queryText(_ plan: QueryPlan) -> QueryText {
    tab.queryLines.text(of: plan, session.spelling, words: session.typedWords, in: known)
  }

  /// Returns the results if they are rows of the plan's namespace, to use their values in examples;
  /// otherwise nil.
  private func seen(of plan: QueryPlan?) -> ResultTable? {
    guard let table = tab.results.table, table.answer.namespace == plan?.namespace else {
      return nil
    }
    return table
  }

  /// Draws an error in a box, because it does not fit into the pane of the query.
  private func drawWhole(_ complaint: String, into frame: inout Frame, below area: Rect) {
    // The box is as wide as the pane with its borders.
    let columns = area.columns + (settings.isScreenReader ? 0 : 2)
    // The borders and the footer take three rows.
    let room = size.rows - area.endRow - 3
    let lines = TextLines.wrapped(
      complaint, width: max(8, columns - 4), limit: max(1, min(room, 4)))
    let box = Rect(
      row: area.endRow, column: max(0, area.column - (settings.isScreenReader ? 0 : 1)),
      rows: lines.count + 2, columns: columns)
    frame.fill(box, Paint(.text))
    frame.box(box, border: Paint(.error))
    frame.writeWrapped(complaint, in: box.inset(by: 1), paint: Paint(.error))
  }
}
