import InstaQL
import TerminalUI
import Triples
import Widgets

/// A list of aggregates to add to the groups of a query, filtered by typing. It omits those that
/// the query already has.
struct AggregatesPane: PopupList {
  var field = TextField()
  private(set) var items: [TypedMatch<Aggregation>] = []
  var cursor = ListCursor()
  var fit = PopupFit()

  var traits: PaneTraits { .aggregates }

  func title(in context: PaneContext) -> String { "Add an aggregate" }
  func remark(in context: PaneContext) -> String {
    NumberText.count(items.count, "match", "matches")
  }

  func width(ofLine line: Int, in context: PaneContext) -> Int {
    TextWidth.columns(of: items[line].entry.text) + 2
  }

  mutating func narrow(in context: PaneContext) {
    list(in: context)
    go(to: 0, in: context)
  }

  mutating func refresh(in context: PaneContext) {
    update(keeping: \.entry, in: context) { $0.list(in: context) }
    didChangeLines(in: context)
    keepInView(in: context)
  }

  private mutating func list(in context: PaneContext) {
    guard let plan = context.plan, let catalog = context.catalog else {
      items = []
      return
    }
    let typed = TypedLetters(field.text)
    items = TypedLetters.ranked(catalog.aggregates(missingIn: plan)) { $0.rated(by: typed) }
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    guard command == .open else { return nil }
    guard let new = chosen?.entry, var plan = context.plan else { return [.show(.noMatch)] }
    plan.aggregates = plan.shownAggregates + [new]
    return [.close, .change(plan), .reach(column: new.name), .show(.addedAggregate(new.text))]
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let notice: Notice = context.catalog == nil ? .loading : .noMatch
    drawFiltered(into: &frame, area: area, or: notice, context) { match, line, frame in
      let text = match.entry.text
      let room = max(0, line.area.columns - 2)
      frame.write(text, .text, in: line, width: room)
      frame.mark(
        match.letters, of: text, row: line.area.row, column: line.area.column + 1, width: room)
    }
  }
}

extension QueryPlan {
  /// The aggregates in the answer to a query with groups or aggregates.
  var shownAggregates: [Aggregation] {
    let count = Aggregation(.count)
    let isCounted = isCount || aggregates.isEmpty && !groups.isEmpty
    return isCounted && !aggregates.contains(count) ? aggregates + [count] : aggregates
  }
}

extension Catalog {
  /// Returns the aggregates that can be added to a query: first the number of rows, then the
  /// aggregates of numbers, then those of other fields.
  fileprivate func aggregates(missingIn plan: QueryPlan) -> [Aggregation] {
    let shown = plan.shownAggregates
    let names = Set(plan.groups.map(\.dotted) + shown.map(\.name))
    let sources = lines(of: plan.namespace).filter { source in
      // A large database cannot aggregate links.
      source.attribute.map { !$0.isIdentity && $0.keyOf == nil } ?? !isServed
    }
    let isNumber = { (source: ColumnSource) in source.type == .number }
    let ordered = sources.filter(isNumber) + sources.filter { !isNumber($0) }
    let all = ordered.flatMap { source in
      source.aggregateFunctions.map { Aggregation($0, source.path) }
    }
    return ([Aggregation(.count)] + all).filter { new in
      !names.contains(new.name)
        && !shown.contains { $0.function == new.function && $0.path == new.path }
    }
  }
}

extension ColumnSource {
  /// The aggregate functions that make sense for the values.
  var aggregateFunctions: [Aggregation.Function] {
    guard let attribute else { return [.count, .countDistinct] }
    switch attribute.checkedType {
    case .number: return [.sum, .average, .median, .min, .max, .count, .countDistinct]
    case .date, .string, nil: return [.min, .max, .count, .countDistinct]
    case .boolean: return [.count, .countDistinct]
    }
  }
}

extension Aggregation {
  /// Returns the match of typed letters with the text or with another name of the function; nil if
  /// none matches. A space can stand for the parenthesis.
  fileprivate func rated(
    by typed: TypedLetters
  ) -> (match: TypedMatch<Aggregation>, score: Int)? {
    let shown = typed.match(text)
    let field = path.map { " " + $0.dotted } ?? ""
    let names = ([function.rawValue] + function.synonyms).map { $0 + field }
    let scores = ([shown] + names.map { typed.match($0) }).compactMap { $0?.score }
    return scores.min().map { (TypedMatch(entry: self, letters: shown?.positions ?? []), $0) }
  }
}

extension PaneTraits {
  package static let aggregates = PaneTraits(
    title: "Aggregates",
    about: "Aggregates that the groups do not show yet. Type parts of a function and a column."
  ) {
    $0.isAlone = true
    $0.takesTyping = true
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + byPages)
    $0.labels = [.open: "add"]
  }
}
