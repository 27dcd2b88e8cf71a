import InstaQL
import LiveQueries
import TerminalUI

/// The state of a tab: its query with undo, its history and its cursor.
struct Tab: Sendable, Equatable {
  /// The main pane that has the focus while no other pane is open.
  var focus = MainPane.namespaces
  /// The pane that had the focus before a number key moved it.
  var focusBefore: MainPane?
  var queryHistory: QueryHistory?
  /// The lines of the query at its current width.
  var queryLines = 1
  /// The width for which they were counted; 0 if they were not.
  var queryColumns = 0
  var schema = SchemaPane()
  var results = ResultsPane()
  /// Whether the record under the cursor is shown also where it is not shown anyway, and follows
  /// links.
  var isPeeking = false
  /// The panes open above the main ones; the last one has the focus.
  var overlays: [Overlay] = []
  var history = NavigationHistory()
  /// The subscription of the query; nil before it is run and after it is canceled.
  var watch: WatchToken?
  /// Updates held back while live updates are paused; nil otherwise.
  var held: PausedUpdates?
  var latency = LatencyIndicator()
  /// Keys queued until the rows are loaded.
  var queuedKeys: [Key] = []
  /// A number that identifies the tab in this session.
  var id = 0

  /// Its name in the header.
  var name: String { queryHistory?.plan.namespace ?? "" }
}

/// The updates that arrived while live updates were paused.
struct PausedUpdates: Sendable, Equatable {
  var newest: LiveResult?
  /// The number of changes since then.
  var changes = 0
}
