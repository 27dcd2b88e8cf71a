import DataSources
import LiveQueries
import Testing
import Triples

@Suite("Staged changes on disk")
struct StagedArchiveTests {
  private static let store = "/a.sonde"

  /// A table with a staged change for each title.
  private static func table(_ titles: String...) -> StagedChanges {
    var table = StagedChanges()
    _ = table.perform(.beginStaging)
    for title in titles {
      _ = table.perform(
        .make(
          Sample.title(1, title), Submission(summary: title)),
        newID: { MutationID("id-\(title)") })
    }
    return table
  }

  private static func summaries(_ archive: StagedArchive) async throws -> [String] {
    try await archive.restore().groups.flatMap(\.parts).map(\.summary)
  }

  @Test("staged changes belong to one store, and are removed when sent or discarded")
  func stores() async throws {
    try await withTemporaryFolder { folder in
      let archive = StagedArchive(folder: folder, store: Self.store)
      #expect(try await archive.restore().groups.isEmpty)
      #expect(try FileSystem().stamp(of: folder + "/staged") == nil)
      try await archive.save(Self.table("a", "b"))
      try await archive.save(Self.table("b"))
      await archive.release()
      let other = StagedArchive(folder: folder, store: "/b.sonde")
      #expect(try await Self.summaries(other) == [])
      let later = StagedArchive(folder: folder, store: Self.store)
      #expect(try await Self.summaries(later) == ["b"])
      try await later.save(StagedChanges())
      await later.release()
      #expect(
        try await Self.summaries(StagedArchive(folder: folder, store: Self.store)) == [])
    }
  }

  @Test("the values that the user saw and the sending state are restored")
  func content() async throws {
    try await withTemporaryFolder { folder in
      var table = StagedChanges()
      _ = table.perform(.beginStaging)
      var change = Sample.title(1, "new")
      change.seen[0] = "old"
      _ = table.perform(.make(change, Submission(summary: "title updated")))
      _ = table.perform(.make(Sample.title(2, "new"), Submission(summary: "another")))
      _ = table.perform(.send)
      let archive = StagedArchive(folder: folder, store: Self.store)
      try await archive.save(table)
      await archive.release()
      let groups = try await StagedArchive(folder: folder, store: Self.store).restore().groups
      #expect(groups.count == 1 && groups.first?.id != nil)
      #expect(groups.first?.parts.map(\.transaction) == [change, Sample.title(2, "new")])
      var restored = StagedChanges()
      _ = restored.restore(groups, unreadable: 0)
      // It is sent under the same id, so that a store that has it does not make it again.
      guard case .send(_, let query)? = restored.perform(.send).first else {
        Issue.record("it is not sent")
        return
      }
      #expect(query.id == groups.first?.id)
    }
  }

  @Test("two processes stage separately, and the next one takes over from ended ones")
  func processes() async throws {
    try await withTemporaryFolder { folder in
      let first = StagedArchive(folder: folder, store: Self.store)
      try await first.save(Self.table("a"))
      let second = StagedArchive(folder: folder, store: Self.store)
      #expect(try await Self.summaries(second) == [])
      try await second.save(Self.table("b", "c"))
      await second.release()
      await first.release()
      let third = StagedArchive(folder: folder, store: Self.store)
      #expect(Set(try await Self.summaries(third)) == ["a", "b", "c"])
      let fourth = StagedArchive(folder: folder, store: Self.store)
      #expect(try await Self.summaries(fourth) == [])
      try await third.save(Self.table("d"))
      #expect(try await Self.summaries(fourth) == [])
    }
  }

  @Test("a file that cannot be read is kept and counted")
  func unreadable() async throws {
    try await withTemporaryFolder { folder in
      let archive = StagedArchive(folder: folder, store: Self.store)
      try await archive.save(Self.table("a", "b"))
      await archive.release()
      let place = folder + "/staged/%2fa%2esonde/pending"
      let names = try #require(try FileSystem().names(in: place))
      let damaged = try #require(names.first { $0.hasPrefix("id-a") })
      try FileSystem().replace(place + "/" + damaged, with: Array("{".utf8))
      for _ in 0..<2 {
        let later = StagedArchive(folder: folder, store: Self.store)
        let found = try await later.restore()
        await later.release()
        #expect(found.unreadable == 1)
        #expect(found.groups.flatMap(\.parts).map(\.summary) == ["b"])
      }
    }
  }

  @Test("files of the previous version are converted once, except unreadable ones")
  func earlierFiles() async throws {
    try await withTemporaryFolder { folder in
      let place = folder + "/unsent/%2fa%2esonde"
      try FileSystem().makeFolder(place)
      let steps = #"[[\"delete-entity\",\"7a000000-0000-4000-8000-000000000001\",\"tasks\"]]"#
      for (name, text) in [
        (
          "changes",
          #"{"id":"2","changes":[{"sentence":"a","steps":"\#(steps)","seen":"{\"0\":{\"title\":\"t\"}}"},"#
            + #"{"sentence":"x","steps":"{"}],"moved":["1"]}"#
        ),
        ("changes-1", #"{"id":"1","changes":[{"sentence":"a","steps":"[]"}],"moved":[]}"#),
      ] {
        try FileSystem().replace(place + "/" + name, with: Array(text.utf8))
        try FileSystem().replace(place + "/" + name + ".lock", with: [])
      }
      for _ in 0..<2 {
        let archive = StagedArchive(folder: folder, store: Self.store)
        let found = try await archive.restore()
        await archive.release()
        #expect(found.groups.flatMap(\.parts).map(\.summary) == ["a"])
        #expect(found.groups.first?.parts.first?.transaction.seen[0] == ["title": "t"])
        #expect(found.unreadable == 1)
      }
      #expect(try FileSystem().stamp(of: place + "/changes-1") == nil)
    }
  }

  @Test("changes in the state file of an early version are converted once")
  func earlierStateFile() async throws {
    try await withTemporaryFolder { folder in
      struct Early: Codable, Sendable {
        struct Change: Codable, Sendable {
          let sentence: String
          let steps: String
        }
        let changes: [Change]
      }
      let early = DeviceStorageDataSource<Early>(
        StateFile(path: folder + "/notebook"), layout: .prefix("unsent"))
      for _ in 0..<2 {
        // The second time, as if the process had ended before it was removed.
        try await early.put(
          Early(changes: [.init(sentence: "old", steps: "[]")]), id: Self.store)
        let archive = StagedArchive(folder: folder, store: Self.store)
        #expect(try await Self.summaries(archive) == ["old"])
        #expect(try await early.getAll(AllObjectsQuery()).isEmpty)
        let second = StagedArchive(folder: folder, store: Self.store)
        #expect(try await Self.summaries(second) == [])
        await second.release()
        await archive.release()
      }
    }
  }
}
