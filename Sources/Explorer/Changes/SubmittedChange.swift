/// A change submitted by this session, kept until its result is reported.
struct SubmittedChange: Sendable, Equatable {
  /// The key hints of the notice that is shown when the change is done.
  var hints: [KeyHint] = []
  /// The typed input of the change; nil if the user did not type it.
  var typed: TypedChange?
}
