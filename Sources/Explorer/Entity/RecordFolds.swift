import Triples

/// The parts of a record that are collapsed or expanded.
struct RecordFolds: Sendable, Equatable {
  /// The collapsed nested values. Paths begin with the attribute.
  var nested = NodeFolds()
  /// The attributes that are collapsed to their first lines if their values are too long.
  var long = NodeFolds(isCollapsed: true)
  /// The links whose targets are all listed, rather than only the first ones.
  var listed: Set<Link> = []
}
