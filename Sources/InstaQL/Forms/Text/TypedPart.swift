/// A part of a query that can be written as the user typed it.
enum TypedPart: Hashable, Sendable {
  /// A comparison with days or times.
  case condition(ConditionNode)
  /// A search, and the namespace whose fields it covers.
  case search(ConditionNode, namespace: String)
  /// A whole filter with comments, and the namespace of its entities.
  case filter(ConditionNode, namespace: String)
  /// Queries with other comments, or with days or times that are not in a condition.
  case document(QueryDocument)
}
