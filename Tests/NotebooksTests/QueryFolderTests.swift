import DataSources
import DataSourcesTesting
import Notebooks
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private func query(_ name: String, in store: String = "world", text: String = "cities limit 3")
  -> SavedQuery
{
  SavedQuery(name: name, store: store, text: text)
}

@Suite struct `Saved queries as files` {
  private let folder = TemporaryFolder()
  private var notebook: Notebook {
    Notebook(
      StateFile(path: folder.file("notebook")), queries: QueryFolder(path: folder.file("queries")))
  }

  private func text(_ name: String) -> String? {
    folder.bytes("queries/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `each is a plain text file with its store`() async throws {
    try await notebook.save(query("big", text: "cities filter population > 1_000_000\n  limit 3"))

    #expect(
      text("big.sonde-query")
        == "# store: world\ncities filter population > 1_000_000\n  limit 3\n")
  }

  @Test(arguments: [
    ("big cities", "big-cities", true), ("Großstädte", "Großstädte", false),
    ("../../etc/passwd", "-.-.--etc-passwd", true), (".hidden", "-hidden", true),
    (String(repeating: "n", count: 300), String(repeating: "n", count: 80), true),
    ("\u{1B}[31m", "--31m", true), ("100 %", "100--", true), ("a.b_c-d", "a.b_c-d", false),
  ])
  func `a name that is not a valid file name is stored in the file`(
    name: String, stem: String, isInFile: Bool
  ) async throws {
    try await notebook.save(query(name))

    #expect(folder.names == ["queries"])
    let written = try #require(text(stem + ".sonde-query"))
    #expect(written.contains("# name: ") == isInFile)
    #expect(try await notebook.savedQueries() == [query(name)])
  }

  @Test func `the same name in two stores uses two files`() async throws {
    try await notebook.save(query("big"))
    try await notebook.save(query("big", in: "goals", text: "goals"))

    #expect(text("big.sonde-query") == "# store: world\ncities limit 3\n")
    #expect(text("big-2.sonde-query") == "# name: big\n# store: goals\ngoals\n")
    #expect(
      try await notebook.savedQueries(in: "goals") == [query("big", in: "goals", text: "goals")])
  }

  @Test func `edits of a file apply immediately`() async throws {
    try await notebook.save(query("big"))
    try folder.write(
      "# The largest ones\r\n#store:world\r\n\r\ncities order population desc\r\n  limit 9\r\n",
      to: "queries/big.sonde-query")

    let changed = try await notebook.savedQueries()
    #expect(changed == [query("big", text: "cities order population desc\n  limit 9")])
  }

  @Test func `saving under the same name keeps the file's comments`() async throws {
    try folder.write("", to: "mark")
    try await notebook.save(query("big"))
    try folder.write(
      "# For the meeting\n# store: world\n# Do not touch: it hurts\ncities\n",
      to: "queries/big.sonde-query")

    try await notebook.save(query("big", text: "countries"))

    #expect(
      text("big.sonde-query")
        == "# store: world\n# For the meeting\n# Do not touch: it hurts\ncountries\n")
  }

  @Test func `a file without a store is offered in every store`() async throws {
    try await notebook.save(query("big"))
    try folder.write("cities", to: "queries/all.sonde-query")

    #expect(
      try await notebook.savedQueries(in: "goals") == [query("all", in: "", text: "cities")])
    #expect(try await notebook.savedQueries(in: "world").map(\.name) == ["all", "big"])
  }

  @Test(arguments: [
    ([UInt8]([0xFF, 0xFE, 0x00]), "is not UTF-8 text"), ([], "contains no query"),
    (Array("# store: world\n# name: x\n".utf8), "contains no query"),
    (Array(repeating: UInt8(ascii: "x"), count: 65_537), "larger than 65536 bytes"),
  ])
  func `an invalid file causes one warning and does not affect other queries`(
    bytes: [UInt8], reason: String
  ) async throws {
    try await notebook.save(query("big"))
    let path = folder.file("queries/bad.sonde-query")
    try FileSystem().replace(path, with: bytes)

    #expect(try await notebook.savedQueries() == [query("big")])
    let faults = try await notebook.faultsOfSavedQueries()
    #expect(faults.count == 1)
    let message = try #require(faults.first?.message)
    #expect(message.contains("queries/bad.sonde-query") && message.contains(reason), "\(message)")
    try await notebook.remove(query("big"))
    #expect(folder.bytes("queries/bad.sonde-query") == bytes)
    #expect(text("big.sonde-query") == nil)
  }

  @Test func `a pipe or folder with such a name does not block`() async throws {
    try FileSystem().makeFolder(folder.file("queries/a.sonde-query"))
    try makePipe(folder.file("queries/b.sonde-query"))

    #expect(try await notebook.savedQueries() == [])
    #expect(try await notebook.faultsOfSavedQueries().count == 2)
  }

  @Test func `files with other extensions are ignored`() async throws {
    try folder.write("", to: "mark")
    try FileSystem().makeFolder(folder.file("queries"))
    for name in ["README.md", ".big.sonde-query", "big.sonde-query~", "big.sonde-query.swp"] {
      try FileSystem().replace(folder.file("queries/" + name), with: Array("cities".utf8))
    }

    #expect(try await notebook.savedQueries() == [])
    #expect(try await notebook.faultsOfSavedQueries().isEmpty)
  }

  @Test func `queries of an earlier version move out of the state file`() async throws {
    let path = folder.file("notebook")
    let old = DeviceStorageDataSource<SavedQuery>(
      StateFile(path: path), layout: .prefix("query"))
    for query in [query("a"), query("b", in: "goals", text: "goals")] {
      try await old.put(query, id: query.id)
    }
    let kept = NotebookFile(path: path)
    try FileSystem().makeFolder(kept.queriesPath)
    try folder.write("# store: world\ncountries\n", to: "queries/a.sonde-query")

    let (notebook, trouble) = await kept.open()

    #expect(trouble == nil)
    let queries = try await notebook.savedQueries()
    #expect(queries == [query("a", text: "countries"), query("b", in: "goals", text: "goals")])
    #expect(try await old.getAll(AllObjectsQuery()) == [])
    #expect(try await kept.open().notebook.savedQueries() == queries)
  }

  @Test func `if files cannot be created, queries stay in the state file`()
    async throws
  {
    let path = folder.file("notebook")
    let old = DeviceStorageDataSource<SavedQuery>(
      StateFile(path: path), layout: .prefix("query"))
    try await old.put(query("a"), id: query("a").id)
    try folder.write("a file", to: "queries")

    let (_, trouble) = await NotebookFile(path: path).open()

    #expect(trouble?.message.contains(folder.file("queries")) == true)
    #expect(try await old.getAll(AllObjectsQuery()) == [query("a")])
  }

  @Test func `two processes that save under the same name lose no query`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in 0..<8 {
        group.addTask {
          let queries = QueryFolder(path: folder.file("queries"))
          let query = query("big", in: "\(store)")
          try await queries.put(query, id: query.id)
        }
      }
      try await group.waitForAll()
    }

    #expect(try await notebook.savedQueries().map(\.store) == (0..<8).map { "\($0)" })
  }
}

private func makePipe(_ path: String) throws {
  struct Refused: Error { let number: Int32 }
  guard mkfifo(path, 0o600) == 0 else { throw Refused(number: errno) }
}
