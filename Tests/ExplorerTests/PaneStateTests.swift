import Explorer
import Foundation
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

/// Screens in states that concern more than one pane.
@Suite("Screens in special states")
struct PaneStateTests {
  struct State: Sendable, CustomTestStringConvertible {
    let name: String
    var columns = 90
    var rows = 18
    var plants: String?
    var query: String? = "plants order name"
    var isReadOnly = false
    /// The keys to press first, separated by spaces. Text in quotes is typed.
    var keys = ""
    /// Whether the screen shows durations of a real clock.
    var isTimed = false
    /// The end of the header.
    var header = ""
    /// Lines of the screen, one below the other.
    var block = ""
    /// The last row.
    var footer = ""
    /// The events after the keys.
    var then: @Sendable (inout Screen) throws -> Void = { _ in }

    /// Whether the whole screen is recorded, instead of a part of it above.
    var isRecorded: Bool { header.isEmpty && block.isEmpty && footer.isEmpty }

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
    // Data that is out of date or cannot be changed.
    State(name: "stale", then: becoming(.stale(reason: "garden.json cannot be read"))),
    State(
      name: "offline", isReadOnly: true,
      then: becoming(
        .offline(since: 0, nextTry: nil, reason: "The server is unreachable"),
        pending: 2)),
    State(
      name: "server-takes-no-changes", header: "● live  tx 0  read-only",
      footer: " The server does not accept changes",
      then: { screen in
        screen.show(
          StoreSnapshot(screen.store).readOnly(because: "The server does not accept changes"))
        screen.press("e")
      }),
    State(
      name: "saved", header: "◌ cached  tx 0",
      block: """
        ├─ [4] Results ───────────────────────────────────────────────────────────── row 1 of 5 ─┤
        │ ↑name         height  edible  sown        note  key   bed                              │
        │ Fig              250  true    2019-04-01  ·     fig   South wall →                     │
        """, then: becoming(.archived(since: 0))),
    State(
      name: "connecting", columns: 40, rows: 10, header: "… connecting",
      block: """
        │                                      │
        ├─ [4] Results ───── row 1 of 5 · top ─┤
        │ ↑name  height  edible  sown         ›│
        │ Fig       250  true    2019-04-01    █
        │ Iris       80  false   2022-03-15    │
        """, then: becoming(.connecting)),
    State(
      name: "pending", header: "● live  ↑3 pending",
      block: """
        ├─ [4] Results ───────────────────────────────────────────────────────────── row 1 of 5 ─┤
        │ ↑name         height  edible  sown        note  key   bed                              │
        │ Fig              250  true    2019-04-01  ·     fig   South wall →                     │
        """, then: becoming(.optimistic, pending: 3)),
    State(
      name: "store-failed", header: "✕ stale",
      block: """
        ╰────────────────────────────────────────────────────────────────────────────────────────╯
         The folder garden is gone
        """,
      footer: " enter open  f filter  e edit  / find  s sort  # count  : column  ? help  q quit",
      then: { $0.handle(.storeFailed("The folder garden is gone")) }),
    State(
      name: "paused", keys: "p", header: "‖ paused",
      block: """
        ├─ [4] Results ───────────────────────────────────────────────────────────── row 1 of 5 ─┤
        │ ↑name         height  edible  sown        note  key   bed                              │
        │ Fig              250  true    2019-04-01  ·     fig   South wall →                     │
        │ Iris              80  false   2022-03-15  ·     iris  By the pond →                    │
        │ Mint              40  true    2023-05-02  ·     mint  By the pond →                    │
        │ Odd␛[31m␉one  12,345  false   ·           é     odd   ·                                │
        │ 梅 Ume           310  true    ∅           ·     ume   South wall →                     │
        │                                                                                        │
        """, footer: " Live updates paused.  p resume",
      then: { try $0.change(to: Garden.store(plants: #"[{"key": "x", "name": "New"}]"#)) }),
    State(
      name: "read-only", isReadOnly: true, keys: "e", header: "● live  tx 0  read-only",
      footer: " Read-only. Restart with --write to edit."),
    // Nothing to show.
    State(name: "no-rows", plants: "[]"),
    State(
      name: "no-changes", columns: 70, keys: "C",
      block: """
        ╭─ [7] Changes ────────────────────────────────────────── 0 changes ─╮
        │ No changes since the store was opened. Later changes will appear   │
        │ here with the old and the new value.                               │
        """, footer: " v only this namespace  ? help  escape close"),
    State(
      name: "nothing-saved", keys: "B",
      block: """
        ╭─ Saved queries and history ─────────────────────────────────────── 0 saved · 0 recent ─╮
        │ No saved or recent queries yet.  b save query                                          │
        """, footer: " b save query  ? help  escape close",
      then: { $0.respond(.savedQueries([], history: [])) }),
    State(
      name: "subscriptions-waiting", keys: "W",
      block: """
        ╭─ [8] Live queries ─────────────────────────────────────────────────────────────────────╮
        │ Loading the live queries …                                                             │
        """, footer: " enter show rows  y copy  ? help  escape close"),
    State(
      name: "palette-nothing", keys: ": 'zzzz'",
      block: """
        ╭─ Command ──────────────────────────────────────── 0 matches ─╮
        │ zzzz                                                         │
        │ No match.                                                    │
        │                                                              │
        │                                                              │
        ╰──────────────────────────────────────────────────────────────╯
        """),
    State(
      name: "find-nothing", keys: "/ 'zzzz'",
      block: """
        ╭─ Find ─────────────────────────────────────────────────────────────────────────────────╮
        │ zzzz                                                                                   │
        │ No match for “zzzz”.                                                                   │
        ├─ [4] Results ───────────────────────────────────────────────────────────── row 1 of 5 ─┤
        """, footer: " enter done  escape cancel"),
    State(
      name: "entity-gone", keys: "enter",
      block: """
        ├─ [4] Results ──────── 5 removed · 0 rows ─┤╭─ [5] Fig ─────────── deleted from plants ─╮
        │ ↑name  height  edible  sown  note  key   ›││ This row no longer exists.                │
        │                                           ││ backspace back                            │
        │                                           ││                                           │
        │            plants has no rows.            ││                                           │
        │        1 choose another namespace         ││                                           │
        """, footer: " backspace back  ? help  escape close",
      then: { try $0.change(to: Garden.store(plants: "[]")) }),
    // Loading, and failed.
    State(
      name: "results-loading", header: "● live  tx 0",
      block: """
        ├─ [4] Results ───────────────────────────────────── loading ─┤
        │ Loading …                                                   │
        │                                                             │
        """,
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
      block: """
        ├─ [4] Results ──────────────── row 1 of 5 ─┤╭─ [6] Values of name ─────────── counting ─╮
        │ ↑name         height  edible  sown       ›││                                           │
        │ Fig              250  true    2019-04-01  ││                                           │
        │ Iris              80  false   2022-03-15  ││                                           │
        """,
      then: {
        $0.isSlow = true
        $0.press("z")
      }),
    State(
      name: "explain-out", keys: "F 'height > 100' enter x enter 'mint' enter",
      isTimed: true,
      block: """
        ╭─ Explain ──────────────────────────────────────────────────────────────────────────────╮
        │ Mint does not match: a condition is false
        │   ✗ height > 100  height is 40

        │ How the query is evaluated
        │   plants: height > 100
        │       scan; estimated 2, found 3 rows
        """),
    // Wide text in every view.
    State(name: "wide-table", plants: wide),
    State(
      name: "wide-tree", plants: wide, keys: "v",
      block: """
        ├─ [4] Results ──────────────────────────────────────────────── tree · row 1 of 4 · top ─┤
        │ 👩👩👧👦👍▒FR❤☝                                                                        █
        │   id      c64d20f9-c106-875d-bfdc-bbb10cdb2f02                                         █
        │   key     k3                                                                           █
        │   name    👩👩👧👦👍▒FR❤☝                                                              █
        │   height  333                                                                          │
        │   note    বাংলা हिन्दी தமிழ்                                                             │
        │ éạ̈                                                                                     │
        │   id      c64d20f9-bc06-875d-bfdc-bbb10cdb28db                                         │
        │   key     k4                                                                           │
        │   name    éạ̈                                                                           │
        │   height  4444                                                                         │
        """),
    State(
      name: "wide-json", plants: wide, keys: "v v",
      block: """
        ├─ [4] Results ──────────────────────────────────────────────── JSON · row 1 of 4 · top ─┤
        │ {                                                                                      █
        │   "id": "c64d20f9-c106-875d-bfdc-bbb10cdb2f02",                                        █
        │   "key": "k3",                                                                         █
        │   "name": "👩👩👧👦👍▒FR❤☝",                                                           █
        │   "height": 333,                                                                       │
        │   "note": "বাংলা हिन्दी தமிழ்"                                                           │
        │ }                                                                                      │
        │ {                                                                                      │
        │   "id": "c64d20f9-bc06-875d-bfdc-bbb10cdb28db",                                        │
        │   "key": "k4",                                                                         │
        │   "name": "éạ̈",                                                                        │
        """),
    State(
      name: "wide-entity", columns: 60, plants: wide, keys: "enter",
      block: """
        ╭─ [5] 👩👩👧👦👍▒FR❤☝ ─────────────────────────── plants ─╮
        │ key            k3                            unique text │
        │ name           👩👩👧👦👍▒FR❤☝                      text │
        │ height         333                                number │
        │ edible         ·                                 boolean │
        │ sown           ·                                    date │
        │ note           বাংলা हिन्दी தமிழ்                     text │
        │ id             c64d20f9-c106-875d-bfdc-bbb10cdb2f02      │
        │ → bed          ·                                  → beds │
        """),
    State(
      name: "wide-facets", columns: 60, plants: wide, keys: "z",
      block: """
        ╭─ [6] Values of name ─────────────── 4 distinct · 4 rows ─╮
        │ 👩👩👧👦👍▒FR❤☝            1  25% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
        │ éạ̈                         1  25% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
        │ مرحبا بالعالم              1  25% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
        │ 漢字の名前がとても長い植 … 1  25% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
        │                                                          │
        """),
    State(
      name: "wide-nested", plants: wide, query: "beds filter name = \"By the pond\"", keys: "$ >",
      block: """
        ├─ [4] Results ───────────────────────────────────────────────────────────── row 1 of 1 ─┤
        │ name         area  key   plants                                                        │
        │ By the pond     8  pond  ⇉ 2: 漢字の名前がとても長い植物です, مرحبا بالعالم            │
        │  ╰ plants 2                        height  edible  sown  note         key              │
        │    漢字の名前がとても長い植物です       1  ·       ·     한국어 설명  k1               │
        │    مرحبا بالعالم                       22  ·       ·     שלום עולם    k2               │
        │                                                                                        │
        """),
    // The smallest screen.
    State(
      name: "small-tree", columns: 40, rows: 10, keys: "v down down",
      block: """
        ╭─ [3] Query ──────────────────────────╮
        │ plants order name                    │
        │                                      │
        ├─ [4] Results ──── tree · row 1 of 5 ─┤
        │ Fig                                  █
        │   id      b1f43311-2308-800c-949a-f2…│
        │   key     fig                        │
        ╰──────────────────────────────────────╯
        """, footer: " v view  enter open  ? help  q quit"),
    State(
      name: "small-prompt", columns: 40, rows: 10, keys: "F",
      block: """
        ╭─ Filter ─────────────────────────────╮
        │  height >= 250 and bed.name = "Sout… │
        │ = != > < in like · and or            │
        ├─ [4] Results ───── row 1 of 5 · top ─┤
        │ ↑name  height  edible  sown         ›│
        │ Fig       250  true    2019-04-01    █
        │ Iris       80  false   2022-03-15    │
        ╰──────────────────────────────────────╯
        """, footer: " enter apply  escape cancel"),
    State(
      name: "small-completion", columns: 40, rows: 10, keys: "F 'hei'",
      block: """
        ╭─ Filter ─────────────────────────────╮
        │ hei                                  │
        │ ↓ choose a suggestion                │
        ├╭────────────────╮─ row 1 of 5 · top ─┤
        ││ height  number │ible  sown         ›│
        │╰────────────────╯ue    2019-04-01    █
        │ Iris       80  false   2022-03-15    │
        ╰──────────────────────────────────────╯
        """, footer: " enter apply  escape close list"),
    State(
      name: "small-complaint", columns: 40, rows: 10, keys: "F 'zz = 1'",
      block: """
        ╭─ Filter ─────────────────────────────╮
        │ zz = 1                               │
        │ = != > < in like · and or            │
        ╭──────────────────────────────────────╮
        │ Character 1: expected a field of     │
        │ 'plants', but found 'zz'.            │
        │ Available: id, key, name, height, …  │
        ╰──────────────────────────────────────╯
        """, footer: " enter apply  escape cancel"),
    State(
      name: "small-filter-menu", columns: 40, rows: 10, keys: "f",
      block: """
        ╭─ Filter by name ─── or type a value ─╮
        │ =  name = "Fig"                      █
        │ !  name != "Fig"                     █
        │ >  name > "Fig"        edit the val… █
        │ <  name < "Fig"        edit the val… █
        │ ~  name ilike "%Fig%"  edit the val… │
        │ _  name is null                      │
        ╰──────────────────────────────────────╯
        """, footer: " enter choose  ? help  escape close"),
    State(
      name: "small-copy-menu", columns: 40, rows: 10, keys: "y",
      block: """
        ╭─ Copy ───────────────────────────────╮
        │ c  cell                              █
        │ e  row as JSON                       █
        """, footer: " enter choose  ? help  escape close"),
    State(
      name: "small-offline", columns: 40, rows: 10, header: "✕ stale",
      block: """
        ├─ [4] Results ───── row 1 of 5 · top ─┤
        │ ↑name  height  edible  sown         ›│
        │ Fig       250  true    2019-04-01    █
        │ Iris       80  false   2022-03-15    │
        ╰──────────────────────────────────────╯
         garden was deleted or moved
        """, footer: " enter open  f filter  ? help  q quit",
      then: becoming(.stale(reason: "garden was deleted or moved"))),
  ]

  /// The names of the states whose whole screen is recorded.
  static var recorded: [String] { states.filter(\.isRecorded).map(\.name) }

  @Test("the screen shows the state", arguments: states)
  func state(_ state: State) throws {
    let screen = try Self.screen(of: state)
    if state.isRecorded { return try expectScreen(screen.text, named: "state-\(state.name)") }
    #expect(screen.row(0).hasSuffix(state.header))
    if !state.block.isEmpty {
      expectBlock(state.block, in: state.isTimed ? screen.text.withoutTimes : screen.text)
    }
    if !state.footer.isEmpty { #expect(screen.row(state.rows - 1) == state.footer) }
  }

  @Test(
    "colors show which pane is focused",
    arguments: [
      ("1", "[1] Namespaces"), ("2", "[2] plants"), ("3", "[3] Query"), ("1 4", "[4] Results"),
      ("F", "Filter"), ("4 enter", "[5] Fig"),
    ])
  func focus(keys: String, title: String) throws {
    let screen = try Self.screen(of: State(name: "focus", columns: 100, rows: 14, keys: keys))
    let frame = screen.workspace.view()
    #expect(frame.focusedTitles == [" \(title) "], "\(screen.text)")
    // The results keep their row, in the color of the selection only while they have the focus.
    let row = "2019-04-01"
    #expect(frame.rows(on: .selection).contains { $0.contains(row) } == (keys == "1 4"))
    let isKept = frame.rows(on: .selectionUnfocused).contains { $0.contains(row) }
    #expect(isKept == (keys != "1 4" && keys != "4 enter"), "\(screen.text)")
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
