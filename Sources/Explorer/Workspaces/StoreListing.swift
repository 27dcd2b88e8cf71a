/// The names of a store that is open or can be opened.
package struct StoreListing: Sendable, Hashable {
  /// The address as the user typed it, under which queries and views of the store are saved. The
  /// screen of the store gets it without its password.
  package let address: String
  /// The address that opens the store from any folder and identifies it.
  package let place: String
  /// The store's name on the screen.
  package let name: String

  package init(address: String, place: String, name: String) {
    self.address = address
    self.place = place
    self.name = name
  }

  /// Creates the names of a store from a typed address, which may not exist.
  package init(typed: String) { self.init(address: typed, place: typed, name: typed) }
}

/// The reason why there is no such store, or why it cannot be opened.
package struct OpeningFailure: Error, CustomStringConvertible {
  let reason: String

  package var description: String { reason }

  package init(reason: String) { self.reason = reason }
}
