/// What was typed for a change, to edit it again when the store rejects the change.
enum TypedChange: Sendable, Equatable {
  case draft(EntityDraft)
  case line(PromptPane)

  /// The command that reopens it.
  var intent: Intent {
    switch self {
    case .draft: .add
    case .line: .edit
    }
  }
}

/// A typed change that the store rejected.
struct RejectedEdit: Sendable, Equatable {
  let typed: TypedChange
  let reason: String
  /// The notice that reports it.
  let notice: Notice

  /// Whether it is a value of this.
  func isOf(_ target: EditTarget) -> Bool {
    guard case .line(let line) = typed, case .value(let own, _) = line.purpose else { return false }
    return own == target
  }
}
