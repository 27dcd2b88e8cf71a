extension Command {
  /// The topics of commands, in the order in which lists show them.
  enum Group: CaseIterable, Sendable {
    case querying, data, answer, columns, panes, program, moving

    var title: String {
      switch self {
      case .querying: "Querying"
      case .data: "Changing data"
      case .answer: "Exploring"
      case .columns: "Columns"
      case .panes: "Panes and tabs"
      case .program: "Program"
      case .moving: "Moving"
      }
    }
  }

  /// All commands, group by group.
  static let grouped = Group.allCases.flatMap { group in allCases.filter { $0.group == group } }
}

extension Command {
  /// Whether the command moves the cursor downwards.
  var leadsDown: Bool {
    switch self {
    case .down, .pageDown, .halfPageDown, .last: true
    default: false
    }
  }
}
