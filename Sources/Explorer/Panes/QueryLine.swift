import InstaQL
import TerminalUI
import Triples

/// The query as one reads it: namespace, filter, order and limit, each with its own colour.
struct QueryLine: Equatable {
  struct Part: Equatable {
    let text: String
    let role: Role
    /// Whether it goes on with the condition before it.
    var isFurther = false
    /// Whether it is said whole or not at all: half a condition is another one.
    var isWhole = false

    /// What stands before it on its line.
    fileprivate var gap: String { isFurther ? " " : " │ " }
  }

  let parts: [Part]

  /// - Parameter catalog: Tells the names of the entities that the query has the ids of.
  init(_ plan: QueryPlan, in catalog: Catalog? = nil) {
    var parts = [Part(text: plan.namespace, role: .title)]
    if let condition = plan.condition {
      parts += Self.conditions(condition) {
        catalog?.reading($0, of: plan.namespace) ?? $0.text
      }
    }
    if !plan.groups.isEmpty {
      let names = plan.groups.map(\.dotted).joined(separator: ", ")
      parts.append(Part(text: "group " + names, role: .keyword))
    }
    if !plan.aggregates.isEmpty {
      let asked = plan.aggregates.map(\.text).joined(separator: ", ")
      parts.append(Part(text: asked, role: .number))
    }
    if !plan.order.isEmpty {
      let keys = plan.order.map { $0.sign + $0.path.dotted }
      parts.append(Part(text: keys.joined(separator: " "), role: .keyword))
    }
    parts += Self.pageParts(plan.page) { id in
      let handle = catalog?.store.handle(of: id)
      return handle.flatMap { catalog?.label(of: $0, in: plan.namespace) } ?? id.text
    }
    if let fields = plan.fields {
      parts.append(Part(text: "fields " + fields.joined(separator: ", "), role: .text))
    }
    if plan.isDistinct { parts.append(Part(text: "distinct", role: .keyword)) }
    for relation in plan.relations {
      parts.append(Part(text: "+ " + relation.plan.text, role: .link))
    }
    if plan.isCount { parts.append(Part(text: "count", role: .keyword)) }
    self.parts = parts
  }

  /// A part for each of the conditions that all must hold.
  private static func conditions(
    _ condition: ConditionNode, _ text: (ConditionNode) -> String
  ) -> [Part] {
    let all = condition.conjuncts.map { one in
      if case .any(let ways) = one, ways.count > 1 { return "(\(text(one)))" }
      return text(one)
    }
    let whole = text(condition)
    // What is joined in another way than by "and" is one text.
    guard all.count > 1, all.joined(separator: " and ") == whole else {
      return [Part(text: whole, role: .text)]
    }
    return all.enumerated().map { place, text in
      Part(
        text: place == 0 ? text : "and " + text, role: .text, isFurther: place > 0, isWhole: true)
    }
  }

  /// The query in another spelling, as one text.
  static func text(of plan: QueryPlan, _ spelling: QuerySpelling) -> String {
    let document = QueryDocument(plan)
    switch spelling {
    case .parts, .text: return document.text
    case .instaQL: return document.canonicalJSON
    case .swift:
      return document.swiftSpelling.split(separator: "\n")
        .map { $0.drop { $0 == " " } }.joined(separator: " ").replacing(" .", with: ".")
    }
  }

  /// Writes a spelling over the lines that there are.
  static func draw(
    _ plan: QueryPlan, _ spelling: QuerySpelling, into frame: inout Frame, area: Rect
  ) {
    let lines = TextLines.wrapped(
      text(of: plan, spelling), width: max(1, area.columns - 4), most: max(1, area.rows))
    for (row, line) in lines.enumerated() where row < area.rows {
      frame.write(
        line, row: area.row + row, column: area.column + 1, width: max(0, area.columns - 2),
        paint: Paint(.text))
    }
  }

  /// - Parameter name: What an entity is called.
  private static func pageParts(_ page: Page, naming name: (EntityID) -> String) -> [Part] {
    func end(_ word: String, _ cursor: Cursor?, isInclusive: Bool) -> String? {
      cursor.map { "\(word) \(name($0.entity))" + (isInclusive ? " inclusive" : "") }
    }
    return [
      page.limit.map { "limit \($0)" }, page.offset.map { "offset \($0)" },
      page.first.map { "first \($0)" }, page.last.map { "last \($0)" },
      end("after", page.after, isInclusive: page.afterInclusive),
      end("before", page.before, isInclusive: page.beforeInclusive),
    ].compactMap { $0.map { Part(text: $0, role: .number) } }
  }

  /// Writes the parts one after the other with a line between them, breaking where one ends. Where there
  /// is no room for all of them the longest are cut, so that of each one something is seen as long as
  /// there is room for that; of several conditions the last ones are counted instead.
  func draw(into frame: inout Frame, area: Rect) {
    let (parts, places) = arranged(in: area)
    for (index, (part, place)) in zip(parts, places).enumerated() {
      if place.columns == 0 { break }
      if index > 0, place.row == places[index - 1].row {
        frame.write(
          part.gap, row: place.row, column: place.column - part.gap.count, paint: Paint(.dim))
      }
      frame.write(
        part.text, row: place.row, column: place.column, width: place.columns,
        paint: Paint(part.role))
    }
  }

  /// The lines that all of it takes, at least one and `most` at most.
  func lines(in columns: Int, most: Int) -> Int {
    let widths = parts.map { TextWidth.columns(of: $0.text) }
    return (1...max(1, most)).first {
      Self.places(
        of: widths, parts, in: Rect(row: 0, column: 0, rows: $0, columns: columns)
      ).isWhole
    } ?? most
  }

  /// The parts that are shown, and where.
  private func arranged(in area: Rect) -> ([Part], [Rect]) {
    let whole = Self.places(of: parts.map { TextWidth.columns(of: $0.text) }, parts, in: area)
    if whole.isWhole { return (parts, whole.places) }
    let further = parts.indices.filter { parts[$0].isFurther }
    for kept in (0...further.count).reversed() {
      let shown = Self.counting(parts, further, after: kept)
      let cut = Self.places(cutting: shown, in: area)
      if cut.isWhole || kept == 0 { return (shown, cut.places) }
    }
    return (parts, whole.places)
  }

  /// The parts with so many further conditions; the others are counted.
  private static func counting(_ parts: [Part], _ further: [Int], after kept: Int) -> [Part] {
    guard kept < further.count else { return parts }
    var shown = parts
    shown.replaceSubrange(
      further[kept]...further[further.count - 1],
      with: [
        Part(
          text: "+ \(further.count - kept) more", role: .dim, isFurther: true, isWhole: true)
      ])
    return shown
  }

  /// Less of a part says nothing, in columns.
  private static let leastPart = 12

  /// Where parts stand when the longest are cut to the greatest width that leaves room for all; the last
  /// ones have none where even the least is too much.
  private static func places(
    cutting parts: [Part], in area: Rect
  ) -> (places: [Rect], isWhole: Bool) {
    let widths = parts.map { TextWidth.columns(of: $0.text) }
    func places(_ most: Int) -> (places: [Rect], isWhole: Bool) {
      let cut = zip(parts, widths).map { $0.isWhole ? $1 : min($1, most) }
      return Self.places(of: cut, parts, in: area)
    }
    var (fitting, tooWide) = (leastPart, widths.max() ?? leastPart)
    while tooWide - fitting > 1 {
      let middle = (fitting + tooWide) / 2
      if places(middle).isWhole { fitting = middle } else { tooWide = middle }
    }
    return places(fitting)
  }

  /// Where parts of these widths stand, and whether there is room for all of them.
  private static func places(
    of widths: [Int], _ parts: [Part], in area: Rect
  ) -> (places: [Rect], isWhole: Bool) {
    var (row, column) = (area.row, area.column + 1)
    let end = area.endColumn - 1
    var isWhole = true
    var places: [Rect] = []
    for (index, width) in widths.enumerated() {
      let gap = parts[index].gap.count
      if index > 0, column + gap + width > end, row + 1 < area.endRow {
        row += 1
        column = area.column + 3
      } else if index > 0 {
        column += gap
      }
      let room = max(0, min(width, end - column))
      isWhole = isWhole && room == width
      places.append(Rect(row: row, column: column, rows: 1, columns: room))
      column += room
    }
    return (places, isWhole)
  }
}

extension OrderKey {
  /// The direction as an arrow.
  var sign: String { direction == .descending ? "↓" : "↑" }
}
