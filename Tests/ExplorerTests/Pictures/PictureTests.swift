import DataSources
import Explorer
import Foundation
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

/// Pictures of the screen, and the page that shows them, made from the program itself.
///
/// `make pictures` redraws them; the difference is then reviewed like any other.
@Suite("The pictures of the screen")
struct PictureTests {
  struct Picture: Sendable, CustomTestStringConvertible {
    let name: String
    let title: String
    let words: String
    var query: String? = nil
    /// Keys to press, blanks between them; what stands in quotes is typed.
    let keys: String
    /// The only theme of the picture; nil for a dark and a light one.
    var theme: String? = nil
    var columns = 120
    var rows = 30
    var demo = "world"
    var isScreenReader = false
    /// What happens outside after the keys.
    var then: @Sendable (inout Screen) throws -> Void = { _ in }

    var testDescription: String { name }
  }

  static let pictures = [
    Picture(
      name: "results", title: "The main screen",
      words: "Namespaces with row counts, the schema, the query, its live results and, "
        + "from 120 columns on, the record of the selected row. If the rows need the "
        + "space, the record takes the place of Namespaces and Schema; `1` and `2` "
        + "bring them back, and a width that you set with `(` and `)` keeps them.",
      query: "countries order population desc", keys: "", columns: 150),
    Picture(
      name: "nested", title: "Expanded relations",
      words: "`>` expands linked rows below a row, to any depth, and `<` collapses them; `*` "
        + "does both for all visible rows. At each level you can edit values, filter and sort.",
      query: "countries filter continent.name = \"Europe\" order population desc limit 12",
      keys: "$ h h > down down $ >"),
    Picture(
      name: "filter", title: "Filtering by a cell",
      words: "`f` offers filters for the value under the cursor; after `>` or `<`, or with a "
        + "letter, you can type another value. Selected rows give a list of values.",
      query: "countries order population desc", keys: "space down space g l f"),
    Picture(
      name: "composing", title: "Typing a query",
      words: "`Q` edits the whole query as text, with completions; `F1` opens the "
        + "reference of the language.", query: "cities",
      keys: "Q ctrl-u 'cities filter popu'"),
    Picture(
      name: "relations", title: "Including relations",
      words: "`w` lists the links to any depth; space includes one in the query, with its "
        + "own filter, order and limit.", query: "countries", keys: "w down down space"),
    Picture(
      name: "entity", title: "A record",
      words: "All values of one row, and its links in both directions; enter follows a link, "
        + "`>` and `<` expand and collapse a long value.",
      query: "countries filter name = \"France\"", keys: "enter down down"),
    Picture(
      name: "tree", title: "Results as a tree",
      words: "`v` switches between table, tree and JSON. Trees and JSON show the relations that "
        + "the query includes; `w` includes one. `<` and `>` collapse and expand a nested value or "
        + "the whole row, `*` all nested values.",
      query: "continents fields name, code with countries { limit 3 fields name, population }",
      keys: "v down"),
    Picture(
      name: "json", title: "Results as JSON",
      words: "The same results after another `v`.",
      query: "continents fields name, code with countries { limit 3 fields name, population }",
      keys: "v v"),
    Picture(
      name: "facets", title: "Value counts",
      words: "`z` counts the values of a column and shows bars. Enter filters by a value.",
      query: "cities filter population > 1_000_000", keys: "l z down"),
    Picture(
      name: "histogram", title: "Distribution of numbers",
      words: "For numbers, `z` counts ranges; enter filters by a range.",
      query: "cities filter population > 1_000_000 fields name, population", keys: "l z down"),
    Picture(
      name: "over-time", title: "Numbers over time",
      words: "If rows have dates, `z` also draws the numbers over time.",
      query: "todos fields title, estimate, due", keys: "l z", demo: "goals"),
    Picture(
      name: "deep", title: "Three levels deep",
      words: "Nested rows can contain nested rows, each level with its own order, limit and "
        + "fields.",
      query: "continents limit 3 fields name with countries { order population desc limit 3 "
        + "fields name with cities { order population desc limit 3 fields name, population } }",
      keys: "v down"),
    Picture(
      name: "explain", title: "Explaining a row",
      words: "`x` shows each condition as true or false with its values, then how the query "
        + "was evaluated.",
      query: "cities filter population > 5_000_000 and country.continent.name = \"Asia\"",
      keys: "x enter 'são paulo' enter", rows: 12),
    Picture(
      name: "changes", title: "Changes",
      words: "`C` lists every change since the store was opened, with the old and the new "
        + "value.",
      query: "countries filter continent.name = \"Europe\" order name limit 20",
      keys: "e 'Åland' enter j e 'Shqipëria' enter U C"),
    Picture(
      name: "offline", title: "Offline",
      words: "The last known data is shown and marked; changes are queued and counted.",
      query: "countries order population desc", keys: "", rows: 16,
      then: { screen in
        screen.show(
          StoreSnapshot(
            screen.store,
            freshness: .offline(since: 0, nextTry: nil, reason: "The server cannot be reached"),
            pending: PendingChanges(count: 2)))
      }),
    Picture(
      name: "subscriptions", title: "Live queries",
      words: "`W` lists the live queries with their subscribers, their freshness and their "
        + "evaluation time.",
      query: "countries order population desc", keys: "4 W", rows: 20,
      then: { $0.handle(.watched(try watched())) }),
    Picture(
      name: "saved", title: "Saved queries and history",
      words: "`b` saves the query as a text file, `B` lists saved and recent queries.",
      query: "countries order population desc", keys: "B", rows: 16,
      then: { $0.respond(.savedQueries(saved, history: asked)) }),
    Picture(
      name: "diagram", title: "Schema diagram",
      words: "`D` draws the namespaces and their links.",
      keys: "D", rows: 40),
    Picture(
      name: "marks", title: "Selected rows",
      words: "Space selects rows; `M` shows, copies or deletes them.",
      query: "countries order population desc", keys: "space space space M"),
    Picture(
      name: "columns", title: "Columns",
      words: "`c` shows, hides, moves, resizes and freezes columns; the layout is remembered "
        + "for each namespace.",
      query: "countries order population desc", keys: "c down space down down ! J"),
    Picture(
      name: "copying", title: "Copying",
      words: "`y` copies a cell, a row, a column, the results (as JSON, CSV or Markdown) or the "
        + "query, also over ssh.",
      query: "countries order population desc", keys: "y down", rows: 20),
    Picture(
      name: "editing", title: "Editing a value",
      words: "`e` checks the value against the schema while you type; `U` undoes the change.",
      query: "countries order population desc", keys: "e ctrl-u 'Zhōngguó'", rows: 16),
    Picture(
      name: "tabs", title: "Tabs",
      words: "`t` opens a tab; `.` and `,` switch tabs.",
      query: "countries order population desc",
      keys: "t Q ctrl-u 'cities filter population > 10_000_000' enter", rows: 16),
    Picture(
      name: "export", title: "Exporting to a file",
      words: "`E` writes the visible rows, all matches, the selected rows or the whole "
        + "store.",
      query: "countries order population desc", keys: "E right right"),
    Picture(
      name: "palette", title: "Command palette",
      words: "`:` finds every command by name.",
      query: "countries", keys: ": 'col'"),
    Picture(
      name: "help", title: "Help",
      words: "`?` lists the keys of the focused pane.",
      query: "countries", keys: "?"),
    Picture(
      name: "themes", title: "Themes",
      words: "`A` lists all themes and previews the one under the cursor on the whole "
        + "screen.",
      query: "countries order population desc", keys: "A down", theme: "sonde-light"),
    Picture(
      name: "light", title: "A light theme",
      words: "Themes are files; `alt-t` switches to the next one.",
      query: "countries order population desc", keys: "down down", theme: "sonde-light", rows: 20),
    Picture(
      name: "high-contrast", title: "High contrast",
      words: "`--theme high-contrast`: no information depends on a faint color.",
      query: "countries order population desc", keys: "space down down f", theme: "high-contrast",
      rows: 20),
    Picture(
      name: "mono", title: "Without colors",
      words: "`--theme mono`, and `NO_COLOR` with any theme: bold, underlined and inverse "
        + "text.",
      query: "countries order population desc", keys: "space down down f", theme: "mono", rows: 20),
    Picture(
      name: "heard", title: "Screen-reader mode",
      words: "`--screen-reader`: one pane at a time, one line per row, no boxes; the "
        + "terminal's cursor is at the focus.",
      query: "countries fields name, population order population desc", keys: "4 down",
      rows: 16, isScreenReader: true),
    Picture(
      name: "smallest", title: "At 40×10",
      words: "On a small screen, one side is shown at a time.",
      query: "countries order population desc", keys: "l f", columns: 40, rows: 10),
    Picture(
      name: "small", title: "At 80×24",
      words: "Everything works on the smallest common screen.",
      query: "countries order population desc", keys: "down down", columns: 80, rows: 24),
  ]

  @Test("each picture shows the current program", arguments: pictures)
  func picture(_ picture: Picture) throws {
    var screen = try Screen(
      columns: picture.columns, rows: picture.rows,
      query: try picture.query.map { try #require(QueryDocument(text: $0).plans.first) },
      store: try DemoData.store(picture.demo),
      name: picture.demo, isScreenReader: picture.isScreenReader)
    screen.themes = try Self.themes()
    try screen.play(picture.keys)
    try picture.then(&screen)
    let svg = FramePicture(
      frame: screen.workspace.view(), theme: try Self.theme(picture.theme ?? "sonde-dark"),
      light: picture.theme == nil ? try Self.theme("sonde-light") : nil
    ).svg
    try expect(svg, in: "docs/pictures/\(picture.name).svg")
  }

  private static func theme(_ name: String) throws -> Theme {
    let file = ReadmeTests.checkout.appending(path: "themes/\(name).toml")
    return try Theme(toml: String(contentsOf: file, encoding: .utf8), file: file.path)
  }

  // MARK: In motion

  /// Keys of the moving picture, and how long their last frame is shown, in milliseconds. Text in
  /// quotes is typed letter by letter.
  private static let run: [(keys: String, pause: Int)] = [
    ("1", 1_200), ("/ 'cit'", 900), ("enter", 1_400),
    ("l s s", 1_500), ("F 'country.continent.name = \"Europe\"'", 900), ("enter", 1_600),
    ("down down", 700), ("$", 900), (">", 1_800), ("<", 700),
    ("0 enter", 1_800), ("escape", 600), ("v", 1_500), ("v v", 700),
    (": 'group'", 1_200), ("escape", 500), ("D", 1_800), ("escape", 900),
  ]

  /// The duration of a frame between two keys, in milliseconds.
  private static let stroke = 220
  private static let letter = 70

  @Test("the moving picture shows the current program")
  func motion() throws {
    var screen = try Screen(
      columns: 100, rows: 24, query: QueryPlan("countries"), store: DemoData.store(),
      name: "world")
    screen.themes = try Self.themes()
    var shots: [MovingPicture.Shot] = [(screen.workspace.view(), 1_500)]
    func shoot(_ duration: Int) { shots.append((screen.workspace.view(), duration)) }
    for (keys, pause) in Self.run {
      for (place, part) in keys.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      {
        if place.isMultiple(of: 2) {
          for key in part.split(separator: " ") {
            screen.press(String(key))
            shoot(Self.stroke)
          }
        } else {
          for letter in part {
            screen.type(String(letter))
            shoot(Self.letter)
          }
        }
      }
      shots[shots.count - 1].duration = pause
    }
    let picture = MovingPicture(
      shots: shots, theme: try Self.theme("sonde-dark"), light: try Self.theme("sonde-light"),
      still: 0)
    try expect(picture.svg, in: "docs/pictures/motion.svg")
  }

  @Test("the page lists them all")
  func page() throws {
    let sections = Self.pictures.map { picture in
      """
      ## \(picture.title)

      \(picture.words)

      ![\(picture.title)](pictures/\(picture.name).svg)

      """
    }
    let head = """
      # Screens

      `make pictures` draws these pictures with the program itself and its bundled demos; a test fails if
      one is out of date. They are dark or light, as your browser prefers.

      ![Sonde in motion](pictures/motion.svg)


      """
    try expect(head + sections.joined(separator: "\n"), in: "docs/screens.md")
  }

  /// The bundled themes, and an unfinished one.
  private static func themes() throws -> [ThemeListing] {
    let folder = ReadmeTests.checkout.appending(path: "themes")
    func file(_ name: String) -> Theme.File? {
      let path = folder.appending(path: name + ".toml")
      return (try? String(contentsOf: path, encoding: .utf8)).map {
        Theme.File(path: path.path, toml: $0)
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(".toml".count)) }
    let bundled = try names.compactMap { name in
      try file(name).map {
        try Theme(toml: $0.toml, file: $0.path) { name, _ in file(name) }.named(name)
      }
    }.map { ThemeListing(name: $0.name, isOwn: false, reading: .theme($0)) }
    let own = ThemeListing(
      name: "midnight", isOwn: true,
      reading: .broken(
        "themes/midnight.toml, line 7: unknown role 'titel'. Did you mean 'title'?"))
    return (bundled + [own]).sorted { $0.name < $1.name }
  }

  private static let saved = [
    SavedQuery(name: "big cities", store: "world", text: "cities filter population > 5_000_000"),
    SavedQuery(
      name: "euro", store: "world",
      text: "countries filter currency.code = \"EUR\" with capital { fields name }"),
  ]

  private static let asked = ["countries order population desc", "languages limit 20"].map {
    HistoryEntry(store: "world", text: $0, when: .init(sinceEpoch: .zero))
  }

  private static func watched() throws -> [WatchedLine] {
    [
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "countries order population desc"), state: .loaded,
          subscribers: 1, freshness: .live, rows: 250,
          work: .init(evaluations: 1, updates: 12, elapsed: .microseconds(420)),
          deliveredTransaction: 13), answeredAt: "12:04:31"),
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "cities filter population > 5_000_000"),
          state: .loading, subscribers: 2)),
    ]
  }

  /// Compares a file of the checkout with a text, or writes it when pictures are redrawn.
  private func expect(
    _ text: String, in path: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let file = ReadmeTests.checkout.appending(path: path)
    if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try Data(text.utf8).write(to: file)
    }
    let isSame = try String(contentsOf: file, encoding: .utf8) == text
    #expect(isSame, "make pictures draws \(path) anew", sourceLocation: location)
  }
}

extension Screen {
  /// Presses keys by name and types what stands in quotes.
  mutating func play(_ script: String) throws {
    for (place, part) in script.split(separator: "'", omittingEmptySubsequences: false).enumerated()
    {
      if place.isMultiple(of: 2) { press(String(part)) } else { type(String(part)) }
    }
  }
}
