import InstaQL
import TerminalUI
import Triples

// What a prompt says to who does not know yet what to type.
extension PromptPane {
  /// Something that could be typed, of what the namespace has; shown while the line is empty.
  func example(_ plan: QueryPlan?, _ schema: Schema?) -> String {
    switch purpose {
    case .filter(let path):
      return plan.flatMap { Self.condition(of: $0.namespace, along: path, schema) }
        ?? "name = \"…\" and …"
    case .order(let path):
      let keys = plan.flatMap { Self.keys(of: $0.namespace, along: path, schema) } ?? []
      return keys.isEmpty ? "name desc" : keys.joined(separator: ", ")
    case .query:
      guard let plan else { return "a namespace, then filter, order, limit, with" }
      let condition = Self.condition(of: plan.namespace, along: [], schema)
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
        "= != > >= < <= in like ilike isnull · and or not ( ) · link.attribute",
        "= != > < in like isnull · and or not ( )", "= != > < in like · and or",
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

  /// A condition on a number, else on a text, and along a link where there is one.
  private static func condition(
    of start: String, along path: [String], _ schema: Schema?
  ) -> String? {
    guard let schema, let namespace = schema.namespace(from: start, along: path) else { return nil }
    let values = attributes(of: namespace, schema)
    let own =
      values.first { $0.checkedType == .number }.map { "\($0.label) > 1000" }
      ?? values.first.map { "\($0.label) = \"…\"" }
    let linked = schema.links(of: namespace).lazy.compactMap { link in
      attributes(of: link.target, schema).first { ($0.checkedType ?? .string) == .string }
        .map { "\(link.label).\($0.label) = \"…\"" }
    }.first
    let parts = [own, linked].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

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
