/// Identifies an open store while the program runs.
package struct WorkspaceID: Hashable, Sendable {
  let number: Int
}

/// What the screens of other stores show about an open store.
struct StoreSummary: Sendable, Equatable {
  let id: WorkspaceID
  let listing: StoreListing
  let tabs: [String]
  /// The store's unsaved changes, such as `3 changes staged`; nil if there are none.
  let unsaved: String?
  let isSending: Bool
  /// Whether the staged changes are kept after the program ends.
  let keepsStaged: Bool
  /// Whether changes are lost when the store closes.
  let losesChanges: Bool
}

struct OtherStores: Sendable, Equatable {
  /// The stores whose tabs are to the left.
  var before: [StoreSummary] = []
  /// The stores whose tabs are to the right.
  var after: [StoreSummary] = []

  var isEmpty: Bool { before.isEmpty && after.isEmpty }
  var all: [StoreSummary] { before + after }
  /// The store to the right of this one, or else the leftmost store.
  var next: StoreSummary? { after.first ?? before.first }
  /// The store to the left of this one, or else the rightmost store.
  var previous: StoreSummary? { before.last ?? after.last }
  var tabsBefore: Int { before.reduce(0) { $0 + $1.tabs.count } }
}

/// A command that opens, shows or closes stores, requested by an open store.
package enum WorkspaceCommand: Sendable, Equatable {
  /// Opens a store, in front or in the background. A store that is already open comes to the front.
  case open(StoreListing, inFront: Bool)
  /// Shows a tab of an open store by its position; nil for its current tab.
  case show(WorkspaceID, tab: Int?)
  case close
  /// Changes a setting of all open stores.
  case set(ScreenSetting, isOn: Bool)
}
