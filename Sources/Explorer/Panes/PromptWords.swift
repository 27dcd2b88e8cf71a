import InstaQL
import TerminalUI
import Triples

// What a prompt says to who does not know yet what to type.
extension PromptPane {
  /// Something that could be typed, of what the namespace has; shown while the line is empty.
  ///
  /// - Parameter seen: Some entities of the plan's namespace, whose values an example can have.
  func example(_ plan: QueryPlan?, _ schema: Schema?, _ seen: ResultTable?) -> String {
    switch purpose {
    case .filter(let path):
      return plan.flatMap { Self.condition(of: $0.namespace, along: path, schema, seen) }
        ?? "name = \"…\" and …"
    case .order(let path):
      let keys = plan.flatMap { Self.keys(of: $0.namespace, along: path, schema) } ?? []
      return keys.isEmpty ? "name desc" : keys.joined(separator: ", ")
    case .query:
      guard let plan else { return "a namespace, then filter, order, limit, with" }
      let condition = Self.condition(of: plan.namespace, along: [], schema, seen)
      return plan.namespace + (condition.map { " filter " + $0 } ?? "") + " limit 20"
    case .limit: return "a number of rows; nothing for all"
    case .value(_, let attribute): return SchemaPane.mark(of: attribute) + ", or null"
    case .find: return "a text"
    case .saveQuery: return "its name"
    }
  }

  /// How a line of this kind may go on, the fullest words first.
  var guidance: [String] {
    if completion != nil { return ["tab takes the word, ↓ chooses another", "tab takes the word"] }
    switch purpose {
    case .filter:
      return [
        "= != > >= < <= in like ilike is null · and or not ( ) · link.attribute",
        "= != > < in like is null · and or not ( )", "= != > < in like · and or",
      ]
    case .order:
      return ["asc or desc after a name, commas between several", "name desc, name asc"]
    case .query:
      return [
        "filter … order … limit … with link { … }; also fields, offset, count",
        "filter … order … limit … with link", "filter order limit with",
      ]
    case .find: return ["enter keeps the place, esc goes back", "enter stays, esc goes back"]
    case .limit, .value, .saveQuery:
      return ["enter applies, esc leaves it as it was", "enter applies, esc leaves"]
    }
  }

  /// The first of some texts that fits; the last one where none does.
  static func fitting(_ texts: [String], _ width: Int) -> String {
    texts.first { TextWidth.columns(of: $0) <= width } ?? texts.last ?? ""
  }

  /// A condition on a number, else on a text, and along a link where there is one; with values that are
  /// there, so that it finds something.
  private static func condition(
    of start: String, along path: [String], _ schema: Schema?, _ seen: ResultTable?
  ) -> String? {
    guard let schema, let namespace = schema.namespace(from: start, along: path) else { return nil }
    let seen = path.isEmpty ? seen : nil
    let values = attributes(of: namespace, schema)
    let own =
      values.first { $0.checkedType == .number }.map { attribute in
        let number = seen?.exampleRows.lazy.compactMap {
          seen?.catalog.store.value($0, attribute.id)?.numberText
        }.first
        return "\(attribute.label) >= \(number ?? "0")"
      } ?? values.first.map { "\($0.label) = \"…\"" }
    let linked = schema.links(of: namespace).lazy.compactMap {
      Self.condition(through: $0, schema, seen)
    }.first
    let parts = [own, linked].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// That what a link leads to is called as one of those are that it leads to.
  private static func condition(
    through link: Link, _ schema: Schema, _ seen: ResultTable?
  ) -> String? {
    guard let label = schema.labelAttribute(of: link.target) else { return nil }
    let names = seen?.exampleRows.lazy.compactMap { row -> String? in
      guard let told = seen?.catalog.targets(of: row, link), let target = told.entities.first,
        case .text(let name)? = told.catalog.store.value(target, label.id),
        name.utf8.count <= longestName, !name.contains("\"")
      else { return nil }
      return name
    }
    return "\(link.label).\(label.label) = \"\(names?.first ?? "…")\""
  }

  private static let longestName = 24

  private static func keys(
    of start: String, along path: [String], _ schema: Schema?
  ) -> [String]? {
    guard let schema, let namespace = schema.namespace(from: start, along: path) else { return nil }
    let values = attributes(of: namespace, schema)
    let number = values.first { $0.checkedType == .number || $0.checkedType == .date }
    let text = values.first { ($0.checkedType ?? .string) == .string }
    return [number.map { $0.label + " desc" }, text?.label].compactMap { $0 }
  }

  /// The attributes that hold values, but for the id.
  private static func attributes(of namespace: String, _ schema: Schema) -> [Attribute] {
    schema.attributes(of: namespace).filter { $0.valueType == .blob && $0.label != "id" }
  }
}

extension ResultTable {
  /// Rows whose values an example may have.
  fileprivate var exampleRows: ArraySlice<EntityHandle> { answer.rows.prefix(8) }
}

extension Value {
  /// A number as one types it; nil for anything else.
  fileprivate var numberText: String? {
    switch self {
    case .integer, .double: JSONWriter.text(self)
    case .null, .bool, .text, .array, .object: nil
    }
  }
}
