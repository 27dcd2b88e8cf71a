import InstaQL
import TerminalUI
import Triples

/// The query as one reads it: namespace, filter, order and limit, each with its own colour.
struct QueryLine: Equatable {
  struct Part: Equatable {
    let text: String
    let role: Role
  }

  let parts: [Part]

  /// - Parameter catalog: Tells the names of the entities that the query has the ids of.
  init(_ plan: QueryPlan, in catalog: Catalog? = nil) {
    var parts = [Part(text: plan.namespace, role: .title)]
    if let condition = plan.condition {
      let text = catalog?.reading(condition, of: plan.namespace) ?? condition.text
      parts.append(Part(text: text, role: .text))
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

  /// Writes the parts one after the other with a line between them, breaking where one ends.
  func draw(into frame: inout Frame, area: Rect) {
    var row = area.row
    var column = area.column + 1
    let end = area.column + area.columns - 1
    for (index, part) in parts.enumerated() {
      let width = TextWidth.columns(of: part.text)
      if index > 0, column + width + 3 > end, row + 1 < area.row + area.rows {
        row += 1
        column = area.column + 3
      } else if index > 0 {
        column += frame.write(
          " │ ", row: row, column: column, width: max(0, end - column),
          paint: Paint(.dim))
      }
      column += frame.write(
        part.text, row: row, column: column, width: max(0, end - column),
        paint: Paint(part.role))
    }
  }
}

extension OrderKey {
  /// The direction as an arrow.
  var sign: String { direction == .descending ? "↓" : "↑" }
}
