/// The input of a typed change, kept so that the user can edit it if the store rejects the change.
enum TypedChange: Sendable, Equatable {
  case draft(EntityDraft)
  indirect case line(PromptPane)

  /// The command that reopens the input.
  var command: Command {
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
  let notice: Notice

  /// Returns whether the rejected edit was a value typed for `target`.
  func isOf(_ target: EditTarget) -> Bool {
    guard case .line(let line) = typed, case .value(let own, _) = line.purpose else { return false }
    return own == target
  }
}
