/// A condition that can be written as the user typed it.
struct TypedCondition: Hashable, Sendable {
  let condition: ConditionNode
  /// The namespace whose fields a `search` covers; nil for a condition with days.
  var namespace: String?
}
