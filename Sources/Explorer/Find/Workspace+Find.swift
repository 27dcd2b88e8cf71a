import InstaQL
import Triples
import Widgets

// Searches in the focused pane.
extension Workspace {
  /// Whether the focused pane can be searched.
  private var isFindable: Bool {
    guard let overlay = tab.overlays.last else { return tab.focus != .query }
    return overlay.pane is any FindablePane
  }

  mutating func startFinding() {
    guard isFindable else {
      notice = .nothingToSearch(in: focusedPane.title)
      return
    }
    tab.finding.begin(at: findLine, tab.results.reading, in: tab.results.chosenColumns)
    prompt = PromptPane(.find, text: "")
  }

  /// Moves to the first match from the position where the search started. Called after each typed
  /// letter.
  mutating func findTyped() -> [Effect] {
    guard let text = prompt?.field.text else { return [] }
    if isNarrowing { return narrowNamespaces(to: text) }
    if narrowPane(to: text) { return [] }
    setPattern(TextPattern(text))
    goBackToColumn()
    prompt?.remark = nil
    guard !text.isEmpty else { return stopSearching() }
    let effects = find(from: tab.finding.origin, step: 0)
    let place = matchPlace
    prompt?.remark = place.map { "match \($0.text)" }
    return effects
  }

  private mutating func setPattern(_ pattern: TextPattern) {
    tab.finding.look(for: pattern, in: focusedPane)
    tab.results.pattern = tab.finding.marked(in: .results)
    tab.results.isPatternTyped = prompt?.purpose == .find
  }

  /// Whether a search is visible: its matches are highlighted, or it is still running.
  var isFindingSeen: Bool {
    let isSearching = requests.isPending(.search)
    guard !tab.finding.pattern.isEmpty || isSearching else { return false }
    return isSearching || MainPane.allCases.contains { $0.traits == tab.finding.pane }
      || tab.overlays.contains { $0.pane.traits == tab.finding.pane }
  }

  /// Closes the search prompt.
  ///
  /// - Parameter keeping: Whether the cursor stays at the match, instead of returning to where it
  ///   was.
  mutating func endFinding(keeping: Bool) -> [Effect] {
    if isNarrowing { return endNarrowing(opening: keeping) }
    prompt = nil
    tab.results.isPatternTyped = false
    guard !keeping, !narrowPane(to: "") else { return [] }
    setPattern(TextPattern())
    moveFinding(to: tab.finding.origin)
    goBackToColumn()
    if tab.overlays.isEmpty, tab.focus == .results {
      tab.results.goBack(to: tab.finding.readingOrigin)
    }
    return stopSearching()
  }

  /// Closes the search prompt and shows the number of the match at the cursor.
  mutating func acceptMatch() -> [Effect] {
    let effects = endFinding(keeping: true)
    showMatchNumber()
    return effects
  }

  private mutating func showMatchNumber() {
    if notice == nil, let matchPlace { notice = .match(matchPlace) }
  }

  /// Searches again after `change` loaded names of linked rows, since more rows may match.
  mutating func searchAgain(after change: (inout Workspace) -> Void) -> [Effect] {
    let before = matchPlace
    let isSearching =
      !tab.results.pattern.isEmpty && tab.results.table?.isSearchedAtOnce == true
      && tab.overlays.isEmpty && tab.focus == .results && before?.isWhole != true
    change(&self)
    guard isSearching else { return [] }
    if prompt?.purpose == .find { return findTyped() }
    if let before, notice == .match(before) { notice = matchPlace.map { .match($0) } }
    return []
  }

  /// Selects the column in which the search started.
  private mutating func goBackToColumn() {
    guard tab.overlays.isEmpty, tab.focus == .results else { return }
    tab.results.choose(columns: tab.finding.columnOrigin)
  }

  /// Scrolls so that the match on the cursor's line is visible.
  mutating func showMatch(isBackwards: Bool) {
    let layout = layout
    tab.results.reachMatch(isBackwards: isBackwards, page: layout.resultRows)
    tab.results.reachMatchingColumn(width: resultColumns(in: layout))
  }

  mutating func clearFinding() -> [Effect] {
    guard isFindingSeen else { return [] }
    setPattern(TextPattern())
    return stopSearching()
  }

  mutating func findNext(_ step: Int) -> [Effect] {
    guard !tab.finding.pattern.isEmpty else { return notify(.noSearch) }
    guard isFindable else { return notify(.nothingToSearch(in: focusedPane.title)) }
    // The search continues in the pane that now has the focus.
    if tab.finding.pane != focusedPane { setPattern(tab.finding.pattern) }
    let before = (findLine, tab.results.reading)
    let effects = find(from: findLine, step: step)
    if effects.isEmpty, notice == nil, before == (findLine, tab.results.reading) {
      let text = tab.finding.pattern.text
      notice = findsInBeginning ? .notFoundYet(text) : .noOtherMatch(text)
    }
    showMatchNumber()
    return effects
  }

  private var findLine: Int {
    if let pane = tab.overlays.last?.pane as? any LinePane { return pane.cursor.index }
    return line(in: tab.focus)
  }

  /// Moves to the next match after the line `start`.
  ///
  /// - Parameter step: The direction, 1 or -1; 0 searches downwards and includes the line `start`.
  private mutating func find(from start: Int, step: Int) -> [Effect] {
    if let index = tab.overlays.indices.last {
      let context = context(of: index)
      guard var pane = tab.overlays[index].pane as? any FindablePane else { return [] }
      let isFound = pane.find(tab.finding.pattern, from: start, step: step, in: context)
      tab.overlays[index].pane = pane
      return isFound ? [] : reportNotFound()
    }
    guard let catalog else { return [] }
    switch tab.focus {
    case .results: return searchResults(from: start, step: step)
    case .namespaces: return find(among: catalog.schema.namespaces, from: start, step: step)
    case .schema:
      guard let namespace = chosenNamespace else { return [] }
      let lines = catalog.lines(of: namespace).map(\.label)
      return find(among: lines, from: start, step: step)
    case .query: return []
    }
  }

  private mutating func find(among lines: [String], from start: Int, step: Int) -> [Effect] {
    let line = tab.finding.pattern.line(from: start, step: step, of: lines.count) { lines[$0] }
    guard let line else { return reportNotFound() }
    moveFinding(to: line)
    return []
  }

  /// Searches the lines near the cursor immediately, and all others in the background.
  private mutating func searchResults(from start: Int, step: Int) -> [Effect] {
    guard let table = tab.results.table else {
      reportSearch(.nothingToSearch(in: focusedPane.title))
      return []
    }
    if step == 0, tab.results.isReading {
      tab.results.move(to: start, page: layout.resultRows)
      tab.results.goBack(to: tab.finding.readingOrigin)
    }
    if tab.results.findInDocument(step: step, page: layout.resultRows) { return stopSearching() }
    let search = rowSearch(in: table, from: start, step: step)
    let first = step == 0 && !tab.results.isReading ? 0 : 1
    let near = min(search.end(from: first), RowSearch.linesAtOnce)
    if let line = search.line(between: first, and: near) {
      moveFinding(to: line)
      showMatch(isBackwards: step < 0)
      return stopSearching()
    }
    guard table.height >= RowSearch.linesAtOnce || table.answer.window != nil else {
      return stopSearching() + reportNotFound()
    }
    reportSearch(.searching(rows: max(table.height, table.answer.pageCount)))
    return requests.begin(.search(search), for: .search)
  }

  private func rowSearch(in table: ResultTable, from start: Int, step: Int) -> RowSearch {
    RowSearch(
      table: table, form: tab.results.form, pattern: tab.finding.pattern, start: start,
      step: step < 0 ? -1 : 1)
  }

  /// The place of the match at the cursor among all matches; nil if it is not known.
  private var matchPlace: MatchPlace? {
    let pattern = tab.finding.pattern
    if pattern.isEmpty { return nil }
    var isWhole = true
    var lines: [Int]?
    var column: String?
    if let index = tab.overlays.indices.last {
      let pane = tab.overlays[index].pane
      guard let pane = pane as? any FindablePane, !(pane is any NarrowingPane) else { return nil }
      lines = pane.lines(with: pattern, in: context(of: index))
    } else if tab.focus == .results, let table = tab.results.table, !tab.results.showsBeginning {
      lines = rowSearch(in: table, from: 0, step: 1).matchingLines
      isWhole = lines == nil || table.knowsLinks
      column = tab.results.matchingColumn(width: resultColumns)
    } else if tab.focus == .schema, let namespace = chosenNamespace {
      lines = catalog?.lines(of: namespace).enumerated().filter { pattern.isIn($1.label) }
        .map(\.offset)
    }
    guard let lines, let index = lines.firstIndex(of: findLine) else { return nil }
    return MatchPlace(number: index + 1, count: lines.count, isWhole: isWhole, column: column)
  }

  /// Clears the search, because the user leaves the tab.
  mutating func forgetFinding() -> [Effect] {
    tab.finding.look(for: TextPattern(), in: tab.finding.pane)
    tab.results.pattern = TextPattern()
    return stopSearching()
  }

  private mutating func stopSearching() -> [Effect] { requests.cancel(.search) }

  /// Moves to the match that a background search found. If `hit` is nil, reports that there is
  /// none.
  mutating func goTo(_ hit: RowHit?) -> [Effect] {
    notice = nil
    prompt?.complaint = nil
    guard let hit, let table = tab.results.table else { return reportNotFound() }
    guard let line = table.line(of: hit) else {
      guard table.answer.window != nil else { return reportNotFound() }
      // The row is loaded next, and then the cursor moves there.
      tab.results.rowWindow.setDestination(.row(hit.row, isMatch: true))
      return []
    }
    // Another pane may have the focus by now, but the search was in the results.
    _ = go(.to(line), in: .results)
    showMatch(isBackwards: false)
    return []
  }

  mutating func reportSearch(rows count: Int) {
    guard let table = tab.results.table else { return }
    reportSearch(.searched(count, of: table.answer.pageCount))
  }

  private mutating func reportNotFound() -> [Effect] {
    // The queued keys were meant for the match.
    screen.queue = InputQueue()
    let text = tab.finding.pattern.text
    reportSearch(findsInBeginning ? .notFoundYet(text) : .notFound(text))
    return []
  }

  /// Whether the search is in the first rows of a store that is still loading.
  private var findsInBeginning: Bool {
    tab.overlays.isEmpty && tab.focus == .results && tab.results.showsBeginning
  }

  /// Shows a notice about the search: below the search prompt if it is open, otherwise in the
  /// status line.
  mutating func reportSearch(_ news: Notice) {
    if prompt != nil { prompt?.complaint = news.text } else { notice = news }
  }

  private mutating func moveFinding(to line: Int) {
    if let index = tab.overlays.indices.last {
      let context = context(of: index)
      guard var pane = tab.overlays[index].pane as? any FindablePane else { return }
      pane.go(to: line, in: context)
      tab.overlays[index].pane = pane
      return
    }
    _ = go(.to(line), in: tab.focus)
  }
}

extension FindablePane {
  /// Returns the lines with a match; nil if there are too many lines to count them.
  fileprivate func lines(with pattern: TextPattern, in context: PaneContext) -> [Int]? {
    let count = lineCount(in: context)
    guard count <= RowSearch.linesAtOnce else { return nil }
    return (0..<count).filter { pattern.isIn(text(ofLine: $0, in: context)) }
  }
}
