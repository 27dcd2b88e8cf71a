import DataSources
import DataSourcesTesting
import Synchronization
import TestSupport
import Testing

@Suite struct `An archive` {
  private let base = RecordingDataSource<Note>()
  private let archive = InMemoryDataSource<Note>()
  private let down = DataSourceError(.network(status: nil), "No connection.")

  private func source(
    onArchiveFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) -> ArchivedDataSource<RecordingDataSource<Note>, InMemoryDataSource<Note>> {
    base.archived(
      in: archive, marking: { Note($0.id, $0.text + " (archived)") },
      onArchiveFailure: onArchiveFailure)
  }

  @Test func `answers while the source is unreachable and marks its answers`() async throws {
    let source = source()
    try await base.put(Note("a", "live"), id: "a")
    try await base.putAll([Note("b", "live")], id: "b")
    _ = try await source.get(id: "a")
    _ = try await source.getAll(id: "b")

    await base.failAlways(down)

    #expect(try await source.get(id: "a") == Note("a", "live (archived)"))
    #expect(try await source.getAll(id: "b") == [Note("b", "live (archived)")])
  }

  @Test func `does not answer when the source rejects a query or nothing is archived`() async throws
  {
    let source = source()
    try await base.put(Note("a"), id: "a")
    _ = try await source.get(id: "a")

    let gone = await failure { () throws(DataSourceError) in try await source.get(id: "none") }
    await base.failAlways(.notValid("No."))
    let refused = await failure { () throws(DataSourceError) in try await source.get(id: "a") }
    await base.failAlways(down)
    let unknown = await failure { () throws(DataSourceError) in try await source.get(id: "b") }

    #expect(gone?.code == .notFound)
    #expect(refused == .notValid("No."))
    #expect(unknown == down)
  }

  @Test
  func `provides a watch's first answer; live answers follow and are archived before delivery`()
    async throws
  {
    try await archive.put(Note("a", "old"), id: "a")
    let gate = StreamingSource()
    let watched = gate.archived(
      in: archive, marking: { Note($0.id, $0.text + " (archived)") })

    var watch = watched.watch(IdQuery("a")).awaited("the note").makeAsyncIterator()
    #expect(try await watch.next() == Note("a", "old (archived)"))
    gate.say(Note("a", "new"))
    #expect(try await watch.next() == Note("a", "new"))
    #expect(try await archive.get(id: "a") == Note("a", "new"))
  }

  @Test func `without an answer to all objects delivers the live ones first`() async throws {
    let base = InMemoryDataSource<Note>()
    try await base.put(Note("a", "new"), id: "a")
    var watch = base.archived(in: archive).watchAll(AllObjectsQuery()).awaited("all notes")
      .makeAsyncIterator()
    #expect(try await watch.next() == [Note("a", "new")])
  }

  @Test func `that cannot store a query reports its error separately`() async throws {
    let told = Mutex<[DataSourceError.Code]>([])
    let source = StreamingSource().archived(
      in: archive,
      onArchiveFailure: { error in
        told.withLock { $0.append(error.code) }
      })

    #expect(try await source.get(VoidQuery()) == Note("any"))
    #expect(told.withLock { $0 } == [.unsupportedQuery])
  }
}

/// Answers any query with one note, or with the error that a test sets.
private struct StreamingSource: GetDataSource, WatchDataSource {
  private let ends = DataStream<Note>.makeStream()

  func say(_ note: Note) {
    ends.continuation.yield(note)
  }

  func get(_ query: any Query) async throws(DataSourceError) -> Note { Note("any") }
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Note] { [Note("any")] }
  func watch(_ query: any Query) -> DataStream<Note> { ends.stream }
}
