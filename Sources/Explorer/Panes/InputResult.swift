/// The result of handling a key or command.
///
/// A key without effect comes with a reason to show. Cursor movements are an exception: at the end
/// of a list, nothing is shown.
enum InputResult: Sendable, Equatable {
  case done
  case noEffect(Notice)
}
