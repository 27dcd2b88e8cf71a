import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

/// The live queries of this process, with their subscribers, freshness and evaluation times.
struct SubscriptionsPane: ItemPane {
  private(set) var items: [WatchedLine] = []
  private var isLoading = true
  /// The number of queries that this screen runs for itself. The list omits them.
  private var own = 0
  var cursor = ListCursor()

  var traits: PaneTraits { .subscriptions }
  var needs: PaneNeeds { PaneNeeds(liveQueries: true) }

  func remark(in context: PaneContext) -> String {
    if isLoading { return "" }
    let readers = items.reduce(0) { $0 + $1.query.subscribers }
    return [
      NumberText.count(items.count, "query", "queries"), NumberText.count(readers, "subscriber"),
      own == 0 ? nil : NumberText.count(own, "internal query", "internal queries"),
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// Updates the list. The cursor stays on its query.
  ///
  /// - Parameter own: The number of queries that this screen runs for itself, such as counts. They are
  ///   not listed.
  mutating func showSubscriptions(
    _ new: [WatchedLine], besides own: Int, in context: PaneContext
  ) {
    update(keeping: \.query.document, in: context) {
      ($0.items, $0.own, $0.isLoading) = (new, own, false)
    }
  }

  func rowsAbove(in context: PaneContext) -> Int { 1 }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: return open()
    case .copy:
      return chosen.map { [.effect(.copy($0.query.document.text))] } ?? [.show(.noLiveQueries)]
    default: return nil
    }
  }

  private func open() -> [PaneAction] {
    guard let document = chosen?.query.document else { return [.show(.noLiveQueries)] }
    guard let plan = document.plans.first, document.plans.count == 1 else {
      return [.show(.severalQueries)]
    }
    return [.close, .drillDown(plan)]
  }

  // MARK: Drawing

  /// The number of rows for details at the bottom, including the line above them.
  private static let detailRows = 7
  private static let gap = 2
  /// The minimum width of the query text. Columns that would leave less space are omitted.
  private static let minQueryWidth = 24

  func rowsBelow(in context: PaneContext) -> Int {
    context.page > Self.detailRows * 2 ? Self.detailRows : 0
  }

  /// A column to the right of the query.
  private struct Field {
    let title: String
    /// The width of the column, in terminal columns.
    let width: Int
    var alignment = Alignment.trailing
    let cell: @Sendable (WatchedLine) -> (text: String, role: Role)
  }

  /// The columns to the right of the query, the most important ones first.
  private static let fields = [
    Field(title: "state", width: 10, alignment: .leading) {
      ($0.query.standing.text, $0.query.standing.role)
    },
    Field(title: "rows", width: 9) {
      ($0.query.hasRows ? NumberText.grouped($0.query.rows) : "", .number)
    },
    Field(title: "answered", width: 8) { ($0.answeredAt, .date) },
    Field(title: "subscribers", width: 11) {
      (NumberText.grouped($0.query.subscribers), .number)
    },
    Field(title: "changed", width: 8) {
      ($0.query.deliveredTransaction.map { "tx \($0)" } ?? "", .number)
    },
    Field(title: "took", width: 8) {
      ($0.answeredAt.isEmpty ? "" : NumberText.elapsed($0.query.work.elapsed), .number)
    },
  ]

  /// Returns the columns that fit, from left to right.
  private func fields(in width: Int) -> [Field] {
    var room = width - Self.minQueryWidth - 2
    let fitting = Self.fields.prefix { field in
      room -= field.width + Self.gap
      return room >= 0
    }
    return Array(fitting)
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    if isLoading {
      frame.writeNotice(.loadingLiveQueries, context.keys, in: area)
      return
    }
    let fields = fields(in: area.columns)
    let queryWidth =
      area.columns - 2 - fields.reduce(0) { $0 + $1.width + Self.gap }
    let (list, detail) = area.split(rows: 1 + listRows(in: context))
    func write(
      _ query: String, _ role: Role, in line: ListLine, into frame: inout Frame,
      _ cell: (Field) -> (text: String, role: Role)
    ) {
      frame.write(query, role, in: line, width: queryWidth)
      var column = 1 + queryWidth
      for field in fields {
        let (text, role) = cell(field)
        column += Self.gap
        frame.write(
          text, role, in: line, at: column, width: field.width, alignment: field.alignment)
        column += field.width
      }
    }
    let titles = list.line(0, ground: .header)
    frame.fill(titles.area, Paint(.header, on: .header))
    write("query", .header, in: titles, into: &frame) { ($0.title, .header) }
    drawItems(into: &frame, area: list.inset(top: 1), context) { watched, line, frame in
      write(watched.query.document.text, .text, in: line, into: &frame) { $0.cell(watched) }
    }
    if detail.rows >= Self.detailRows, let chosen { draw(chosen, into: &frame, area: detail) }
  }

  /// Draws the details of a query: its text on two lines, then its state in words.
  private func draw(_ line: WatchedLine, into frame: inout Frame, area: Rect) {
    frame.fill(area.split(rows: 1).top, Paint(.border), with: "─")
    let query = line.query
    let width = max(1, area.columns - 2)
    func write(_ row: Int, _ text: String, _ role: Role) {
      frame.write(text, role, in: area.line(row))
    }
    for (row, text) in TextLines.wrapped(query.document.text, width: width - 2, limit: 2)
      .enumerated()
    {
      write(1 + row, text, .text)
    }
    write(3, query.standing.sentence, query.standing.role)
    let numbers =
      NumberText.count(query.subscribers, "subscriber")
      + (query.hasRows ? ", " + NumberText.count(query.rows, "row") : "")
    let transaction = query.deliveredTransaction
    write(
      4,
      PromptPane.fitting(
        [
          transaction.map { numbers + ", last changed by transaction \($0)" },
          transaction.map { numbers + ", changed by tx \($0)" },
        ].compactMap { $0 } + [numbers], width), .dim)
    write(
      5,
      NumberText.count(query.work.evaluations, "full evaluation")
        + (query.work.updates == 0
          ? "" : ", " + NumberText.count(query.work.updates, "incremental update")),
      .dim)
    write(
      6,
      line.answeredAt.isEmpty
        ? "" : "last answered at \(line.answeredAt) in \(NumberText.elapsed(query.work.elapsed))",
      .dim)
  }
}

extension WatchedQuery {
  /// Whether the query has an answer with rows, rather than a count.
  fileprivate var hasRows: Bool {
    switch state {
    case .loading, .failed: false
    case .loaded: !document.plans.allSatisfy(\.isCount)
    }
  }

  /// The freshness of the answer, as a word, as a sentence and as a color role.
  fileprivate var standing: (text: String, sentence: String, role: Role) {
    switch state {
    case .loading: return ("loading", "No answer yet", .dim)
    case .failed(let failure):
      return (
        "failed", [failure.message, failure.advice].compactMap { $0 }.joined(separator: " "), .error
      )
    case .loaded: break
    }
    switch freshness {
    case .live?: return ("live", "Up to date", .live)
    case .loading?: return ("loading", "Only the first rows are loaded", .dim)
    case .stale(let reason)?: return ("stale", reason, .stale)
    case .archived?: return ("cached", "From cache", .offline)
    case .optimistic?: return ("pending", "With unconfirmed changes", .pending)
    case .connecting?: return ("connecting", "Connecting", .dim)
    case .offline(_, _, let reason)?: return ("offline", reason, .offline)
    case nil: return ("loading", "No answer yet", .dim)
    }
  }
}

extension PaneTraits {
  package static let subscriptions = PaneTraits(
    title: "Live queries",
    about:
      "Live queries in this process: how many subscribers each has, how fresh its result is, and "
      + "when and how fast it was last evaluated."
  ) {
    $0.command = .subscriptions
    $0.isAlone = true
    $0.ignored = .only(sideways + unfolding + changing)
    $0.place = .results
    $0.hints = [.open, .copy, .cancel]
    $0.labels = [.open: "show rows"]
  }
}
