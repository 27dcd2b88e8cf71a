import Explorer
import Foundation
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

/// Whole screens in states that say something of more than one pane; what is of each pane alone stands
/// in the table of `EachSceneInEachStateTests`.
@Suite("Screens in special states")
struct PaneStateTests {
  struct State: Sendable, CustomTestStringConvertible {
    let name: String
    var columns = 90
    var rows = 18
    var plants: String?
    var query: String? = "plants order name"
    var isReadOnly = false
    /// Keys pressed first, blanks between them; what stands in quotes is typed.
    var keys = ""
    /// Whether a real clock's times are on it.
    var isTimed = false
    /// What happens after them.
    var then: @Sendable (inout Screen) throws -> Void = { _ in }

    var testDescription: String { name }
  }

  private static let wide = """
    [{"key": "k1", "name": "漢字の名前がとても長い植物です", "height": 1, "note": "한국어 설명", "bed": "pond"},
     {"key": "k2", "name": "مرحبا بالعالم", "height": 22, "note": "שלום עולם", "bed": "pond"},
     {"key": "k3", "name": "👩‍👩‍👧‍👦👍🏽🇫🇷❤️☝", "height": 333, "note": "বাংলা हिन्दी தமிழ்"},
     {"key": "k4", "name": "e\\u0301a\\u0308\\u0323", "height": 4444, "note": "a\\tb\\u001b[31m\\r\\n"}]
    """

  private static func becoming(
    _ freshness: StoreSnapshot.Freshness, pending: Int = 0
  ) -> @Sendable (inout Screen) throws -> Void {
    { screen in
      screen.show(
        StoreSnapshot(
          screen.store, freshness: freshness, pending: PendingChanges(count: pending)))
    }
  }

  private static let states: [State] = [
    // Not the present truth, or not to be changed.
    State(name: "stale", then: becoming(.stale(reason: "garden.json cannot be read"))),
    State(
      name: "offline", isReadOnly: true,
      then: becoming(
        .offline(since: 0, nextTry: nil, reason: "The server is unreachable"),
        pending: 2)),
    State(
      name: "server-takes-no-changes",
      then: { screen in
        screen.show(
          StoreSnapshot(screen.store).readOnly(because: "The server does not accept changes"))
        screen.press("e")
      }),
    State(name: "saved", then: becoming(.archived(since: 0))),
    State(name: "connecting", columns: 40, rows: 10, then: becoming(.connecting)),
    State(name: "pending", then: becoming(.optimistic, pending: 3)),
    State(
      name: "store-failed", then: { $0.handle(.storeFailed("The folder garden is gone")) }),
    State(
      name: "paused", keys: "p",
      then: { try $0.change(to: Garden.store(plants: #"[{"key": "x", "name": "New"}]"#)) }),
    State(name: "read-only", isReadOnly: true, keys: "e"),
    // Nothing there.
    State(name: "no-rows", plants: "[]"),
    State(name: "no-changes", columns: 70, keys: "C"),
    State(name: "nothing-saved", keys: "B", then: { $0.respond(.savedQueries([], history: [])) }),
    State(name: "subscriptions-waiting", keys: "W"),
    State(name: "palette-nothing", keys: ": 'zzzz'"),
    State(name: "find-nothing", keys: "/ 'zzzz'"),
    State(
      name: "entity-gone", keys: "enter",
      then: { try $0.change(to: Garden.store(plants: "[]")) }),
    // Waiting, and failed.
    State(
      name: "results-loading",
      then: {
        $0.isSlow = true
        $0.press("1 up enter 1")
      }),
    State(
      name: "query-failed",
      then: { screen in
        guard let token = screen.watched.last?.token else { return }
        screen.handle(
          .live(
            token,
            .failed(
              LiveFailure(
                message: "The server rejected the query",
                hint: "The rules do not allow reading plants"))))
      }),
    State(
      name: "facets-counting",
      then: {
        $0.isSlow = true
        $0.press("z")
      }),
    State(
      name: "explain-out", keys: "F 'height > 100' enter x enter 'mint' enter",
      isTimed: true),
    // Wide text, in every form.
    State(name: "wide-table", plants: wide),
    State(name: "wide-tree", plants: wide, keys: "v"),
    State(name: "wide-json", plants: wide, keys: "v v"),
    State(name: "wide-entity", columns: 60, plants: wide, keys: "enter"),
    State(name: "wide-facets", columns: 60, plants: wide, keys: "z"),
    State(
      name: "wide-nested", plants: wide, query: "beds filter name = \"By the pond\"", keys: "$ >"),
    // As small as it can be.
    State(name: "small-tree", columns: 40, rows: 10, keys: "v down down"),
    State(name: "small-prompt", columns: 40, rows: 10, keys: "F"),
    State(name: "small-completion", columns: 40, rows: 10, keys: "F 'he'"),
    State(name: "small-complaint", columns: 40, rows: 10, keys: "F 'zz = 1'"),
    State(name: "small-filter-menu", columns: 40, rows: 10, keys: "f"),
    State(
      name: "small-offline", columns: 40, rows: 10,
      then: becoming(.stale(reason: "garden was deleted or moved"))),
  ]

  @Test("the screen matches the recording", arguments: states)
  func state(_ state: State) throws {
    let screen = try Self.screen(of: state)
    let text = state.isTimed ? screen.text.withoutTimes : screen.text
    try expectScreen(text, named: "state-\(state.name)")
  }

  @Test("there are no unused recordings")
  func used() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Screens")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let names = Set(Self.states.map { "state-\($0.name).txt" })
    #expect(Set(files.filter { $0.hasPrefix("state-") }) == names)
  }

  @Test(
    "colors show which pane is focused", arguments: ["1", "2", "3", "1 4", "F", "4 enter"])
  func focus(keys: String) throws {
    let name = keys.filter { $0 != " " }
    let screen = try Self.screen(of: State(name: name, columns: 100, rows: 14, keys: keys))
    try expectScreen(screen.workspace.view().paintedText, named: "focus-\(name)")
  }

  private static func screen(of state: State) throws -> Screen {
    var screen = try Screen(
      columns: state.columns, rows: state.rows,
      query: try state.query.map { try #require(QueryDocument(text: $0).plans.first) },
      store: Garden.store(plants: state.plants ?? Garden.plants),
      readOnlyReason: state.isReadOnly ? "Read-only. Restart with --write to edit." : nil)
    try screen.play(state.keys)
    try state.then(&screen)
    return screen
  }
}
