package import Triples

extension Attribute {
  /// Whether the values have an index.
  ///
  /// `isIndexed` permits conditions that servers allow on indexed attributes only. A database allows
  /// them on all of its columns, and has indexes for some.
  package var hasIndex: Bool {
    get { isIndexed && others[Self.withoutIndexKey] != .bool(true) }
    set { others[Self.withoutIndexKey] = newValue ? nil : .bool(true) }
  }

  private static let withoutIndexKey = "has-no-index"
}
