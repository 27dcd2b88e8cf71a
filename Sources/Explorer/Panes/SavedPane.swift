import InstaQL
import Notebooks
import TerminalUI
import Widgets

/// The saved and the recent queries.
struct SavedPane: ListPane {
  private(set) var saved: [SavedQuery]
  private(set) var history: [HistoryEntry]
  var cursor = ListCursor()
  /// The queries deleted while the pane is open, newest last.
  private var deleted: [SavedQuery] = []

  init(saved: [SavedQuery], history: [HistoryEntry]) {
    self.saved = saved
    self.history = history
  }

  /// Updates the list. The cursor stays on its line.
  mutating func showQueries(
    saved: [SavedQuery], history: [HistoryEntry], in context: PaneContext
  ) {
    let names = Set(saved.map(\.id))
    deleted += self.saved.filter { !names.contains($0.id) }
    deleted.removeAll { names.contains($0.id) }
    (self.saved, self.history) = (saved, history)
    keepInView(in: context)
  }

  var traits: PaneTraits { .saved }
  private var count: Int { saved.count + history.count }
  func lineCount(in context: PaneContext) -> Int { count }

  func title(in context: PaneContext) -> String { "Saved queries and history" }

  func remark(in context: PaneContext) -> String {
    "\(saved.count) saved · \(NumberText.grouped(history.count)) recent"
  }

  func hints(in context: PaneContext) -> [Command] {
    if count == 0 { return [.saveQuery, .cancel] }
    // Only saved queries can be deleted.
    let canDelete = saved.indices.contains(cursor.index)
    return [.open] + (canDelete ? [.delete] : []) + (deleted.isEmpty ? [] : [.undoTransaction])
      + [.cancel]
  }

  func label(of command: Command) -> String {
    command == .undoTransaction && !deleted.isEmpty ? "restore" : traits.label(of: command)
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: return open(in: context)
    case .delete:
      return cursor.item(in: saved).map { [.open(Overlay(Self.confirmation(before: $0)))] }
        ?? [.show(.historyNotDeletable)]
    case .undoTransaction:
      guard let last = deleted.last else { return nil }
      return [.effect(.save(.restoredQuery(last))), Self.reload]
    default: return nil
    }
  }

  private static let reload = PaneAction.request(.savedQueries, for: .reloadSavedQueries)

  /// Returns a menu that asks for confirmation before a query is deleted.
  private static func confirmation(before query: SavedQuery) -> MenuPane {
    MenuPane(
      "Delete the saved query “\(query.name)”?",
      [
        MenuPane.Entry(key: "n", label: "keep it", actions: []),
        MenuPane.Entry(
          key: "d", label: "delete", detail: "can be restored while the list is open",
          actions: [
            .effect(.save(.deletedQuery(query))), reload,
            .show(.savedQueryDeleted(query.name)),
          ]),
      ])
  }

  private func open(in context: PaneContext) -> [PaneAction] {
    guard let catalog = context.catalog else { return [.show(.loading)] }
    guard cursor.index < count else { return [.show(.nothingSaved)] }
    let text =
      cursor.index < saved.count
      ? saved[cursor.index].text : history[cursor.index - saved.count].text
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: catalog.schema)
      guard let plan = document.plans.first else { return [.show(.emptyQuery)] }
      // A query of the current namespace is applied as an edit that can be undone, as if it had
      // been typed.
      guard plan.namespace == context.plan?.namespace else { return [.drillDown(plan)] }
      return plan == context.plan
        ? [.show(.queryAlreadyShown)]
        : [.close, .change(plan)]
    } catch {
      return [.show(Notice(error.complaint))]
    }
  }

  // MARK: Drawing

  /// The number of rows for the text of a query at the bottom, including the line above it.
  private static let detailRows = 4

  func rowsBelow(in context: PaneContext) -> Int {
    context.page > Self.detailRows * 3 ? Self.detailRows : 0
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    if count == 0 {
      frame.writeNotice(.nothingSaved, context.keys, in: area)
    }
    let (list, detail) = area.split(rows: listRows(in: context))
    let lines = Array(cursor.lines(of: count, in: list))
    let texts = Self.shortened(
      lines.map { self.line(of: $0.index) }, to: max(0, list.columns - nameWidth - 4))
    for (line, text) in zip(lines, texts) {
      frame.fill(line)
      let isSaved = line.index < saved.count
      let name = isSaved ? saved[line.index].name : line.index == saved.count ? "(recent)" : ""
      frame.write(name, isSaved ? .title : .dim, in: line, width: nameWidth)
      frame.write(text, .text, in: line, at: nameWidth + 3)
    }
    guard detail.rows > 1, cursor.index < count else { return }
    let (rule, rest) = detail.split(rows: 1)
    frame.fill(rule, Paint(.border), with: "─")
    frame.writeWrapped(line(of: cursor.index), in: rest, paint: Paint(.text))
  }

  /// Returns a query as one line of text.
  private func line(of index: Int) -> String {
    let text = index < saved.count ? saved[index].text : history[index - saved.count].text
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the texts shortened to a width, so that different texts stay different.
  ///
  /// A text that would look like another one shows the part in which they differ instead of its
  /// end.
  private static func shortened(_ texts: [String], to columns: Int) -> [String] {
    var shown = texts.map { TextWidth.shortened($0, to: columns) }
    for alike in Dictionary(grouping: texts.indices, by: { shown[$0] }).values {
      // In sorted order, the most similar texts are adjacent.
      let places = alike.sorted { texts[$0] < texts[$1] }
      for (rank, place) in places.enumerated() {
        let sideQueries = [rank - 1, rank + 1].filter { places.indices.contains($0) }
          .map { texts[places[$0]] }.filter { $0 != texts[place] }
        guard let same = sideQueries.map({ $0.commonScalars(with: texts[place]) }).max()
        else { continue }
        let head = TextWidth.truncated(texts[place], to: columns * 2 / 5)
        let start = max(head.unicodeScalars.count - 1, same - scalarsBefore)
        let rest = String(texts[place].unicodeScalars.dropFirst(start)).drop { $0 == " " }
        shown[place] =
          head + TextWidth.truncated(String(rest), to: columns - TextWidth.columns(of: head))
      }
    }
    return shown
  }

  /// The number of characters to show before the part in which texts differ.
  private static let scalarsBefore = 10

  /// The width of the longest name in columns, at most `widestName`.
  private var nameWidth: Int {
    let longest = saved.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    return min(max(longest, "(recent)".count), Self.widestName)
  }

  private static let widestName = 24
}

extension String {
  /// Returns the length in scalars of the prefix that both texts share.
  fileprivate func commonScalars(with other: String) -> Int {
    zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
  }
}

extension PaneTraits {
  package static let saved = PaneTraits(
    title: "Saved queries",
    about:
      "Saved and recent queries. Each saved query is a text file in "
      + "~/.local/state/sonde/queries that can be edited and shared."
  ) {
    $0.isAlone = true
    $0.ignored = .only(sideways + unfolding + [.edit, .add])
    $0.place = .results
    $0.labels = [.open: "run"]
  }
}
