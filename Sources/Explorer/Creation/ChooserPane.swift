import InstaQL
import TerminalUI
import Triples
import Widgets

/// A list of entities to choose from, filtered by typing. The list contains the possible targets of
/// a link, or the entities of a namespace.
struct ChooserPane: PopupList {
  enum Purpose: Sendable, Equatable {
    /// The user chooses a target to which the entities are linked.
    case link(Link, [EntityID])
    /// The user chooses a link target for the form of a new entity.
    case filling(Link)
    /// The user chooses an entity of the namespace to explain.
    case why(String)
  }

  let purpose: Purpose
  var field = TextField()
  private(set) var items: [EntityID] = []
  /// The labels of the listed entities.
  private var names: [EntityID: String] = [:]
  private var total = 0
  var cursor = ListCursor()
  var fit = PopupFit()
  /// The text that the listed entities match; nil before the first search.
  private var lookedFor: String?
  private var failure: String?

  init(_ link: Link, of entities: [EntityID]) { purpose = .link(link, entities) }

  /// Opens the list of targets for a link in the form of a new entity.
  ///
  /// - Parameter typed: A letter that the user already typed.
  init(filling link: Link, typed: Character? = nil) {
    purpose = .filling(link)
    if let typed, typed != " " { field = TextField(String(typed)) }
  }

  init(whyIn namespace: String) { purpose = .why(namespace) }

  private var namespace: String {
    switch purpose {
    case .link(let link, _), .filling(let link): link.target
    case .why(let namespace): namespace
    }
  }

  var traits: PaneTraits { .chooser }
  var isSearch: Bool { true }

  func title(in context: PaneContext) -> String {
    switch purpose {
    case .link(let link, let entities) where entities.count > 1:
      "“\(link.label)” of \(NumberText.grouped(entities.count)) rows"
    case .link(let link, _), .filling(let link): "Target of “\(link.label)”"
    case .why: "Explain which row?"
    }
  }

  func label(of command: Command) -> String {
    if command == .open, case .why = purpose { return "explain" }
    return traits.label(of: command)
  }

  func remark(in context: PaneContext) -> String {
    if awaitsMatches { return "searching" }
    return NumberText.count(total, "match", "matches") + " in \(namespace)"
  }

  func width(ofLine line: Int, in context: PaneContext) -> Int {
    names[items[line]].map { TextWidth.columns(of: $0) + 2 } ?? 0
  }

  /// Starts a new search if the text changed. The earlier matches stay visible until the search is
  /// finished.
  mutating func narrow(in context: PaneContext) {
    if awaitsMatches { go(to: 0, in: context) }
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    command == .open ? choose(in: context) : nil
  }

  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    times == 2 && !awaitsMatches ? choose(in: context) : []
  }

  var awaitsMatches: Bool { lookedFor != field.text }

  private func choose(in context: PaneContext) -> [PaneAction] {
    if context.catalog == nil { return [.show(.loading)] }
    guard let target = chosen else {
      return typedID.map { [.close, .explain($0)] }
        ?? [.show(failure.map { Notice($0) } ?? .noMatch)]
    }
    let name = names[target] ?? target.text
    switch purpose {
    case .why: return [.close, .explain(target)]
    case .filling:
      return [.close, .fill(EntityDraft.Linked(entity: target, name: name))]
    case .link(let link, let entities):
      // The undo needs data from this pane's query, so the change is sent before the pane closes.
      return [
        .send(
          entities.map { link.step(from: $0, to: target, adding: true) },
          ChangeSummary.linked(link.label, to: name, rows: entities.count)),
        .close,
      ]
    }
  }

  mutating func refresh(in context: PaneContext) {
    failure = context.failure
    // The cursor stays on its entity as long as the entity matches.
    let chosen = awaitsMatches ? nil : chosen
    if let answer = context.found {
      items = sortedByMatch(answer.rows.map { answer.store.id(of: $0) }, in: context.catalog)
      (total, lookedFor) = (answer.total, field.text)
      if let index = chosen.flatMap({ items.firstIndex(of: $0) }) {
        go(to: index, in: context)
      }
    } else if failure != nil {
      (items, total, lookedFor) = ([], 0, field.text)
    }
    nameItems(in: context.catalog)
    didChangeLines(in: context)
    keepInView(in: context)
  }

  private mutating func nameItems(in catalog: Catalog?) {
    names = [:]
    guard let catalog else { return }
    let known = items.compactMap { item in catalog.store.handle(of: item).map { (item, $0) } }
    for ((item, _), name) in zip(known, catalog.labels(of: known.map(\.1), in: namespace)) {
      names[item] = name
    }
  }

  /// Returns the entities in an order by the place of the typed text in their labels: at the
  /// beginning, at the beginning of a word, anywhere else.
  private func sortedByMatch(_ found: [EntityID], in catalog: Catalog?) -> [EntityID] {
    let typed = field.text.lowercased()
    guard let catalog, !typed.isEmpty else { return found }
    let ranked = found.map { entity in
      (entity: entity, rank: rank(of: entity, matching: typed, in: catalog))
    }
    return (0...Self.lastRank).flatMap { rank in
      ranked.filter { $0.rank == rank }.map(\.entity)
    }
  }

  private func rank(of entity: EntityID, matching typed: String, in catalog: Catalog) -> Int {
    guard let handle = catalog.store.handle(of: entity) else { return Self.lastRank }
    // The label can begin with a key, which can also be typed.
    let names = [
      catalog.name(of: handle, in: namespace), catalog.label(of: handle, in: namespace),
    ].compactMap { $0?.lowercased() }
    if names.contains(where: { $0.hasPrefix(typed) }) { return 0 }
    let beginsWord = names.contains { name in
      name.ranges(of: typed).contains { match in
        guard let before = name[..<match.lowerBound].last else { return true }
        return !before.isLetter && !before.isNumber
      }
    }
    return beginsWord ? 1 : Self.lastRank
  }

  private static let lastRank = 2

  func query(in catalog: Catalog) -> QueryPlan? {
    var plan = QueryPlan(namespace).limit(Self.maxShown)
    if let link = linkBack(in: catalog) { plan = plan.with(link.label) { $0.fields(["id"]) } }
    return field.text.isEmpty ? plan : plan.filter(narrowing(in: catalog))
  }

  /// Returns the link that starts at a listed entity and is set when the user chooses this entity.
  ///
  /// The pane's query includes this link, because undo needs its previous target. Nil if the choice
  /// sets a link of the edited entity, or if the store contains all data.
  private func linkBack(in catalog: Catalog) -> Link? {
    guard case .link(let link, _) = purpose, link.direction == .reverse,
      let served = catalog.snapshot.served, !served.canGiveAll
    else { return nil }
    return catalog.schema.links(of: namespace).first {
      $0.attribute.id == link.attribute.id && $0.direction == .forward
    }
  }

  /// Returns the condition for the typed text.
  ///
  /// It matches entities whose label or key contains the text, whose numeric key is the text, or
  /// whose id begins with the text.
  private func narrowing(in catalog: Catalog) -> ConditionNode {
    let unique = catalog.schema.attributes(of: namespace).filter {
      $0.isUnique && !$0.isIdentity && $0.valueType == .blob
    }
    var labels = unique.filter { ($0.checkedType ?? .string) == .string }.map(\.label)
    if let label = catalog.schema.labelAttribute(of: namespace)?.label, !labels.contains(label) {
      labels.insert(label, at: 0)
    }
    let pattern = "%" + WhereOperator.escapingWildcards(field.text) + "%"
    var parts = labels.map { ConditionNode.compare(AttributePath([$0]), .ilike, .text(pattern)) }
    if let number = Int64(typedLetters) {
      parts += unique.filter { $0.checkedType == .number }
        .map { .compare(AttributePath([$0.label]), .equal, .integer(number)) }
    }
    // The ids of most rows are synthetic, so short texts do not mean them, and many databases
    // cannot search for them.
    if parts.isEmpty || !catalog.areRows(namespace) || beginsID {
      parts.append(.idStartsWith([], typedLetters))
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// Whether the typed text is a long beginning of an id.
  private var beginsID: Bool {
    typedLetters.count >= 8 && typedLetters.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The typed text if it is a complete id; otherwise nil. The entity can belong to any namespace.
  private var typedID: EntityID? {
    let typed = typedLetters
    guard case .why = purpose, typed.count == 36,
      typed.allSatisfy({ $0.isHexDigit || $0 == "-" })
    else { return nil }
    return EntityID(typed)
  }

  /// The typed text in lowercase and without whitespace, as the beginning of an id.
  private var typedLetters: String { field.text.filter { !$0.isWhitespace }.lowercased() }

  /// The notice that explains why the list is empty; nil if there is nothing to explain.
  private var whyNothing: Notice? {
    if let failure { return Notice(failure) }
    guard items.isEmpty, !field.text.isEmpty, !awaitsMatches else { return nil }
    return typedID == nil ? .noneOf(namespace) : .notOf(namespace)
  }

  private static let maxShown = 200

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    guard context.catalog != nil else { return }
    drawFiltered(into: &frame, area: area, or: whyNothing, context) { entity, line, frame in
      if let name = names[entity] { frame.write(name, .link, in: line) }
    }
  }
}

extension PaneTraits {
  package static let chooser = PaneTraits(
    title: "Row chooser",
    about: "Rows that this link can point to. Type part of a name."
  ) {
    $0.takesTyping = true
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + byPages)
    $0.labels = [.open: "link"]
  }
}
