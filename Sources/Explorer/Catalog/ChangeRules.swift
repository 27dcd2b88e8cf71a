/// How a store can change.
package struct ChangeRules: Sendable, Equatable {
  /// The reason why the store is read-only, with advice; nil if it is writable.
  let readOnlyReason: String?
  /// The method by which changes of other programs are detected; nil if the store reports them.
  let changeDetection: String?
  /// The text in the header while the store is writable, such as `writable in memory`; nil for
  /// none.
  let writing: String?
  /// Whether the store is a copy that never changes, such as a backup or piped data.
  let isSnapshot: Bool
  /// Whether changes of the user's data are lost when the store closes, unless they are exported.
  let losesChanges: Bool

  package init(
    readOnlyReason: String? = nil, changeDetection: String? = nil, writing: String? = nil,
    isSnapshot: Bool = false, losesChanges: Bool = false
  ) {
    self.readOnlyReason = readOnlyReason
    self.changeDetection = changeDetection
    self.writing = writing
    self.isSnapshot = isSnapshot
    self.losesChanges = losesChanges
  }
}
