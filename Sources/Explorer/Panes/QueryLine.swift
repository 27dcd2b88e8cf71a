import InstaQL
import TerminalUI
import Triples
import Widgets

/// The query in readable form, with a color for each clause.
struct QueryLine: Equatable {
  struct Part: Equatable {
    let text: String
    let role: Role
    /// Whether it continues the previous condition.
    var isFurther = false
    /// Whether it must not be cut, since half of a condition is misleading.
    var isWhole = false

    /// The text before it on its line.
    fileprivate var gap: String { isFurther ? " " : " │ " }
  }

  let parts: [Part]

  /// Creates the parts of a query.
  ///
  /// - Parameter catalog: Provides labels for the entities that the query names by id.
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
    if let having = plan.having {
      parts.append(Part(text: "having " + having.text, role: .text))
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

  /// A part for each condition of a conjunction.
  private static func conditions(
    _ condition: ConditionNode, _ text: (ConditionNode) -> String
  ) -> [Part] {
    let all = condition.conjuncts.map { one in
      if case .any(let ways) = one, ways.count > 1 { return "(\(text(one)))" }
      return text(one)
    }
    let whole = text(condition)
    // Other combinations of conditions are one part.
    guard all.count > 1, all.joined(separator: " and ") == whole else {
      return [Part(text: whole, role: .text)]
    }
    return all.enumerated().map { place, text in
      Part(
        text: place == 0 ? text : "and " + text, role: .text, isFurther: place > 0, isWhole: true)
    }
  }

  /// The query in another notation, as one text.
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

  /// Writes a notation over the available lines.
  static func draw(
    _ plan: QueryPlan, _ spelling: QuerySpelling, into frame: inout Frame, area: Rect
  ) {
    let lines = TextLines.wrapped(
      text(of: plan, spelling), width: max(1, area.columns - 4), limit: max(1, area.rows))
    for (row, line) in lines.enumerated() where row < area.rows {
      frame.write(
        line, row: area.row + row, column: area.column + 1, width: max(0, area.columns - 2),
        paint: Paint(.text))
    }
  }

  /// The parts of the page.
  ///
  /// - Parameter name: Returns an entity's label.
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

  /// Writes the parts, separated by lines and wrapped between them.
  ///
  /// If there is not enough space, the longest parts are cut, so that a bit of each is visible;
  /// surplus conditions are counted.
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

  /// The lines that all parts need, at least one and at most `limit`.
  func lines(in columns: Int, limit: Int) -> Int {
    let widths = parts.map { TextWidth.columns(of: $0.text) }
    return (1...max(1, limit)).first {
      Self.places(
        of: widths, parts, in: Rect(row: 0, column: 0, rows: $0, columns: columns)
      ).isWhole
    } ?? limit
  }

  /// The visible parts and their positions.
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

  /// The parts with this many conditions; the others are counted.
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

  /// The minimum useful width of a part, in columns.
  private static let minPartWidth = 12

  /// The positions of parts when the longest are cut to the largest width at which all fit.
  ///
  /// The last ones are left out if even the minimum is too much.
  private static func places(
    cutting parts: [Part], in area: Rect
  ) -> (places: [Rect], isWhole: Bool) {
    let widths = parts.map { TextWidth.columns(of: $0.text) }
    func places(_ most: Int) -> (places: [Rect], isWhole: Bool) {
      let cut = zip(parts, widths).map { $0.isWhole ? $1 : min($1, most) }
      return Self.places(of: cut, parts, in: area)
    }
    var (fitting, tooWide) = (minPartWidth, widths.max() ?? minPartWidth)
    while tooWide - fitting > 1 {
      let middle = (fitting + tooWide) / 2
      if places(middle).isWhole { fitting = middle } else { tooWide = middle }
    }
    return places(fitting)
  }

  /// The positions of parts of these widths, and whether all of them fit.
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
  /// The sort direction as an arrow.
  var sign: String { direction == .descending ? "↓" : "↑" }
}
