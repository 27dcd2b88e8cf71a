import InstaQL
import LiveQueries
import TerminalUI

/// All that one tab has for itself: its query with what can be undone, its trail and where its cursor is.
struct Tab: Sendable, Equatable {
  /// The standing pane that hears the keys while nothing is open above it.
  var focus = StandingPane.namespaces
  /// The one that had it before a number led to this one.
  var focusBefore: StandingPane?
  var composer: Composer?
  /// The lines that the query takes as one reads it.
  var queryLines = 1
  /// The width for which they were counted; 0 while they were not.
  var queryColumns = 0
  var schema = SchemaPane()
  var results = ResultsPane()
  /// Panes that are open above the standing ones; the last one hears the keys.
  var overlays: [Overlay] = []
  var trail = Trail()
  /// Nil while the query was never asked, and when it was given up.
  var watch: WatchToken?
  /// What is held back while the view is paused; nil while it is not.
  var held: PausedUpdates?
  var slowness = Slowness()
  /// Keys that wait for the rows.
  var ahead: [Key] = []
  /// Tells the tab from all others of the session.
  var id = 0

  /// As the header calls it.
  var name: String { composer?.plan.namespace ?? "" }
}

/// What came while live updates were paused.
struct PausedUpdates: Sendable, Equatable {
  var newest: LiveResult?
  /// How many changes came since.
  var changes = 0
}
