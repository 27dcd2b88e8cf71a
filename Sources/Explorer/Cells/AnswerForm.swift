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

  var next: AnswerForm {
    switch self {
    case .table: .tree
    case .tree: .json
    case .json: .table
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

  var next: QuerySpelling {
    switch self {
    case .text: .instaQL
    case .instaQL: .swift
    case .swift: .text
    }
  }
}
