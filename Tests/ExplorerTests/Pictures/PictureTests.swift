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
    var theme = "sonde-dark"
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
      name: "results", title: "The first sight",
      words: "Namespaces with their counts, the schema, the query and its live answer.",
      query: "countries order population desc", keys: ""),
    Picture(
      name: "nested", title: "A relation opened in place",
      words:
        "`>` opens what a row is linked with beneath it, and beneath that what it is linked with; "
        + "`<` folds it again. Each level has a cursor: its values are edited, filter and order.",
      query: "countries filter continent.name = \"Europe\" order population desc limit 12",
      keys: "$ h h > down down $ >"),
    Picture(
      name: "filter", title: "Filtering by a cell",
      words:
        "`f` offers what fits the value under the cursor; selected rows make a list of values.",
      query: "countries order population desc", keys: "space down space g l f"),
    Picture(
      name: "composing", title: "Typing a query",
      words: "`Q` is the whole query as text, with what could come next.", query: "cities",
      keys: "Q ctrl-u 'cities filter popu'"),
    Picture(
      name: "relations", title: "Choosing relations from a tree",
      words:
        "`w` lists the links to any depth; space takes one into the query, with its own filter, "
        + "order and limit.", query: "countries", keys: "w down down space"),
    Picture(
      name: "entity", title: "One entity",
      words: "All its values, its links forward and back; enter goes on.",
      query: "countries filter name = \"France\"", keys: "enter down down"),
    Picture(
      name: "tree", title: "The answer as a tree", words: "`v` turns between table, tree and JSON.",
      query: "continents fields name, code with countries { limit 3 fields name, population }",
      keys: "v down"),
    Picture(
      name: "json", title: "The answer as JSON", words: "The same answer, turned once more.",
      query: "continents fields name, code with countries { limit 3 fields name, population }",
      keys: "v v"),
    Picture(
      name: "facets", title: "The values of a column",
      words: "`z` counts them, with bars; numbers as ranges. Enter filters.",
      query: "cities filter population > 1_000_000", keys: "l z down"),
    Picture(
      name: "histogram", title: "The distribution of numbers",
      words: "Of numbers `z` counts ranges; enter keeps only one of them.",
      query: "cities filter population > 1_000_000 fields name, population", keys: "l z down"),
    Picture(
      name: "over-time", title: "Numbers over time",
      words: "Where there are dates, it draws how the numbers went as well.",
      query: "todos fields title, estimate, due", keys: "l z", demo: "goals"),
    Picture(
      name: "deep", title: "Three levels deep",
      words: "What is nested may nest in turn, each level with its own order, limit and fields.",
      query: "continents limit 3 fields name with countries { order population desc limit 3 "
        + "fields name with cities { order population desc limit 3 fields name, population } }",
      keys: "v down"),
    Picture(
      name: "explain", title: "Why a row is in or out",
      words: "`x` tells each condition true or false with the values that decide, then how the "
        + "query is answered.",
      query: "cities filter population > 5_000_000 and country.continent.name = \"Asia\"",
      keys: "x enter 'são paulo' enter", rows: 12),
    Picture(
      name: "changes", title: "What changed",
      words: "`C` lists every change since the store was opened, old and new.",
      query: "countries filter continent.name = \"Europe\" order name limit 20",
      keys: "e ' (Finland)' enter j e ctrl-u 'Shqipëria' enter U C"),
    Picture(
      name: "offline", title: "When the server is away",
      words: "What is shown is what was known last, and says so; changes wait and are counted.",
      query: "countries order population desc", keys: "", rows: 16,
      then: { screen in
        screen.show(
          StoreSnapshot(
            screen.store,
            freshness: .offline(since: 0, nextTry: nil, reason: "The server cannot be reached"),
            pending: PendingChanges(count: 2)))
      }),
    Picture(
      name: "subscriptions", title: "What is kept true",
      words:
        "`W` lists the queries that are watched: by how many, how fresh, how quickly answered.",
      query: "countries order population desc", keys: "4 W", rows: 20,
      then: { $0.handle(.watched(try watched())) }),
    Picture(
      name: "saved", title: "Saved queries and history",
      words: "`b` saves the query as a text file, `B` lists these and recent queries.",
      query: "countries order population desc", keys: "B", rows: 16,
      then: { $0.respond(.savedQueries(saved, history: asked)) }),
    Picture(
      name: "diagram", title: "The diagram", words: "`D` draws the namespaces and their links.",
      keys: "D", rows: 40),
    Picture(
      name: "marks", title: "Marked rows",
      words: "Space marks; `M` is what can be done to them all.",
      query: "countries order population desc", keys: "space space space M"),
    Picture(
      name: "columns", title: "Choosing columns",
      words: "`c` hides, orders, sizes and freezes them; it is remembered for each namespace.",
      query: "countries order population desc", keys: "c down space down down ! J"),
    Picture(
      name: "copying", title: "Copying",
      words: "`y` copies a cell, a row, a column, the answer or the query, also through ssh.",
      query: "countries order population desc", keys: "y down", rows: 20),
    Picture(
      name: "editing", title: "Changing a value",
      words: "`e` checks it against the schema as it is typed; `U` takes the change back.",
      query: "countries order population desc", keys: "e ctrl-u 'Zhōngguó'", rows: 16),
    Picture(
      name: "tabs", title: "Tabs", words: "`t` opens another one; `.` and `,` turn them.",
      query: "countries order population desc",
      keys: "t Q ctrl-u 'cities filter population > 10_000_000' enter", rows: 16),
    Picture(
      name: "export", title: "Writing to a file",
      words: "`E` writes the page, all matches, the selected rows or the whole store.",
      query: "countries order population desc", keys: "E right right"),
    Picture(
      name: "palette", title: "The palette",
      words: "`:` finds everything that can be done by name.",
      query: "countries", keys: ": 'col'"),
    Picture(
      name: "help", title: "Help", words: "`?` lists the keys of the pane that one is in.",
      query: "countries", keys: "?"),
    Picture(
      name: "themes", title: "Choosing a theme",
      words: "`A` lists all themes; the whole screen is shown in the one under the cursor.",
      query: "countries order population desc", keys: "A down", theme: "sonde-light"),
    Picture(
      name: "light", title: "On a light terminal", words: "Themes are files; `T` turns them.",
      query: "countries order population desc", keys: "down down", theme: "sonde-light", rows: 20),
    Picture(
      name: "high-contrast", title: "In high contrast",
      words: "`--theme high-contrast`: no information depends on a faint color.",
      query: "countries order population desc", keys: "space down down f", theme: "high-contrast",
      rows: 20),
    Picture(
      name: "mono", title: "Without colours",
      words: "`--theme mono`, and `NO_COLOR` with any theme: bold, underlined and turned around.",
      query: "countries order population desc", keys: "space down down f", theme: "mono", rows: 20),
    Picture(
      name: "heard", title: "For a screen reader",
      words:
        "`--screen-reader`: a pane at a time, a line a row, no boxes; the terminal's cursor is "
        + "where the focus is.",
      query: "countries fields name, population order population desc", keys: "4 down",
      rows: 16, isScreenReader: true),
    Picture(
      name: "smallest", title: "At 40×10", words: "Where there is little room, a side at a time.",
      query: "countries order population desc", keys: "l f", columns: 40, rows: 10),
    Picture(
      name: "small", title: "At 80×24", words: "All of it works on the smallest usual screen.",
      query: "countries order population desc", keys: "down down", columns: 80, rows: 24),
  ]

  @Test("each picture shows the current program", arguments: pictures)
  func picture(_ picture: Picture) throws {
    var screen = try Screen(
      columns: picture.columns, rows: picture.rows,
      query: try picture.query.map { try #require(QueryDocument(text: $0).plans.first) },
      store: picture.demo == "world" ? Self.world : try DemoData.store(picture.demo),
      name: picture.demo, isScreenReader: picture.isScreenReader)
    screen.themes = try Self.themes()
    try screen.play(picture.keys)
    try picture.then(&screen)
    let file = ReadmeTests.checkout.appending(path: "themes/\(picture.theme).toml")
    let theme = try Theme(toml: String(contentsOf: file, encoding: .utf8), file: file.path)
    let svg = FramePicture(frame: screen.model.view(), theme: theme).svg
    try expect(svg, in: "docs/pictures/\(picture.name).svg")
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
      # The screens of Sonde

      Drawn from the program itself by `make pictures`, with the bundled demo `world`; a test notices
      when one no longer shows the program as it is.


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
          subscribers: 1, freshness: .live, rows: 250, evaluations: 1, updates: 12,
          elapsed: .microseconds(420), deliveredTransaction: 13), answeredAt: "12:04:31"),
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "cities filter population > 5_000_000"),
          state: .loading, subscribers: 2)),
    ]
  }

  private static let world: TripleStore? = try? DemoData.store()

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
