import InstaQL
package import Notebooks
import Triples

/// What was remembered from an earlier run.
package struct Recollection: Sendable, Equatable {
  let view: LastView
  let splits: [String: Int]
  /// Changes of the store that were kept back; nil where none ever are.
  let unsent: KeptChanges?

  package init(
    view: LastView = LastView(), splits: [String: Int] = [:], unsent: KeptChanges? = nil
  ) {
    self.view = view
    self.splits = splits
    self.unsent = unsent
  }
}

// Coming back to where one was: the tabs, each with its query, its trail and its cursor.
extension Model {
  /// Takes in what was remembered; what comes after the first time is not waited for any more.
  mutating func take(_ recollection: Recollection) -> [Effect] {
    take(recollection.unsent)
    guard beginning.isAwaited else {
      if catalog != nil { remindOfUnsent() }
      return []
    }
    beginning.receive(recollection.view)
    sizes.splits = Splits(kept: recollection.splits)
    return catalog.map { begin(in: $0) } ?? []
  }

  /// Shows what was shown the last time; nil where there is nothing to come back to.
  mutating func restore(in catalog: Catalog) -> [Effect]? {
    guard let view = beginning.takeView() else { return nil }
    let views = view.tabs ?? view.query.map { [TabView(query: $0, cursor: view.cursor)] } ?? []
    var all = views.prefix(Self.mostTabs).map { Self.tab($0, in: catalog) }
    for place in all.indices { all[place]?.id = tabs.nextTabID() }
    // A query that the schema of today does not know is left out, and another tab shown instead.
    let wanted = view.shown.flatMap { all.indices.contains($0) ? $0 : nil } ?? 0
    let shown =
      all.indices.contains(wanted) && all[wanted] == nil
      ? all.firstIndex { $0 != nil } ?? wanted : wanted
    guard all.indices.contains(shown), let first = all[shown], let composer = first.composer else {
      if !views.isEmpty { notice = .sessionLost }
      return nil
    }
    tabs.before = all[..<shown].compactMap { $0 }
    all.removeFirst(shown + 1)
    tabs.after = all.compactMap { $0 }
    tab.trail = first.trail
    tab.results = first.results
    marks = Marks(kept: view.marks ?? [:])
    spelling = view.spelling.flatMap { QuerySpelling(rawValue: $0) } ?? spelling
    let isPlain = composer.plan == QueryPlan(composer.plan.namespace)
    if !isPlain || !tab.trail.behind.isEmpty {
      tab.focus = .results
      notice = .sessionRestored
    }
    return show(composer, place: first.results.place)
  }

  private static func tab(_ view: TabView, in catalog: Catalog) -> Tab? {
    guard let plan = plan(view, in: catalog) else { return nil }
    var results = ResultsPane()
    results.restore(place(view, of: plan, in: catalog), page: 1)
    results.show(as: view.form.flatMap { AnswerForm(rawValue: $0) } ?? .table)
    let composer = Composer(
      plan, past: plans(view.past, in: catalog), undone: plans(view.undone, in: catalog))
    return Tab(
      focus: .results, composer: composer, schema: SchemaPane(), results: results,
      trail: Trail(
        behind: view.trail.compactMap { stop in
          Self.plan(stop, in: catalog).map {
            Trail.Stop(composer: Composer($0), place: place(stop, of: $0, in: catalog))
          }
        }))
  }

  private static func plans(_ texts: [String]?, in catalog: Catalog) -> [QueryPlan] {
    (texts ?? []).compactMap { plan(TabView(query: $0), in: catalog) }
  }

  private static func plan(_ view: TabView, in catalog: Catalog) -> QueryPlan? {
    let document = try? QueryDocument(text: view.query, schema: catalog.schema)
    return document?.plans.first
  }

  private static func place(
    _ view: TabView, of plan: QueryPlan, in catalog: Catalog
  ) -> ResultsPane.Place {
    var opened: [EntityTrail: Link] = [:]
    // What lies beneath comes after what it lies beneath.
    let remembered = (view.opened ?? [:]).map {
      (trail: EntityTrail(kept: $0.key), label: $0.value)
    }
    for (trail, label) in remembered.sorted(by: { $0.trail.count < $1.trail.count }) {
      let outer = trail.count == 1 ? plan.namespace : opened[trail.dropLast()]?.target
      guard let outer else { continue }
      opened[trail] = catalog.schema.link(outer, label)
    }
    return ResultsPane.Place(
      trail: view.cursor.map { EntityTrail(kept: $0) } ?? [], column: max(0, view.column),
      opened: opened)
  }

  // MARK: Remembering

  /// What is to be remembered before these effects are carried out.
  mutating func keepView(before effects: [Effect]) -> [Effect] {
    let ends = effects.contains {
      if case .quit = $0 { true } else { false }
    }
    guard isViewNew || ends, let composer = tab.composer else { return [] }
    isViewNew = false
    let shown = Self.view(of: composer, tab.results, trail: tab.trail)
    let before = tabs.before.compactMap(Self.view)
    return [
      .save(
        .view(
          LastView(
            query: shown.query, cursor: shown.cursor,
            tabs: before + [shown] + tabs.after.compactMap(Self.view), shown: before.count,
            marks: marks.kept(most: Self.mostMarks),
            spelling: spelling == .parts ? nil : spelling.rawValue)))
    ]
  }

  private static func view(of tab: Tab) -> TabView? {
    tab.composer.map { view(of: $0, tab.results, trail: tab.trail) }
  }

  private static func view(
    of composer: Composer, _ results: ResultsPane, trail: Trail
  ) -> TabView {
    var view = view(of: composer.plan, results.place)
    view.trail = trail.behind.suffix(longestTrail).map { Self.view(of: $0.composer.plan, $0.place) }
    if results.form != .table { view.form = results.form.rawValue }
    view.past = texts(of: composer.past)
    view.undone = texts(of: composer.undone)
    return view
  }

  private static func view(of plan: QueryPlan, _ place: ResultsPane.Place) -> TabView {
    var opened: [String: String] = [:]
    if place.opened.count <= mostOpened {
      for (trail, link) in place.opened { opened[trail.kept] = link.label }
    }
    return TabView(
      query: QueryDocument(plan).text, cursor: place.trail.isEmpty ? nil : place.trail.kept,
      column: place.column,
      opened: opened.isEmpty ? nil : opened)
  }

  /// The newest of them, as text; those too long to be kept are left out.
  private static func texts(of plans: [QueryPlan]) -> [String]? {
    let texts = plans.suffix(longestPast).map { QueryDocument($0).text }
      .filter { $0.utf8.count <= longestQuery }
    return texts.isEmpty ? nil : texts
  }

  /// Views of a trail that are remembered.
  private static let longestTrail = 50
  /// Queries that are remembered for undoing, and as many for redoing: they are read at every start.
  private static let longestPast = 20
  /// In bytes.
  private static let longestQuery = 4_096
  private static let mostOpened = 200
  private static let mostMarks = 2_000
}

extension EntityTrail {
  /// The ids in one text, as it is remembered: tabs between them, and `\\t` and `\\\\` for a tab and a
  /// backslash in one.
  fileprivate var kept: String {
    map { id in
      id.text.unicodeScalars.map { scalar in
        scalar == "\\" ? "\\\\" : scalar == "\t" ? "\\t" : String(scalar)
      }.joined()
    }.joined(separator: "\t")
  }

  fileprivate init(kept: String) {
    var ids = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in kept.unicodeScalars {
      switch (isEscaped, scalar) {
      case (false, "\\"): isEscaped = true
      case (false, "\t"): ids.append(String.UnicodeScalarView())
      case (true, "t"):
        ids[ids.count - 1].append("\t")
        isEscaped = false
      default:
        ids[ids.count - 1].append(scalar)
        isEscaped = false
      }
    }
    self.init(ids.map { EntityID(String($0)) })
  }
}
