/// The pane that hears the keys.
package enum Focus: Int, CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results

  /// The pane's name, as titles, help and messages say it.
  var title: String {
    switch self {
    case .namespaces: "Namespaces"
    case .schema: "Schema"
    case .query: "Query"
    case .results: "Results"
    }
  }

  /// The pane's number on the keyboard, from 1.
  var number: Int { rawValue + 1 }

  var next: Focus { Focus(rawValue: (rawValue + 1) % Self.allCases.count) ?? .namespaces }

  var previous: Focus {
    Focus(rawValue: (rawValue + Self.allCases.count - 1) % Self.allCases.count) ?? .results
  }
}
