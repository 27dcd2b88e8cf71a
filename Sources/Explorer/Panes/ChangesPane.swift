import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// What came, went and became something else: every change as it arrived, those of one namespace, or the
/// answer as it was held against the answer as it is.
struct ChangesPane: Pane {
  enum View: CaseIterable, Sendable {
    case everything, namespace, thenAndNow, unsent

    var next: View {
      switch self {
      case .everything: .namespace
      case .namespace: .thenAndNow
      case .thenAndNow: .unsent
      case .unsent: .everything
      }
    }
  }

  init(showing view: View = .everything) { self.view = view }

  var cursor = ListCursor()
  private(set) var view = View.everything
  private(set) var lines: [ChangeLog.Entry] = []
  /// Of which view the lines are.
  private var listed: View?
  /// Whether the newest line stays in sight as more come.
  private var isFollowing = true
  /// Whether the two answers can be held against each other.
  private(set) var isComparable = true
  /// What the widest of the lines want.
  private(set) var wanted = Wanted()
  /// The answers that were compared last.
  private var compared: [LiveAnswer] = []

  var focus: Focus { .changes }
  var place: PanePlace { .results }

  func title(in context: PaneContext) -> String {
    switch view {
    case .everything: "Changes"
    case .namespace: "Changes of \(context.plan?.namespace ?? "nothing")"
    case .thenAndNow:
      context.width < Self.wholeTitle ? "Then and now" : "Changes of this answer, then and now"
    case .unsent: "Changes of yours that wait"
    }
  }

  /// In columns: on narrower screens a part of it would be cut off.
  private static let wholeTitle = 60

  func remark(in context: PaneContext) -> String {
    let log = context.log
    var parts = [NumberText.grouped(lines.count)]
    if view == .thenAndNow {
      if let then = context.then?.snapshot.knownTransaction { parts.append("since tx \(then)") }
      return parts.joined(separator: " · ")
    }
    if view == .unsent { return parts.joined() }
    if log.isComparing { parts.append("looking for what changed …") }
    if log.dropped > 0 { parts.append("\(NumberText.grouped(log.dropped)) older ones dropped") }
    if log.leftOut > 0 {
      parts.append("\(NumberText.grouped(log.leftOut)) of too many at once left out")
    }
    if log.missed > 0, context.catalog?.snapshot.served == nil {
      parts.append(log.missed == 1 ? "1 transaction unknown" : "\(log.missed) transactions unknown")
    }
    return parts.joined(separator: " · ")
  }

  func hints(in context: PaneContext) -> [Intent] {
    view == .unsent
      ? [.hold, .undoTransaction, .form, .open, .cancel] : [.form, .mark, .open, .find, .cancel]
  }

  func label(of intent: Intent) -> String {
    switch intent {
    case .form:
      switch view.next {
      case .everything: "all changes"
      case .namespace: "of this namespace"
      case .thenAndNow: "then and now"
      case .unsent: "what waits"
      }
    case .hold: "send"
    case .mark: "from now on"
    default: intent.label
    }
  }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if let moved = cursor.handle(intent, count: lines.count, page: context.page) {
      noteFollowing()
      return moved.wishes
    }
    switch intent {
    case .form:
      turn(in: context)
      return []
    case .mark:
      view = .thenAndNow
      return [.beginComparison]
    case .explain where lines.indices.contains(cursor.index):
      return [.explain(lines[cursor.index].entity)]
    case .open:
      return lines.indices.contains(cursor.index)
        ? open(lines[cursor.index], context)
        : [.say(.noChangeSelected)]
    default: return nil
    }
  }

  /// Whether lines come at the end.
  private var hasNewest: Bool { view == .everything || view == .namespace }

  private mutating func turn(in context: PaneContext) {
    view = view.next
    isFollowing = hasNewest
    refresh(in: context)
    if !hasNewest { cursor.move(to: 0, of: lines.count, page: context.page) }
  }

  private func open(_ entry: ChangeLog.Entry, _ context: PaneContext) -> [Wish] {
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entry.entity),
      catalog.store.contains(handle, in: entry.namespace)
    else {
      return [.say(.noLongerExists(entry.name))]
    }
    return [.open(Overlay(EntityPane(entry.entity, in: entry.namespace)))]
  }

  /// The newest line stays in sight while the cursor is on it; what is compared has no newest one.
  private mutating func noteFollowing() {
    isFollowing = hasNewest && cursor.index >= lines.count - 1
  }

  mutating func go(to line: Int, in context: PaneContext) {
    cursor.move(to: line, of: lines.count, page: context.page)
    noteFollowing()
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    guard cursor.top + line < lines.count else { return [] }
    cursor.move(to: cursor.top + line, of: lines.count, page: context.page)
    noteFollowing()
    return times == 2 ? handle(.open, in: context) ?? [] : []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: self.lines.count, page: context.page)
    noteFollowing()
  }

  mutating func refresh(in context: PaneContext) {
    let chosen = lines.indices.contains(cursor.index) ? lines[cursor.index] : nil
    let isSameView = view == listed
    listed = view
    switch view {
    case .everything: lines = context.log.entries
    case .namespace:
      lines = context.log.entries.filter { $0.namespace == context.plan?.namespace }
    case .thenAndNow: compare(in: context)
    case .unsent: lines = context.unsent + Self.unconfirmed(in: context)
    }
    wanted = Wanted(of: lines)
    if isFollowing {
      cursor.move(to: lines.count - 1, of: lines.count, page: context.page)
    } else if isSameView, let chosen, let index = place(of: chosen) {
      cursor.move(to: index, of: lines.count, page: context.page)
    } else {
      cursor.scroll(by: 0, of: lines.count, page: context.page)
    }
  }

  /// Where the line that the cursor was on is now: older ones may have been dropped, and all others
  /// have moved up.
  private func place(of entry: ChangeLog.Entry) -> Int? {
    lines.prefix(cursor.index + 1).lastIndex(of: entry)
  }

  /// What was sent and waits for the server's word: whom it is about.
  private static func unconfirmed(in context: PaneContext) -> [ChangeLog.Entry] {
    guard let catalog = context.catalog else { return [] }
    let keptBack = Set(context.unsent.map(\.entity))
    return catalog.snapshot.pending.entities.subtracting(keptBack).sorted().map { id in
      let handle = catalog.store.handle(of: id)
      let home = handle.flatMap { handle in
        catalog.schema.namespaces.first { catalog.store.contains(handle, in: $0) }
      }
      let name = handle.flatMap { handle in home.map { catalog.label(of: handle, in: $0) } }
      return ChangeLog.Entry(
        transaction: nil, kind: .updated, entity: id, namespace: home ?? "", name: name ?? id.text,
        label: "", old: nil, new: CellText(text: "waits for the server's word", role: .pending))
    }
  }

  /// Holds the answers against each other anew when one of them is another one.
  private mutating func compare(in context: PaneContext) {
    let answers = [context.then, context.now].compactMap { $0 }
    if answers == compared, !answers.isEmpty { return }
    compared = answers
    let entries =
      answers.count == 2 ? Comparison.entries(from: answers[0], to: answers[1]) : nil
    isComparable = entries != nil
    lines = entries ?? []
  }
}
