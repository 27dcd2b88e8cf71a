/// The names of a store.
package struct StoreIdentity: Sendable, Equatable {
  /// The store's name in the header.
  let name: String
  /// The argument with which a command opens the store again.
  let address: String
  /// The address that identifies the store, however it was opened.
  let place: String
  /// A label before the name in the header, to tell similar stores apart.
  var label: String?

  /// Creates the names of a store.
  ///
  /// - Parameters:
  ///   - address: Nil if the name opens the store again.
  ///   - place: Nil if `address` identifies the store.
  package init(_ name: String, address: String? = nil, place: String? = nil, label: String? = nil) {
    self.name = name
    self.address = address ?? name
    self.place = place ?? address ?? name
    self.label = label
  }
}

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

  package init(
    readOnlyReason: String? = nil, changeDetection: String? = nil, writing: String? = nil,
    isSnapshot: Bool = false
  ) {
    self.readOnlyReason = readOnlyReason
    self.changeDetection = changeDetection
    self.writing = writing
    self.isSnapshot = isSnapshot
  }
}
