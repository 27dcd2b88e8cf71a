import InstaQL
import Notebooks
import TerminalUI
import Widgets

/// The saved and the recent queries.
struct SavedPane: ItemPane {
  struct Item: Sendable, Equatable {
    let text: String
    /// The saved query; nil for a recent one.
    var query: SavedQuery?
  }

  /// The saved queries, then the recent ones.
  private(set) var items: [Item]
  var cursor = ListCursor()
  /// The queries deleted while the pane is open, newest last.
  private var deleted: [SavedQuery] = []

  init(saved: [SavedQuery], history: [HistoryEntry]) {
    items = Self.items(saved, history)
  }

  private static func items(_ saved: [SavedQuery], _ history: [HistoryEntry]) -> [Item] {
    saved.map { Item(text: $0.text, query: $0) } + history.map { Item(text: $0.text) }
  }

  private var saved: [SavedQuery] { items.compactMap(\.query) }

  /// Updates the list. The cursor stays on its line.
  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? {
    guard case .savedQueries(let saved, let history) = response else { return nil }
    let names = Set(saved.map(\.id))
    deleted += self.saved.filter { !names.contains($0.id) }
    deleted.removeAll { names.contains($0.id) }
    items = Self.items(saved, history)
    keepInView(in: context)
    return nil
  }

  var traits: PaneTraits { .saved }

  func title(in context: PaneContext) -> String { "Saved queries and history" }

  func remark(in context: PaneContext) -> String {
    "\(saved.count) saved · \(NumberText.grouped(items.count - saved.count)) recent"
  }

  func hints(in context: PaneContext) -> [Command] {
    if items.isEmpty { return [.saveQuery, .cancel] }
    // Only saved queries can be deleted.
    return [.open] + (chosen?.query == nil ? [] : [.delete])
      + (deleted.isEmpty ? [] : [.undoTransaction])
      + [.cancel]
  }

  func label(of command: Command) -> String {
    command == .undoTransaction && !deleted.isEmpty ? "restore" : traits.label(of: command)
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: return open(in: context)
    case .delete:
      return chosen?.query.map { [.open(Overlay(Self.confirmation(before: $0)))] }
        ?? [.show(.historyNotDeletable)]
    case .undoTransaction:
      guard let last = deleted.last else { return nil }
      return [.effect(.save(.restoredQuery(last))), Self.reload]
    default: return nil
    }
  }

  private static let reload = PaneAction.request(.savedQueries, for: .savedQueries)

  /// Returns a menu that asks for confirmation before a query is deleted.
  private static func confirmation(before query: SavedQuery) -> MenuPane {
    MenuPane(
      "Delete the saved query “\(query.name)”?",
      [
        MenuPane.Entry(key: "n", label: "keep it", actions: []),
        MenuPane.Entry(
          key: "d", otherKey: "y", label: "delete",
          detail: "can be restored while the list is open",
          actions: [
            .effect(.save(.deletedQuery(query))), reload,
            .show(.savedQueryDeleted(query.name)),
          ]),
      ])
  }

  private func open(in context: PaneContext) -> [PaneAction] {
    guard let chosen else { return [.show(.nothingSaved)] }
    switch context.plan(from: chosen.text) {
    case .failure(let reason): return [.show(reason.notice)]
    // A query of the current namespace is applied as an edit that can be undone, as if it had been
    // typed.
    case .success(let plan) where plan.namespace != context.plan?.namespace:
      return [.keepWords(chosen.text), .drillDown(plan)]
    case .success(let plan):
      return plan == context.plan
        ? [.show(.queryAlreadyShown)] : [.close, .keepWords(chosen.text), .change(plan)]
    }
  }

  // MARK: Drawing

  /// The number of rows for the text of a query at the bottom, including the line above it.
  private static let detailRows = 4

  func rowsBelow(in context: PaneContext) -> Int {
    context.page > Self.detailRows * 3 ? Self.detailRows : 0
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let (list, detail) = area.split(rows: listRows(in: context))
    let (nameWidth, savedCount) = (nameWidth, saved.count)
    let texts = Self.shortened(
      items.dropFirst(cursor.top).prefix(max(0, list.rows)).map(\.line),
      to: max(0, list.columns - nameWidth - 4))
    drawItems(into: &frame, area: list, or: .nothingSaved, context) { item, line, frame in
      let name = item.query?.name ?? (line.index == savedCount ? "(recent)" : "")
      frame.write(name, item.query == nil ? .dim : .title, in: line, width: nameWidth)
      frame.write(texts[line.index - cursor.top], .text, in: line, at: nameWidth + 3)
    }
    guard detail.rows > 1, let chosen else { return }
    let (rule, rest) = detail.split(rows: 1)
    frame.fill(rule, Paint(.border), with: "─")
    frame.writeWrapped(chosen.line, in: rest, paint: Paint(.text))
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
        let neighbors = [rank - 1, rank + 1].filter { places.indices.contains($0) }
          .map { texts[places[$0]] }.filter { $0 != texts[place] }
        guard let same = neighbors.map({ $0.commonPrefix(with: texts[place]).count }).max()
        else { continue }
        let head = TextWidth.truncated(texts[place], to: columns * 2 / 5)
        let start = max(head.count - 1, same - charactersBefore)
        let rest = texts[place].dropFirst(start).drop { $0 == " " }
        shown[place] =
          head + TextWidth.truncated(String(rest), to: columns - TextWidth.columns(of: head))
      }
    }
    return shown
  }

  /// The number of characters to show before the part in which texts differ.
  private static let charactersBefore = 10

  /// The width of the longest name in columns, at most `widestName`.
  private var nameWidth: Int {
    let longest = saved.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    return min(max(longest, "(recent)".count), Self.widestName)
  }

  private static let widestName = 24
}

extension SavedPane.Item {
  /// The query as one line of text.
  fileprivate var line: String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension PaneContext {
  /// Returns the first query of a saved text, or the reason why it cannot be shown.
  func plan(from text: String) -> Result<QueryPlan, Rejection> {
    guard let catalog else { return .failure(Rejection(.loading)) }
    do throws(QueryError) {
      let plan = try QueryDocument(text: text, schema: catalog.schema).plans.first
      return plan.map { .success($0) } ?? .failure(Rejection(.emptyQuery))
    } catch {
      return .failure(Rejection(Notice(error.complaint)))
    }
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
