import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// What a scene can look like at one time: how large it is and for whom, what the store holds, and
/// what becomes of it.
enum SceneState: String, CaseIterable, Sendable {
  // How large, and for whom.
  case usual, smallest, larger, largest, heard, heardOffline
  // What is there.
  case noNamespaces, noRows, oneRow, wideText, wideTextSmall
  // Waiting, and failed.
  case loading, queryRefused, storeFailed
  // What becomes of it while somebody looks.
  case rowsGone, stale, offline, archived, connecting, pending, paused
  // What may be done.
  case readOnly, keptBack
  // How it is painted.
  case changed, changedWithoutMotion, colourless, unfocused, onlyASCII

  /// What is seen, for the headings of the records.
  var words: String {
    switch self {
    case .usual: "80×24, five plants"
    case .smallest: "40×10"
    case .larger: "120×40"
    case .largest: "200×60"
    case .heard: "for who hears the screen, 60×14"
    case .heardOffline: "the same while the server is away"
    case .noNamespaces: "a store with nothing in it"
    case .noRows: "no plants"
    case .oneRow: "one plant"
    case .wideText: "names and values that are wide, run the other way, or would command a terminal"
    case .wideTextSmall: "the same at 40×10"
    case .loading: "the query is not answered yet"
    case .queryRefused: "the query is refused"
    case .storeFailed: "the store cannot be read any more"
    case .rowsGone: "all plants go while somebody looks"
    case .stale: "the file cannot be read, what was read is shown"
    case .offline: "the server is away, two changes wait for it"
    case .archived: "kept from earlier"
    case .connecting: "the server is being called"
    case .pending: "one change not confirmed yet"
    case .paused: "paused, and three changes wait"
    case .readOnly: "nothing may be changed"
    case .keptBack: "a change is kept back"
    case .changed: "three changes just came; what flashes is named before it"
    case .changedWithoutMotion: "the same, for whom nothing may move"
    case .colourless: "the lines that attributes stand out of, without colours"
    case .unfocused: "with the focus elsewhere; grounds are named before what they lie under"
    case .onlyASCII: "where only ASCII can be shown"
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

  /// How frames in this state are told.
  var telling: SceneTelling {
    switch self {
    case .changed, .changedWithoutMotion: .flashes
    case .colourless: .attributes
    case .unfocused: .grounds
    case .onlyASCII: .ascii
    default: .text
    }
  }

  /// Plants whose names, and the names of what they have, are hard to show.
  private static let wide = """
    [{"key": "k1", "name": "漢字の名前がとても長い植物です", "height": 1, "note": "한국어 설명", "bed": "pond",
      "高さ": "たかさ", "\\u001b[2Jgone": "a\\u001b]0;x\\u0007"},
     {"key": "k2", "name": "مرحبا بالعالم", "height": 22, "note": "שלום עולם", "bed": "pond"},
     {"key": "k3", "name": "👩‍👩‍👧‍👦👍🏽🇫🇷❤️☝", "height": 333, "note": "বাংলা हिन्दी தமிழ்",
      "bed": "pond"},
     {"key": "k4", "name": "e\\u0301a\\u0308\\u0323", "height": 4444, "note": "a\\tb\\u001b[31m\\r\\n"}]
    """

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

  /// The screen with somebody in the scene, as it is in this state.
  func screen(of scene: Scene) throws -> Screen {
    var screen = try Screen(
      columns: size.columns, rows: size.rows,
      query: self == .noNamespaces ? nil : QueryPlan("plants").order("name"), store: store(),
      readOnlyReason: self == .readOnly ? "It is open read-only: --write lets it be changed" : nil,
      reducesMotion: self == .changedWithoutMotion,
      isScreenReader: self == .heard || self == .heardOffline,
      isSlow: self == .loading)
    try before(&screen)
    try scene.enter(&screen)
    try after(&screen, scene)
    return screen
  }

  private func before(_ screen: inout Screen) throws {
    switch self {
    case .queryRefused:
      guard let token = screen.watched.last?.token else { return }
      screen.handle(
        .live(
          token,
          .failed(
            LiveFailure(
              message: "The server refuses the query", hint: "Its rules let nobody see plants"))))
    case .keptBack: try screen.play("P 4 0 l e ctrl-u '251' enter")
    case .paused: screen.press("p")
    default: break
    }
  }

  private func after(_ screen: inout Screen, _ scene: Scene) throws {
    switch self {
    case .usual, .smallest, .larger, .largest, .heard, .noNamespaces, .noRows, .oneRow,
      .queryRefused, .readOnly, .keptBack, .colourless, .onlyASCII:
      break
    case .wideText, .wideTextSmall:
      guard scene.focus == nil else { return }
      screen.handle(.terminal(.paste("漢字مرحبا👍🏽e\u{301}\u{1B}[31m\tx")))
    case .loading:
      screen.handle(.tick(.now))
      if let deadline = screen.model.deadline { screen.handle(.tick(deadline)) }
    case .storeFailed: screen.handle(.storeFailed("The folder garden is gone"))
    case .rowsGone: screen.change(to: try Garden.store(plants: "[]"))
    case .stale: become(&screen, .stale(reason: "The file cannot be read any more"))
    case .offline, .heardOffline:
      become(
        &screen,
        .offline(since: 0, nextTry: nil, reason: "The server cannot be reached: it is tried again"),
        pending: 2)
    case .archived: become(&screen, .archived(since: 0))
    case .connecting: become(&screen, .connecting)
    case .pending: become(&screen, .optimistic, pending: 1)
    case .paused, .changed, .changedWithoutMotion: try screen.changeThreeTimes()
    case .unfocused: screen.press(scene == .namespaces ? "4" : "1")
    }
  }

  private func become(
    _ screen: inout Screen, _ freshness: StoreSnapshot.Freshness, pending: Int = 0
  ) {
    let touched = screen.store.rows(of: "plants").handles.prefix(pending)
      .map { screen.store.id(of: $0) }
    screen.show(
      StoreSnapshot(
        screen.store, freshness: freshness,
        pending: PendingChanges(count: pending, entities: Set(touched))))
  }
}
