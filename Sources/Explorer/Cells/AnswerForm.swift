/// A view of an answer: table, tree or JSON.
package enum AnswerForm: String, CaseIterable, Sendable {
  case table, tree, json

  var title: String {
    switch self {
    case .table: "table"
    case .tree: "tree"
    case .json: "JSON"
    }
  }
}

/// The notation in which the query pane shows the query.
enum QuerySpelling: String, CaseIterable, Sendable {
  case text, instaQL, swift

  var title: String {
    switch self {
    case .text: ""
    case .instaQL: "InstaQL"
    case .swift: "Swift"
    }
  }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  /// The next case; the first case follows the last one.
  var next: Self { moved(by: 1) }

  /// Returns the case that is a number of steps ahead, wrapping around at the ends.
  func moved(by step: Int) -> Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}
