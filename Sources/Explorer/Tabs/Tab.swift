import InstaQL
import LiveQueries
import Triples

/// The state of a tab: its query with undo, its navigation history, its results and its open panes.
struct Tab: Sendable, Equatable {
  /// The main pane that has the focus while no other pane is open.
  var focus = MainPane.namespaces
  var queryHistory: QueryHistory?
  /// Whether the query was not opened by the user, but at startup or by the cursor of Namespaces.
  var isFollowing = false
  /// The query that was restored from the last session; nil if none was.
  var restoredPlan: QueryPlan?
  var queryLines = QueryLines()
  var schema = SchemaPane()
  var results = ResultsPane()
  /// Whether the record next to the results is shown.
  var preview = RecordPreview.onWideScreens
  /// The record that was drawn last next to the results.
  let record = LastValue<DetailInput, EntityPane>()
  /// The panes open above the main panes. The last one has the focus.
  var overlays: [Overlay] = []
  var history = NavigationHistory()
  /// The search in one of the panes.
  var finding = Finding()
  /// The subscription of the query; nil before it is run and after it is canceled.
  var watch: WatchToken?
  /// The updates that arrived while live updates are paused; nil if live updates are not paused.
  var held: PausedUpdates?
  var latency = LatencyIndicator()
  /// A number that identifies the tab in this session.
  var id = 0

  /// The current query; nil before one is shown.
  var plan: QueryPlan? { queryHistory?.plan }
}

/// When the record at the cursor is shown next to the results.
enum RecordPreview: Sendable, Equatable {
  case onWideScreens
  /// The user opened it. It shows the target of a selected link.
  case open
  case hidden
}

/// The updates that arrived while live updates were paused.
struct PausedUpdates: Sendable, Equatable {
  var newest: LiveResult?
  var changes = 0
}

extension Tab {
  /// Records that a result arrived. If live updates are paused, keeps an answer for later and counts
  /// its changes. Returns false if the result must be shown now.
  mutating func hold(_ result: LiveResult) -> Bool {
    if case .loading = result {} else { latency.end() }
    guard held != nil, results.table != nil, !results.isLoadingWindow, !results.showsBeginning
    else { return false }
    if case .loaded(let live) = result {
      // Changes of this session are shown immediately.
      if held?.newest == nil,
        results.shown?.snapshot.base.store.isIdentical(to: live.snapshot.base.store) == true
      {
        return false
      }
      let more = changes(to: live.snapshot)
      held?.changes += more
    }
    held?.newest = result
    return true
  }

  /// Returns the number of changes since the shown answer, or since the newest answer on hold.
  /// Returns 1 if the changes are unknown.
  private func changes(to snapshot: StoreSnapshot) -> Int {
    var before = results.table?.catalog.snapshot
    if case .loaded(let live)? = held?.newest { before = live.snapshot }
    guard let before, before.transactionID != snapshot.transactionID else { return 0 }
    guard let changes = snapshot.changes(since: before) else { return 1 }
    return ChangeEntryBuilder(from: before.base, to: snapshot.base).count(of: changes)
  }
}
