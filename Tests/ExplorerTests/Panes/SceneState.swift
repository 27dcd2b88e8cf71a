import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// A state in which each scene is tested: the size of the screen, the data of the store, and the
/// events while the scene is open.
enum SceneState: String, CaseIterable, Sendable {
  // Sizes and modes.
  case usual, smallest, larger, largest, heard, heardOffline
  // Data.
  case noNamespaces, noRows, oneRow, wideText, wideTextSmall
  // Loading, and failed.
  case loading, queryRefused, storeFailed
  // Events while the pane is open.
  case rowsGone, stale, offline, archived, connecting, pending, paused
  // Permissions.
  case readOnly, keptBack
  // Highlights and focus.
  case changed, changedWithoutMotion, unfocused

  /// A description for the messages of failures.
  var words: String {
    switch self {
    case .usual: "80×24, five plants"
    case .smallest: "40×10"
    case .larger: "120×40"
    case .largest: "200×60"
    case .heard: "screen-reader mode, 60×14"
    case .heardOffline: "screen-reader mode while offline"
    case .noNamespaces: "an empty store"
    case .noRows: "no plants"
    case .oneRow: "one plant"
    case .wideText: "wide, right-to-left and control characters in names and values"
    case .wideTextSmall: "wide, right-to-left and control characters at 40×10"
    case .loading: "the query is still running"
    case .queryRefused: "the server rejected the query"
    case .storeFailed: "the store has become unreadable"
    case .rowsGone: "all plants were deleted meanwhile"
    case .stale: "the file has become unreadable; the last data is shown"
    case .offline: "offline, with two queued changes"
    case .archived: "data of an earlier session"
    case .connecting: "connecting to the server"
    case .pending: "one change not confirmed yet"
    case .paused: "paused, with changes waiting"
    case .readOnly: "read-only"
    case .keptBack: "one change is staged"
    case .changed: "three changes just arrived"
    case .changedWithoutMotion: "three changes just arrived, with reduced motion"
    case .unfocused: "another pane has the focus"
    }
  }

  var size: (columns: Int, rows: Int) {
    switch self {
    case .smallest, .wideTextSmall: (40, 10)
    case .larger: (120, 40)
    case .largest: (200, 60)
    case .heard, .heardOffline: (60, 14)
    default: (80, 24)
    }
  }

  /// The words in the header about the freshness of the data and about pending changes.
  var freshness: [String] {
    switch self {
    case .queryRefused: ["✕ failed"]
    case .storeFailed, .stale: ["✕ stale"]
    case .offline, .heardOffline: ["✕ offline", "↑2 pending"]
    case .archived: ["◌ cached"]
    case .connecting: ["… connecting"]
    case .pending: ["● live", "↑1 pending"]
    case .paused: ["‖ paused", "waiting"]
    case .readOnly: ["● live", "read-only"]
    case .keptBack: ["● live", "±1 staged"]
    default: ["● live"]
    }
  }

  /// The reason why data may be out of date, above the footer; nil if there is none.
  var staleReason: String? {
    switch self {
    case .storeFailed: "The folder garden is gone"
    case .stale: "garden.json cannot be read"
    case .offline: "The server is unreachable"
    default: nil
    }
  }

  /// The mark of a row with changes that the store does not have; nil if there is no such row.
  var pendingMark: String? {
    switch self {
    case .pending, .offline: "↑"
    case .keptBack: "±"
    default: nil
    }
  }

  /// Whether the results have rows when the scene opens and afterwards.
  var hasRows: Bool {
    switch self {
    case .noNamespaces, .noRows, .loading, .queryRefused, .rowsGone: false
    default: true
    }
  }

  /// Whether names, values and typed text have wide, right-to-left and control characters.
  var hasWideText: Bool { self == .wideText || self == .wideTextSmall }

  /// The characters of names and values, as opposed to those that the program draws.
  var dataScalars: Set<Unicode.Scalar> {
    Set(("梅é\u{FFFD}" + (hasWideText ? Self.wide + Self.pasted : "")).unicodeScalars)
  }

  /// Plants with names and attributes that are hard to show.
  private static let wide = """
    [{"key": "k1", "name": "漢字の名前がとても長い植物です", "height": 1, "note": "한국어 설명", "bed": "pond",
      "高さ": "たかさ", "\\u001b[2Jgone": "a\\u001b]0;x\\u0007"},
     {"key": "k2", "name": "مرحبا بالعالم", "height": 22, "note": "שלום עולם", "bed": "pond"},
     {"key": "k3", "name": "👩‍👩‍👧‍👦👍🏽🇫🇷❤️☝", "height": 333, "note": "বাংলা हिन्दी தமிழ்",
      "bed": "pond"},
     {"key": "k4", "name": "e\\u0301a\\u0308\\u0323", "height": 4444, "note": "a\\tb\\u001b[31m\\r\\n"}]
    """

  private static let pasted = "漢字مرحبا👍🏽e\u{301}\u{1B}[31m\tx"

  private static let one = #"[{"key": "fig", "name": "Fig", "height": 250, "bed": "south"}]"#

  private func store() throws -> TripleStore {
    switch self {
    case .noNamespaces: TripleStore()
    case .noRows: try Garden.store(plants: "[]")
    case .oneRow: try Garden.store(plants: Self.one)
    case .wideText, .wideTextSmall: try Garden.store(plants: Self.wide)
    default: try Garden.store()
    }
  }

  /// The screen with the scene open, in this state.
  func screen(of scene: Scene) throws -> Screen {
    var screen = try Screen(
      columns: size.columns, rows: size.rows,
      query: query, store: store(),
      readOnlyReason: self == .readOnly ? "Read-only. Restart with --write to edit." : nil,
      reducesMotion: self == .changedWithoutMotion,
      isScreenReader: self == .heard || self == .heardOffline)
    try prepare(&screen)
    try scene.open(on: &screen)
    try finish(&screen, scene)
    return screen
  }

  private var query: QueryPlan? {
    switch self {
    case .noNamespaces: nil
    case .loading: QueryPlan("beds")
    default: QueryPlan("plants").order("name")
    }
  }

  /// Brings the screen into the state before the scene opens, as far as necessary.
  private func prepare(_ screen: inout Screen) throws {
    switch self {
    // Keys would be queued until the first answer.
    case .loading:
      screen.isSlow = true
      try screen.play("Q ctrl-u 'plants order name' enter")
    case .queryRefused:
      guard let token = screen.watched.last?.token else { return }
      screen.handle(
        .live(
          token,
          .failed(
            LiveFailure(
              message: "The server rejected the query",
              hint: "The rules do not allow reading plants"
            ))))
    case .keptBack: try screen.play("P 4 0 l e ctrl-u '251' enter")
    case .paused: screen.press("p")
    default: break
    }
  }

  /// Brings the screen into the state while the scene is open.
  private func finish(_ screen: inout Screen, _ scene: Scene) throws {
    switch self {
    case .usual, .smallest, .larger, .largest, .heard, .noNamespaces, .noRows, .oneRow,
      .queryRefused, .readOnly, .keptBack:
      break
    case .wideText, .wideTextSmall:
      guard scene.focus == nil else { return }
      screen.handle(.terminal(.paste(Self.pasted)))
    case .loading:
      screen.handle(.tick(.now))
      if let deadline = screen.workspace.deadline { screen.handle(.tick(deadline)) }
    case .storeFailed: screen.handle(.storeFailed("The folder garden is gone"))
    case .rowsGone: screen.change(to: try Garden.store(plants: "[]"))
    case .stale: show(on: &screen, .stale(reason: "garden.json cannot be read"))
    case .offline, .heardOffline:
      show(
        on: &screen,
        .offline(since: 0, nextTry: nil, reason: "The server is unreachable"),
        pending: 2)
    case .archived: show(on: &screen, .archived(since: 0))
    case .connecting: show(on: &screen, .connecting)
    case .pending: show(on: &screen, .optimistic, pending: 1)
    case .paused, .changed, .changedWithoutMotion: try screen.changeThreeTimes()
    case .unfocused:
      // A digit begins a value in the menu of filters.
      screen.press(scene == .namespaces ? "4" : scene == .filterMenu ? "tab" : "1")
    }
  }

  private func show(
    on screen: inout Screen, _ freshness: StoreSnapshot.Freshness, pending: Int = 0
  ) {
    let touched = screen.store.rows(of: "plants").handles.prefix(pending)
      .map { screen.store.id(of: $0) }
    screen.show(
      StoreSnapshot(
        screen.store, freshness: freshness,
        pending: PendingChanges(count: pending, entities: Set(touched))))
  }
}
