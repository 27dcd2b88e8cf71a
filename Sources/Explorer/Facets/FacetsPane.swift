import InstaQL
import TerminalUI
import Triples
import Widgets

/// The most frequent values of a column as bars, or a histogram of numbers or dates.
struct FacetsPane: ItemPane {
  let label: String
  private(set) var facets: Facets?
  /// The query whose rows were counted; nil before the first count.
  private(set) var counted: QueryPlan?
  var cursor = ListCursor()
  /// The conditions of the selected bars, in the order in which the user selected them.
  private(set) var marked: [ConditionNode] = []

  init(_ label: String) { self.label = label }

  var traits: PaneTraits { .facets }

  func title(in context: PaneContext) -> String { "Values of \(label)" }

  func remark(in context: PaneContext) -> String {
    guard let facets else { return "counting" }
    guard isOfThis(context) else { return "of the previous query" }
    let all =
      "\(NumberText.grouped(facets.distinct)) distinct · \(NumberText.count(facets.rows, "row"))"
    if !marked.isEmpty { return "\(marked.count) selected · \(all)" }
    return facets.hasQuantiles ? "quantiles · \(all)" : all
  }

  /// Shows the counts of values. The cursor stays on its value.
  mutating func show(_ facets: Facets, of plan: QueryPlan, in context: PaneContext) {
    // Counts of another column, or of a query that is no longer current, are ignored.
    guard facets.label == label, plan == context.table?.answer.plan else { return }
    // Values of different types can have the same text, but not the same condition.
    update(keeping: { $0.condition?.text ?? $0.text }, in: context) {
      ($0.facets, $0.counted) = (facets, plan)
      $0.marked.removeAll { condition in !facets.bars.contains { $0.condition == condition } }
    }
  }

  /// Returns whether the counts were made for the current query.
  private func isOfThis(_ context: PaneContext) -> Bool { counted == context.plan }

  var items: [Facets.Bar] { facets?.bars ?? [] }

  /// Returns the number of rows above the values: those of the time series, and one for a sentence.
  func rowsAbove(in context: PaneContext) -> Int {
    seriesRows(in: context) + (facets?.areDistinct == true ? 1 : 0)
  }

  /// Returns the number of rows for the time series; 0 if the pane is too low.
  private func seriesRows(in context: PaneContext) -> Int {
    facets?.series == nil || context.page < TimeSeries.drawnRows * 2 ? 0 : TimeSeries.drawnRows + 1
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: choose(in: context)
    case .mark: mark(in: context)
    default: nil
    }
  }

  /// Selects or deselects the value at the cursor.
  private mutating func mark(in context: PaneContext) -> [PaneAction] {
    guard let bar = chosen else { return [.show(.noValueSelected)] }
    guard let condition = bar.condition else { return [.show(.valueNotFilterable)] }
    marked.toggle(condition)
    go(to: min(cursor.index + 1, items.count - 1), in: context)
    return []
  }

  /// Filters the query by the selected values; without a selection, by the value at the cursor.
  private func choose(in context: PaneContext) -> [PaneAction] {
    guard let plan = context.plan, let bar = chosen else {
      return [.show(.noValueSelected)]
    }
    guard isOfThis(context) else { return [.show(.formerValues)] }
    if !marked.isEmpty { return [.close, .change(plan.filter(.oneOf(marked)))] }
    guard let condition = bar.condition else { return [.show(.valueNotFilterable)] }
    return [.close, .change(plan.filter(condition))]
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let (head, rest) = area.split(rows: seriesRows(in: context))
    if head.rows > 0, let series = facets?.series {
      series.draw(into: &frame, area: head)
      frame.fill(head.line(head.rows - 1).area, Paint(.border), with: "─")
    }
    if let facets, facets.areDistinct {
      let (line, list) = rest.split(rows: 1)
      if line.rows > 0 { frame.write(Self.sentence(about: facets), .dim, in: line.line(0)) }
      drawValues(into: &frame, area: list, context)
    } else if facets?.bars.isEmpty == true {
      frame.writePanel(.noValuesToCount(of: label), context.keys, in: rest)
    } else {
      drawBars(into: &frame, area: rest, context)
    }
  }

  /// Returns the sentence about values that are all, or nearly all, different.
  private static func sentence(about facets: Facets) -> String {
    let (distinct, rows) = (NumberText.grouped(facets.distinct), NumberText.grouped(facets.rows))
    return facets.distinct == facets.rows
      ? "All \(rows) values are different." : "\(distinct) of \(rows) values are different."
  }

  /// Draws values with their counts, but without bars.
  private func drawValues(into frame: inout Frame, area: Rect, _ context: PaneContext) {
    drawItems(into: &frame, area: area, context) { bar, line, frame in
      let count = bar.count > 1 ? NumberText.grouped(bar.count) : ""
      let room = frame.writeAtEnd(count, .count, in: line)
      frame.write(bar.text, .text, in: line, width: room)
      drawMark(of: bar, in: line, into: &frame)
    }
  }

  private func drawMark(of bar: Facets.Bar, in line: ListLine, into frame: inout Frame) {
    guard let condition = bar.condition, marked.contains(condition) else { return }
    ResultsPane.drawMark(into: &frame, line: line.area, ground: line.ground)
  }

  private func drawBars(into frame: inout Frame, area: Rect, _ context: PaneContext) {
    let most = max(1, items.map(\.count).max() ?? 1)
    let countWidth = NumberText.grouped(most).count
    let textWidth = min(26, max(8, area.columns / 2))
    // Cut texts of ranges would look alike, so all ranges use their short text.
    let shareWidth = area.columns < Self.minColumnsForShares ? 0 : 5
    let isShort = items.contains { TextWidth.columns(of: $0.text) > textWidth }
    drawItems(into: &frame, area: area, context) { bar, line, frame in
      frame.write(isShort ? bar.shortText ?? bar.text : bar.text, .text, in: line, width: textWidth)
      drawMark(of: bar, in: line, into: &frame)
      frame.write(
        NumberText.grouped(bar.count), .count, in: line, at: textWidth + 2, width: countWidth,
        alignment: .trailing)
      let afterCount = textWidth + countWidth + 2
      frame.write(
        facets?.share(of: bar.count) ?? "", .dim, in: line, at: afterCount, width: shareWidth,
        alignment: .trailing)
      let start = afterCount + shareWidth + 1
      // The last column is that of the scroll thumb, with a gap before it.
      let room = max(0, line.area.columns - start - 2)
      let length = bar.count == 0 ? 0 : max(1, bar.count * room / most)
      // On the ground of the selected line, a terminal with few colors would draw the bar in black.
      frame.write(
        String(repeating: Self.barSign, count: min(length, room)), row: line.area.row,
        column: line.area.column + start, width: room, paint: Paint(.chart), overflow: .clip)
    }
  }

  /// The character that bars consist of. It leaves a gap to the bar above.
  private static let barSign = "▆"
  /// The minimum width of the list, in columns, at which percentages are shown.
  private static let minColumnsForShares = 44
}

extension ConditionNode {
  /// Returns a condition that is true if any of `conditions` is. Equality tests of one field become
  /// an `in` list.
  fileprivate static func oneOf(_ conditions: [ConditionNode]) -> ConditionNode {
    if conditions.count == 1 { return conditions[0] }
    var values: [Value] = []
    var field: AttributePath?
    for condition in conditions {
      guard case .compare(let path, .equal, let value) = condition, field ?? path == path else {
        return .any(conditions)
      }
      field = path
      values.append(value)
    }
    return field.map { .isIn($0, values) } ?? .any(conditions)
  }
}

extension PaneTraits {
  package static let facets = PaneTraits(
    title: "Value counts",
    about:
      "The values of a column by frequency, or ranges of numbers and dates, and how they changed "
      + "over time."
  ) {
    $0.command = .facets
    $0.ignored = .only(sideways + unfolding + changing)
    $0.hints = [.open, .mark, .cancel]
    $0.labels = [.open: "show these rows"]
  }
}
