import TerminalUI

/// Identifies an open store in this run of the program.
package struct WorkspaceID: Hashable, Sendable {
  let number: Int
}

/// The data about an open store that the screens of other stores show.
struct StoreSummary: Sendable, Equatable {
  let id: WorkspaceID
  let name: String
  /// The address that identifies the store.
  let place: String
  /// The names of its tabs.
  let tabs: [String]
  /// Its changes that are staged or being sent, in words; nil for none.
  let unsent: String?
  /// Whether changes are being sent.
  let isSending: Bool
  /// Whether staged changes are kept after the program ends.
  let keepsStaged: Bool
}

/// The stores that are open besides the one in front.
struct OtherStores: Sendable, Equatable {
  /// The stores whose tabs are to the left.
  var before: [StoreSummary] = []
  /// The stores whose tabs are to the right.
  var after: [StoreSummary] = []

  var isEmpty: Bool { before.isEmpty && after.isEmpty }
  var all: [StoreSummary] { before + after }
  /// The store whose tabs follow this store's tabs, cyclically.
  var next: StoreSummary? { after.first ?? before.first }
  /// The store whose tabs precede this store's tabs, cyclically.
  var previous: StoreSummary? { before.last ?? after.last }
  /// The number of tabs to the left.
  var tabsBefore: Int { before.reduce(0) { $0 + $1.tabs.count } }
}

/// A change of the open stores, requested by one of them.
package enum WorkspaceCommand: Sendable, Equatable {
  /// Opens a store, in front or in the background. A store that is already open comes to the front.
  case open(StoreListing, inFront: Bool)
  /// Shows a tab of an open store by its position; nil for its current tab.
  case show(WorkspaceID, tab: Int?)
  /// Closes the store that requests it.
  case close
}

/// The state that the next store in front takes over.
struct SharedState: Sendable, Equatable {
  let size: Size
  let settings: ExplorerSettings
  let splits: Splits
}
