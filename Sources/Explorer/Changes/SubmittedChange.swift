/// A change that was made here, for the report of it.
struct SubmittedChange: Sendable, Equatable {
  /// Keys that help when it is done.
  var hints: [KeyHint] = []
  /// What was typed for it; nil when it was chosen.
  var typed: TypedChange?
}
