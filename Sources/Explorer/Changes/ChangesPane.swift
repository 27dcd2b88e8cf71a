import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

/// The changes of the store or of one namespace, or the differences between an answer and its
/// baseline.
struct ChangesPane: ItemPane {
  enum View: CaseIterable, Sendable {
    case everything, namespace, thenAndNow, staged
  }

  init(showing view: View = .everything) { self.view = view }

  var cursor = ListCursor()
  private(set) var view = View.everything
  private(set) var items: [ChangeEntry] = []
  /// The entries of the list, before rows with equal labels were told apart.
  private var entries: [ChangeEntry] = []
  /// Whether the cursor moves to new lines when they are added.
  private var isFollowing = true
  /// Whether the current answer could be compared with the baseline.
  private(set) var isComparable = true
  /// The width that each part of a line needs for the longest texts.
  private(set) var wanted = Wanted()
  private var compared: [LiveAnswer] = []
  /// The number of staged and queued changes. A change can have several lines.
  private var unsentCount = 0

  var traits: PaneTraits { .changes }

  func title(in context: PaneContext) -> String {
    switch view {
    case .everything: "Changes"
    case .namespace: "Changes in \(context.plan?.namespace ?? "one namespace")"
    case .thenAndNow:
      context.width < Self.wholeTitle ? "Differences" : "Differences since the baseline"
    case .staged: "Staged and queued changes"
    }
  }

  /// The minimum width in columns at which the whole title fits.
  private static let wholeTitle = 60

  func remark(in context: PaneContext) -> String {
    let log = context.log
    var parts = [NumberText.count(items.count, "change")]
    if view == .thenAndNow {
      parts = [NumberText.count(items.count, "difference")]
      if let then = context.then?.snapshot.knownTransaction { parts.append("since tx \(then)") }
      return parts.joined(separator: " · ")
    }
    if view == .staged { return NumberText.count(unsentCount, "change") }
    if log.isComparing { parts.append("comparing …") }
    if log.dropped > 0 { parts.append("\(NumberText.grouped(log.dropped)) older no longer listed") }
    if log.leftOut > 0 {
      parts.append("\(NumberText.grouped(log.leftOut)) not listed (too many at once)")
    }
    if log.missed > 0, context.catalog?.isServed != true {
      parts.append(NumberText.count(log.missed, "transaction") + " not listed")
    }
    return parts.joined(separator: " · ")
  }

  func hints(in context: PaneContext) -> [Command] {
    view == .staged
      ? [.hold, .undoTransaction, .form, .open, .cancel] : [.form, .mark, .open, .find, .cancel]
  }

  func label(of command: Command) -> String {
    switch command {
    case .form:
      switch view.next {
      case .everything: "all changes"
      case .namespace: "only this namespace"
      case .thenAndNow: "differences"
      case .staged: "staged and queued"
      }
    default: traits.label(of: command)
    }
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .form:
      showNextView(in: context)
      return []
    case .mark:
      view = .thenAndNow
      return [.setBaseline]
    case .explain: return chosen.map { [.explain($0.entity)] }
    case .open: return chosen.map { open($0, context) } ?? [.show(.noChangeSelected)]
    default: return nil
    }
  }

  /// Whether new changes appear at the end of the view.
  private var hasNewest: Bool { view == .everything || view == .namespace }

  private mutating func showNextView(in context: PaneContext) {
    view = view.next
    isFollowing = hasNewest
    refresh(in: context)
    if !hasNewest { cursor.move(to: 0, of: items.count, page: listRows(in: context)) }
  }

  private func open(_ entry: ChangeEntry, _ context: PaneContext) -> [PaneAction] {
    let isLoaded = context.catalog.map { catalog in
      catalog.store.handle(of: entry.entity).map {
        catalog.store.contains($0, in: entry.namespace)
      } ?? false
    }
    // The record loads a staged row of another namespace.
    let isElsewhere = view == .staged && context.catalog?.isServed == true
    guard isLoaded == true || isElsewhere else { return [.show(.noLongerExists(entry.name))] }
    return [.open(Overlay(EntityPane(entry.entity, in: entry.namespace, called: entry.name)))]
  }

  /// Follows new lines if the user moved the cursor to the last line; otherwise stops following.
  mutating func didMove(in context: PaneContext) {
    isFollowing = hasNewest && cursor.index >= items.count - 1
    showCursor(in: context)
  }

  mutating func go(to line: Int, in context: PaneContext) {
    cursor.move(to: line, of: items.count, page: listRows(in: context))
    didMove(in: context)
  }

  mutating func refresh(in context: PaneContext) {
    let chosen = chosen
    switch view {
    case .everything: list(context.log.entries, in: context)
    case .namespace:
      list(
        context.log.entries.filter { $0.namespace == context.plan?.namespace }, in: context)
    case .thenAndNow: compare(in: context)
    case .staged:
      let queued = Self.unconfirmed(in: context)
      list(context.staged + queued, in: context)
      let pending = context.catalog?.snapshot.pending.changes ?? []
      unsentCount = pending.reduce(queued.count) { $0 + $1.stagedParts }
    }
    wanted = Wanted(of: items)
    if isFollowing {
      cursor.move(to: items.count - 1, of: items.count, page: listRows(in: context))
    } else if let chosen, let index = place(of: chosen) {
      cursor.move(to: index, of: items.count, page: listRows(in: context))
    } else {
      keepInView(in: context)
    }
    showCursor(in: context)
  }

  /// Scrolls the list so that the cursor is visible. Long values of the change at the cursor leave
  /// fewer rows for the list.
  private mutating func showCursor(in context: PaneContext) {
    cursor.move(to: cursor.index, of: items.count, page: listRows(in: context))
  }

  /// Returns the current index of an entry that was at the cursor. It can be lower than before,
  /// because older entries are dropped.
  private func place(of entry: ChangeEntry) -> Int? {
    items.prefix(cursor.index + 1).lastIndex { other in
      // Another row with the same label can have been listed or dropped.
      var entry = entry
      entry.name = other.name
      return entry == other
    }
  }

  /// Returns an entry for each entity whose changes the server has not confirmed yet.
  private static func unconfirmed(in context: PaneContext) -> [ChangeEntry] {
    guard let catalog = context.catalog else { return [] }
    let staged = Set(context.staged.map(\.entity))
    let namespaces = catalog.pendingNamespaces
    return catalog.snapshot.pending.entities.subtracting(staged).sorted().map { id in
      let handle = catalog.store.handle(of: id)
      let entityNamespace =
        handle.flatMap { handle in
          catalog.schema.namespaces.first { catalog.store.contains(handle, in: $0) }
        } ?? namespaces[id]
      let name = handle.flatMap { handle in
        entityNamespace.map { catalog.label(of: handle, in: $0) }
      }
      return ChangeEntry(
        transaction: nil, kind: .updated, entity: id, namespace: entityNamespace ?? "",
        name: name ?? id.text,
        label: "", old: nil, new: CellText(text: "not confirmed yet", role: .pending))
    }
  }

  /// Compares the baseline with the current answer again if one of them changed.
  private mutating func compare(in context: PaneContext) {
    let answers = [context.then, context.now].compactMap { $0 }
    if answers == compared, !answers.isEmpty { return }
    compared = answers
    // Staged changes are left out, because they have their own view.
    let entries =
      answers.count == 2
      ? AnswerDiff.entries(from: answers[0].withoutOverlay, to: answers[1].withoutOverlay) : nil
    isComparable = entries != nil
    list(entries ?? [], in: context)
  }

  /// Lists entries. Rows with equal labels are told apart.
  private mutating func list(_ entries: [ChangeEntry], in context: PaneContext) {
    if entries == self.entries { return }
    self.entries = entries
    items = context.catalog?.tellingApart(entries) ?? entries
  }
}

extension Catalog {
  /// Returns the entries, with more than the label where several rows have the same label.
  fileprivate func tellingApart(_ entries: [ChangeEntry]) -> [ChangeEntry] {
    struct Name: Hashable {
      let namespace: String
      let label: String
    }
    var rows: [Name: Set<EntityID>] = [:]
    for entry in entries {
      rows[Name(namespace: entry.namespace, label: entry.name), default: []].insert(entry.entity)
    }
    var marks: [Name: [EntityID: String]] = [:]
    for (name, entities) in rows where entities.count > 1 {
      let entities = entities.sorted()
      marks[name] = Dictionary(
        uniqueKeysWithValues: zip(entities, distinctions(of: entities, in: name.namespace)))
    }
    if marks.isEmpty { return entries }
    return entries.map { entry in
      var entry = entry
      let mark = marks[Name(namespace: entry.namespace, label: entry.name)]?[entry.entity]
      entry.name = Self.label(entry.name, mark ?? "")
      return entry
    }
  }

  /// The namespace of each entity that the program's own pending changes affect.
  fileprivate var pendingNamespaces: [EntityID: String] {
    var namespaces: [EntityID: String] = [:]
    for step in snapshot.pending.changes.flatMap(\.transaction.steps) {
      guard case .id(let entity)? = step.entity else { continue }
      switch step {
      case .addTriple(_, let attribute, _, _), .deepMergeTriple(_, let attribute, _, _),
        .retractTriple(_, let attribute, _):
        namespaces[entity] = schema.attribute(attribute)?.namespace
      case .deleteEntity(_, let namespace): namespaces[entity] = namespace
      default: break
      }
    }
    return namespaces
  }
}

extension PaneTraits {
  package static let changes = PaneTraits(
    title: "Changes",
    about:
      "Changes since the store was opened, oldest first, as old → new. Other views show the changes "
      + "of one namespace, differences from a baseline, and staged or queued changes."
  ) {
    $0.command = .changes
    $0.isAlone = true
    $0.ignored = .only(sideways + unfolding + changing)
    $0.place = .results
    $0.labels = [.mark: "set a new baseline", .hold: "send"]
  }
}
