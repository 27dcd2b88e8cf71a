import DataSources
import DataSourcesTesting
import Notebooks
import Testing

private func moment(_ second: Int) -> WallClock.Instant {
  .init(sinceEpoch: .seconds(second) + .nanoseconds(123_456_789))
}

private func query(_ name: String, in store: String = "world", text: String = "cities")
  -> SavedQuery
{
  SavedQuery(name: name, store: store, text: text)
}

/// A notebook in memory or in a file.
private enum Place: CaseIterable {
  case memory, file

  func notebook(in folder: TemporaryFolder, historyLimit: Int = History.limit) -> Notebook {
    switch self {
    case .memory: .inMemory(historyLimit: historyLimit)
    case .file:
      Notebook(
        StateFile(path: folder.file("notebook")),
        queries: QueryFolder(path: folder.file("queries")), historyLimit: historyLimit)
    }
  }
}

@Suite struct `A notebook` {
  @Test(arguments: Place.allCases)
  fileprivate func `saved queries are sorted by name, for one store or all`(
    place: Place
  ) async throws {
    let folder = TemporaryFolder()
    let notebook = place.notebook(in: folder)
    for query in [query("b"), query("a", in: "goals"), query("a")] {
      try await notebook.save(query)
    }

    let all = try await notebook.savedQueries()
    let world = try await notebook.savedQueries(in: "world")

    #expect(all == [query("a", in: "goals"), query("a"), query("b")])
    #expect(world == [query("a"), query("b")])
  }

  @Test(arguments: Place.allCases)
  fileprivate func `saving under the same name replaces a query, and removing deletes it`(
    place: Place
  ) async throws {
    let folder = TemporaryFolder()
    let notebook = place.notebook(in: folder)
    try await notebook.save(query("a"))

    try await notebook.save(query("a", text: "countries"))
    let replaced = try await notebook.savedQueries()
    try await notebook.remove(query("a"))
    try await notebook.remove(query("a"))

    #expect(replaced == [query("a", text: "countries")])
    #expect(try await notebook.savedQueries() == [])
  }

  @Test(arguments: Place.allCases)
  fileprivate func `the history is newest first, without duplicates, and limited`(
    place: Place
  ) async throws {
    let folder = TemporaryFolder()
    let notebook = place.notebook(in: folder, historyLimit: 3)

    for (second, text) in ["a", "b", "a", "c", "d"].enumerated() {
      try await notebook.record(HistoryEntry(store: "world", text: text, when: moment(second)))
    }

    #expect(try await notebook.history().entries.map(\.text) == ["d", "c", "a"])
  }

  @Test(arguments: Place.allCases)
  fileprivate func `columns, last view and screen have defaults until they are stored`(
    place: Place
  ) async throws {
    let folder = TemporaryFolder()
    let notebook = place.notebook(in: folder)
    let columns = ColumnSettings(
      hidden: ["id"], order: ["name"], frozen: ["name"], widths: ["name": 12])
    let view = LastView(query: "cities limit 3", cursor: "paris")
    let screen = ScreenSettings(theme: "mono", splits: ["side": 24])

    #expect(try await notebook.columns(of: "cities", in: "world") == ColumnSettings())
    #expect(try await notebook.lastView(of: "world") == LastView())
    #expect(try await notebook.screen() == ScreenSettings())
    try await notebook.save(columns, of: "cities", in: "world")
    try await notebook.save(view, of: "world")
    try await notebook.save(screen)

    #expect(try await notebook.columns(of: "cities", in: "world") == columns)
    #expect(try await notebook.columns(of: "cities", in: "goals") == ColumnSettings())
    #expect(try await notebook.lastView(of: "world") == view)
    #expect(try await notebook.screen() == screen)
    try await notebook.changeScreen { $0.theme = "nord" }
    #expect(try await notebook.screen() == ScreenSettings(theme: "nord", splits: ["side": 24]))
  }

  @Test func `two processes that record at the same time lose nothing`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("notebook")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for program in ["left", "right"] {
        group.addTask {
          let notebook = Notebook(
            StateFile(path: path), queries: QueryFolder(path: folder.file("queries")))
          for number in 0..<10 {
            try await notebook.record(
              HistoryEntry(store: program, text: "\(number)", when: moment(number)))
          }
        }
      }
      try await group.waitForAll()
    }

    let notebook = Notebook(
      StateFile(path: path), queries: QueryFolder(path: folder.file("queries")))
    #expect(try await notebook.history().entries.count == 20)
  }
}

@Suite struct `File of a notebook` {
  @Test func `stored data is there after a restart`() async throws {
    let folder = TemporaryFolder()
    let file = NotebookFile(path: folder.file("deep/notebook"))
    let first = await file.open()
    try await first.notebook.save(query("a"))
    try await first.notebook.record(
      HistoryEntry(store: "world", text: "cities", when: moment(2)))

    let second = await file.open()

    #expect(first.trouble == nil && second.trouble == nil)
    #expect(try await second.notebook.savedQueries() == [query("a")])
    #expect(try await second.notebook.history().entries.map(\.when) == [moment(2)])
  }

  @Test(arguments: [
    "", "nonsense\n",
    "{\"changes\":1,\"format\":\"data-sources 1\"}\n{\"key\":\"query.x\",\"one\":5}\n",
  ])
  func `a damaged file is renamed and reported, and a new one is created`(text: String) async throws
  {
    let folder = TemporaryFolder()
    try folder.write(text, to: "notebook")
    try folder.write("an older one", to: "notebook.damaged-1")
    let file = NotebookFile(path: folder.file("notebook"))

    let opened = await file.open()
    try await opened.notebook.save(query("a"))
    let again = await file.open()

    #expect(opened.trouble?.code == .dataSerialization)
    #expect(
      opened.trouble?.message.hasSuffix(
        "The damaged file was renamed to \(folder.file("notebook.damaged-2")), "
          + "and a new one was created.") == true
    )
    #expect(folder.bytes("notebook.damaged-1") == Array("an older one".utf8))
    #expect(folder.bytes("notebook.damaged-2") == Array(text.utf8))
    #expect(again.trouble == nil)
    #expect(try await again.notebook.savedQueries() == [query("a")])
  }

  @Test func `last views are in a separate file that is not synced`() async throws {
    let folder = TemporaryFolder()
    let file = NotebookFile(path: folder.file("notebook"))
    let view = LastView(query: "cities limit 3", cursor: "paris")

    try await file.open().notebook.save(view, of: "world")

    #expect(folder.bytes("notebook") == nil)
    #expect(file.viewsPath == folder.file("notebook-views"))
    let (again, trouble) = await file.open()
    #expect(trouble == nil)
    #expect(try await again.lastView(of: "world") == view)
  }

  @Test func `a damaged view file does not affect saved queries`() async throws {
    let folder = TemporaryFolder()
    let file = NotebookFile(path: folder.file("notebook"))
    try await file.open().notebook.save(query("a"))
    try folder.write("\0\0\0\0", to: "notebook-views")

    let (notebook, trouble) = await file.open()

    #expect(
      trouble?.message.hasSuffix(
        "The damaged file was renamed to \(folder.file("notebook-views.damaged-1")), "
          + "and a new one was created.")
        == true)
    #expect(try await notebook.savedQueries() == [query("a")])
    #expect(try await notebook.lastView(of: "world") == LastView())
  }

  @Test func `a write to the notebook leaves drafts of the view file alone`() async throws {
    let folder = TemporaryFolder()
    try folder.write("half a view", to: "notebook-views.1-2.draft")

    try await NotebookFile(path: folder.file("notebook")).open().notebook.save(query("a"))

    #expect(folder.bytes("notebook-views.1-2.draft") == Array("half a view".utf8))
  }

  @Test func `a file of a later version is unchanged, and the notebook is in memory`() async throws
  {
    let folder = TemporaryFolder()
    let text = "{\"changes\":1,\"format\":\"data-sources 9\"}\n"
    try folder.write(text, to: "notebook")

    let (notebook, trouble) = await NotebookFile(path: folder.file("notebook")).open()
    try await notebook.save(query("a"))

    #expect(trouble?.code == .notValid)
    #expect(trouble?.message.hasSuffix("are not saved in this session.") == true)
    #expect(try await notebook.savedQueries() == [query("a")])
    #expect(folder.bytes("notebook") == Array(text.utf8))
  }

  @Test func `if the folder cannot be created, the notebook is in memory`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.write("a file", to: "taken")

    let (notebook, trouble) = await NotebookFile(path: folder.file("taken/notebook")).open()
    try await notebook.save(query("a"))

    #expect(trouble?.code == .system(errno: 20))
    #expect(try await notebook.savedQueries() == [query("a")])
  }
}

@Suite struct `Folders of a user` {
  @Test func `folders are given by XDG variables, or in the home folder`() {
    let chosen = Folders { ["XDG_STATE_HOME": "/s", "HOME": "/home/a"][$0] }

    #expect(chosen?.state == "/s/sonde")
    #expect(chosen?.config == "/home/a/.config/sonde")
    #expect(chosen?.cache == "/home/a/.cache/sonde")
  }

  @Test func `a variable with a relative path is ignored`() {
    let folders = Folders { ["XDG_STATE_HOME": "here", "HOME": "/home/a"][$0] }

    #expect(folders?.state == "/home/a/.local/state/sonde")
  }

  @Test func `without a home there are no folders`() {
    #expect(Folders { _ in nil } == nil)
  }
}
