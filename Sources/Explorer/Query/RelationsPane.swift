import InstaQL
import TerminalUI
import Triples
import Widgets

/// The tree of links that the query can include, each with its own filter, order and limit.
///
/// Each choice changes the query immediately, so the results behind the pane show its effect.
struct RelationsPane: ItemPane {
  /// A link in the tree.
  struct Node: Sendable, Equatable {
    /// The labels of the links from the query's namespace to this link, inclusive.
    let path: [String]
    let link: Link
    /// The nested query of the link; nil if the query does not include the link.
    let nested: QueryPlan?
    let isOpen: Bool

    var depth: Int { path.count - 1 }
  }

  private(set) var items: [Node] = []
  var cursor = ListCursor()
  /// The links that the user expanded, in addition to those in the query.
  private var opened: Set<[String]> = []
  private var closed: Set<[String]> = []

  var traits: PaneTraits { .relations }

  func title(in context: PaneContext) -> String { "Relations of \(context.plan?.namespace ?? "")" }

  func label(of command: Command) -> String {
    command == .open && chosen?.nested != nil ? "go to column" : traits.label(of: command)
  }

  func remark(in context: PaneContext) -> String { "\(Self.count(in: context.plan)) included" }

  func hints(in context: PaneContext) -> [Command] {
    items.isEmpty ? [.undo, .cancel] : traits.hints
  }

  private static func count(in plan: QueryPlan?) -> Int {
    plan?.relations.reduce(0) { $0 + 1 + count(in: $1.plan) } ?? 0
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    guard let chosen else { return nil }
    switch command {
    case .mark: return toggle(chosen, in: context)
    case .open:
      return chosen.nested == nil ? [.close] : [.close, .reach(column: chosen.path[0])]
    case .expand, .right: return setOpen(true, chosen, in: context)
    case .fold, .left: return setOpen(false, chosen, in: context)
    case .filterText: return ask(.filter(chosen.path), of: chosen)
    case .orderText: return ask(.order(chosen.path), of: chosen)
    case .limit: return ask(.limit(chosen.path), of: chosen)
    default: return nil
    }
  }

  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    guard let chosen else { return [] }
    // A click on the checkbox toggles the link, as does a double click anywhere on the line.
    let box = 1 + chosen.depth * 2
    return times == 2 || (box..<box + 3).contains(column) ? toggle(chosen, in: context) : []
  }

  private mutating func toggle(_ node: Node, in context: PaneContext) -> [PaneAction] {
    guard var plan = context.plan else { return [] }
    guard node.nested == nil else {
      plan[along: node.path] = nil
      return [.change(plan)]
    }
    if let reason = tooManyLevels(node) { return [.show(reason)] }
    plan[along: node.path] = QueryPlan(node.link.label)
    opened.insert(node.path)
    return [.change(plan)]
  }

  private mutating func setOpen(_ isOpen: Bool, _ node: Node, in context: PaneContext)
    -> [PaneAction]
  {
    // Collapsing a link that is already collapsed moves to its parent.
    if !isOpen, !node.isOpen, node.path.count > 1,
      let above = items.firstIndex(where: { $0.path == Array(node.path.dropLast()) })
    {
      go(to: above, in: context)
      return []
    }
    guard isOpen != node.isOpen else { return [.show(isOpen ? .alreadyExpanded : .alreadyFolded)] }
    if isOpen {
      opened.insert(node.path)
      closed.remove(node.path)
    } else {
      opened.remove(node.path)
      closed.insert(node.path)
    }
    refresh(in: context)
    return []
  }

  /// Asks for a clause of a relation. The clause also includes a link that the query does not
  /// include.
  private func ask(_ purpose: PromptPane.Purpose, of node: Node) -> [PaneAction] {
    tooManyLevels(node).map { [.show($0)] } ?? [.ask(purpose)]
  }

  /// Returns the reason why the query cannot include a link; nil if it can.
  private func tooManyLevels(_ node: Node) -> Notice? {
    node.nested == nil && node.path.count > ResultsPane.maxDepth
      ? .tooManyLevels(limit: ResultsPane.maxDepth) : nil
  }

  mutating func refresh(in context: PaneContext) {
    guard let catalog = context.catalog, let plan = context.plan else { return }
    update(keeping: \.path, in: context) {
      $0.items = []
      $0.addNodes(of: plan.namespace, path: [], plan: plan, catalog: catalog)
    }
  }

  private mutating func addNodes(
    of namespace: String, path: [String], plan: QueryPlan?, catalog: Catalog
  ) {
    for link in catalog.schema.links(of: namespace) where items.count < Self.maxNodes {
      let here = path + [link.label]
      let nested = plan?.relation(link.label)
      let hasRelations = nested.map { !$0.relations.isEmpty } ?? false
      let isOpen = opened.contains(here) || (hasRelations && !closed.contains(here))
      items.append(Node(path: here, link: link, nested: nested, isOpen: isOpen))
      if isOpen { addNodes(of: link.target, path: here, plan: nested, catalog: catalog) }
    }
  }

  private static let maxNodes = 2_000

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    drawItems(into: &frame, area: area, or: .noLinks, context) {
      draw($0, into: &$2, line: $1, isSpoken: context.settings.isScreenReader)
    }
  }

  private func draw(_ node: Node, into frame: inout Frame, line: ListLine, isSpoken: Bool) {
    let area = line.area
    var column = area.column + 1 + node.depth * 2
    func write(_ text: String, _ role: Role) {
      column += frame.write(
        text, row: area.row, column: column, width: max(0, area.endColumn - column),
        paint: Paint(role, on: line.ground))
    }
    write(node.nested == nil ? "[ ] " : "[x] ", node.nested == nil ? .dim : .key)
    write(node.isOpen ? "▾ " : "▸ ", .treeGuide)
    write(node.link.label, .link)
    let spoken = node.link.cardinality == .one ? ", link to " : ", link to many "
    write((isSpoken ? spoken : " " + node.link.sign) + node.link.target, .dim)
    guard let nested = node.nested else { return }
    var own = nested.removing(.relations)
    own.namespace = ""
    let clauses = own.text.drop { $0 == "`" || $0 == " " }
    write("  " + clauses, .keyword)
  }
}

extension PaneTraits {
  package static let relations = PaneTraits(
    title: "Relations",
    about:
      "The links of this namespace, to any depth. Each can be added to the query, with its own "
      + "filter, sort and limit."
  ) {
    $0.isAlone = true
    $0.ignored = .only(changing + toMainPanes)
    $0.hints = [.mark, .open, .expand, .fold, .filterText, .orderText, .limit, .undo, .cancel]
    $0.labels = [.mark: "include", .open: "done"]
  }
}
