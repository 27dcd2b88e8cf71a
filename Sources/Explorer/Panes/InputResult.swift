/// The effect of a key or command in a pane.
///
/// A key without effect has a reason, unless it moves the cursor: at the end of a list, nothing is
/// reported.
enum InputResult: Sendable, Equatable {
  case done
  case noEffect(Notice)
}
