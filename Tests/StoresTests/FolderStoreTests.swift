import DataSources
import Foundation
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("A folder as a store", .timeLimit(.minutes(10)))
struct FolderStoreTests {
  @Test("each file is a namespace")
  func namespaces() async throws {
    try await withTemporaryFolder([
      "a.json": "[{\"id\": \"x\", \"n\": 1}]", "b.ndjson": "{\"id\": \"y\"}\n",
    ]) {
      let snapshot = try await FolderStore.open(folder: $0).get(AllObjectsQuery())
      #expect(Set(snapshot.store.schema.namespaces) == ["a", "b"])
      #expect(snapshot.freshness == .live)
    }
  }

  @Test("the progress of reading is reported to the last byte")
  func progress() async throws {
    let rows = (0..<9_000).map { "{\"n\": \($0)}" }
    let files = [
      "a.json": "[" + rows.joined(separator: ",") + "]",
      "b.csv": "n\n" + (0..<9_000).map { "\($0)\n" }.joined(),
      "c.jsonl": rows.joined(separator: "\n"),
    ]
    try await withTemporaryFolder(files) { folder in
      let (told, teller) = AsyncStream.makeStream(of: LoadingProgress.self)
      let report = ProgressReport { teller.yield($0) }
      _ = try await FolderStore.open(folder: folder, progress: report)
      teller.finish()
      var all: [LoadingProgress] = []
      for try await progress in told.awaited("the end of the progress") { all.append(progress) }
      #expect(all.count >= 8)
      #expect(all.map(\.done) == all.map(\.done).sorted())
      #expect(
        all.last
          == LoadingProgress(
            done: files.values.reduce(0) { $0 + $1.utf8.count },
            of: files.values.reduce(0) { $0 + $1.utf8.count }, .bytes))
    }
  }

  @Test("the files that a store reads are known, also by other paths to them")
  func sources() async throws {
    let files = ["a.csv": "n\n1\n", "notes.txt": "", "plan.sonde": ""]
    try await withTemporaryFolder(files) { folder in
      let link = folder + "/link.txt"
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder + "/a.csv")
      for store in [folder, folder + "/a.csv"] {
        #expect(FileSource.isSource(folder + "/a.csv", of: store))
        #expect(FileSource.isSource(folder + "/./a.csv", of: store))
        #expect(FileSource.isSource(link, of: store))
        #expect(FileSource.isSource(folder, of: store))
        #expect(!FileSource.isSource(folder + "/notes.txt", of: store))
        #expect(!FileSource.isSource(folder + "/b.csv", of: store))
      }
      #expect(FileSource.isSource(folder + "/plan.sonde", of: folder + "/plan.sonde"))
      #expect(!FileSource.isSource(folder + "/plan.sonde", of: folder))
      #expect(!FileSource.isSource(folder + "/a.csv", of: "ws://localhost/app"))
    }
  }

  @Test("file extensions may be in capitals")
  func capitals() async throws {
    try await withTemporaryFolder(["A.CSV": "n\n1\n", "B.Json": "[{\"n\":1}]"]) {
      let snapshot = try await FolderStore.open(folder: $0).get(AllObjectsQuery())
      #expect(Set(snapshot.store.schema.namespaces) == ["A", "B"])
    }
  }

  @Test("a single file is a store, and its replacement is followed")
  func oneFile() async throws {
    try await withTemporaryFolder(["a.csv": "n\n1\n", "b.csv": "broken\n1,2\n"]) { folder in
      let file = folder + "/a.csv"
      let store = try await FolderStore.open(folder: file)
      #expect(try await store.get(AllObjectsQuery()).store.schema.namespaces == ["a"])
      var snapshots = store.watch(AllObjectsQuery()).awaited("the rows").makeAsyncIterator()
      #expect(try await snapshots.next()?.store.count(of: "a") == 1)
      try "n\n1\n2\n".write(toFile: folder + "/new", atomically: false, encoding: .utf8)
      try #require(rename(folder + "/new", file) == 0)
      #expect(try await snapshots.next()?.store.count(of: "a") == 2)
    }
  }

  #if os(Linux)
    @Test("right after a file is written, the data that is read contains it")
    func readingAtOnce() async throws {
      try await withTemporaryFolder(["a.csv": "n\n"]) { folder in
        let file = folder + "/a.csv"
        for path in [folder, file] {
          let store = try await FolderStore.open(folder: path)
          for count in 1...20 {
            let rows = "n\n" + String(repeating: "1\n", count: count)
            if count.isMultiple(of: 2) {
              try write(rows, to: file)
            } else {
              try rows.write(toFile: file, atomically: false, encoding: .utf8)
            }
            #expect(try await store.get(AllObjectsQuery()).store.count(of: "a") == count)
          }
        }
      }
    }

    @Test("queries do not hide the changes of a program that keeps a file open")
    func openFile() async throws {
      try await withTemporaryFolder(["a.csv": "n\n1\n"]) { folder in
        let store = try await FolderStore.open(folder: folder)
        let log = try #require(FileHandle(forWritingAtPath: folder + "/a.csv"))
        defer { try? log.close() }
        try log.seekToEnd()
        try log.write(contentsOf: Data("2\n".utf8))
        _ = try await store.get(AllObjectsQuery())
        try await wait(for: store.watch(AllObjectsQuery())) { $0.store.count(of: "a") == 2 }
      }
    }
  #endif

  @Test("a change that is made while the files are read is followed")
  func changeWhileReading() async throws {
    try await withTemporaryFolder(["a.csv": "n\n1\n"]) { folder in
      let file = folder + "/a.csv"
      // The file was already read when the first progress is reported.
      let report = ProgressReport { _ in try? write("n\n1\n2\n", to: file) }
      let store = try await FolderStore.open(folder: file, progress: report)
      try await wait(for: store.watch(AllObjectsQuery())) { $0.store.count(of: "a") == 2 }
    }
  }

  @Test("the beginning of a file has its first rows, also if later rows are different")
  func beginning() async throws {
    let rows = (1...9).map { "\($0),\($0)\n" }.joined()
    try await withTemporaryFolder(["a.csv": "n,m\n\(rows)x,1\n1,2,3\n"]) { folder in
      let file = folder + "/a.csv"
      // The fifth row is cut off after its first byte.
      let beginning = try #require(FolderStore.beginning(ofFile: file, minSize: 0, length: 21))
      #expect(beginning.freshness == .loading)
      let store = try await FolderStore.open(folder: file)
      let whole = await store.snapshot().store
      func ids(_ store: TripleStore) -> [EntityID] {
        store.rows(of: "a").handles.map { store.id(of: $0) }
      }
      func values(_ store: TripleStore) throws -> [Value?] {
        let n = try #require(store.schema.attribute("a", "n"))
        return store.rows(of: "a").handles.map { store.value($0, n.id) }
      }
      #expect(ids(beginning.store) == Array(ids(whole).prefix(4)))
      #expect(try values(beginning.store) == [1, 2, 3, 4])
      #expect(try values(whole).prefix(4) == ["1", "2", "3", "4"])
      let messages = await store.report.messages
      #expect(messages.contains { $0.hasPrefix(file + ", line 12: the row has 3 fields") })
    }
  }

  @Test("small files, other formats and folders have no beginning")
  func noBeginning() async throws {
    let files = ["a.csv": "n\n1\n2\n", "b.json": "[{\"n\": 1},\n{\"n\": 2}]"]
    try await withTemporaryFolder(files) { folder in
      #expect(FolderStore.beginning(ofFile: folder + "/a.csv") == nil)
      #expect(FolderStore.beginning(ofFile: folder + "/a.csv", minSize: 6)?.freshness == .loading)
      #expect(FolderStore.beginning(ofFile: folder + "/a.csv", minSize: 7) == nil)
      #expect(FolderStore.beginning(ofFile: folder + "/b.json", minSize: 0) == nil)
      #expect(FolderStore.beginning(ofFile: folder + "/c.csv", minSize: 0) == nil)
      #expect(FolderStore.beginning(ofFile: folder, minSize: 0) == nil)
    }
  }

  @Test("the folder of an unpacked backup is the backup")
  func unpackedBackup() async throws {
    let description = """
      {"schema": {"entities": {"tasks": {"attrs": {}}}, "links": {}}, "counts": {"tasks": 1}}
      """
    try await withTemporaryFolder(["config.json": description, "notes.csv": "a,b,c\n1\n"]) {
      folder in
      let entities = folder + "/entities"
      try FileManager.default.createDirectory(
        atPath: entities, withIntermediateDirectories: false)
      let row = #"{"entity": {"id": "c0000000-0000-4000-8000-000000000001"}, "createdAt": 5}"#
      try row.write(toFile: entities + "/tasks.jsonl", atomically: false, encoding: .utf8)
      let store = try await FolderStore.open(folder: folder)
      let content = try await store.get(AllObjectsQuery()).store
      #expect(content.schema.namespaces == ["tasks"])
      #expect(content.count(of: "tasks") == 1)
      try "{".write(toFile: entities + "/tasks.jsonl", atomically: false, encoding: .utf8)
      let error = await #expect(throws: StoreError.self) {
        try await FolderStore.open(folder: folder)
      }
      #expect(error?.message.hasPrefix(entities + "/tasks.jsonl, line 1") == true)
    }
  }

  @Test("errors of opening name the reason")
  func complaints() async throws {
    await #expect(throws: StoreError.self) { try await FolderStore.open(folder: "/nowhere") }
    try await withTemporaryFolder([:]) { folder in
      let error = await #expect(throws: StoreError.self) {
        try await FolderStore.open(folder: folder)
      }
      #expect(error == .empty(folder: folder))
    }
    try await withTemporaryFolder(["a.json": "[{]"]) { folder in
      let error = await #expect(throws: StoreError.self) {
        try await FolderStore.open(folder: folder)
      }
      #expect(error?.message.contains("a.json, line 1") == true)
    }
  }

  @Test(
    "a number out of range is reported with file and line, and other data is loaded")
  func oddNumbers() async throws {
    let rows = """
      [{"id": "a", "n": 1},
       {"id": "b", "n": 123456789012345678901},
       {"id": "c", "n": 1e400},
       {"id": "d", "n": -98765432109876543210},
       {"id": "e", "n": 99999999999999999999}, {"id": "f", "n": 88888888888888888888}]
      """
    try await withTemporaryFolder(["a.json": rows, "b.jsonl": #"{"id": "x", "m": 2e999}"#]) {
      folder in
      let store = try await FolderStore.open(folder: folder)
      let warnings = await store.report.messages
      #expect(
        warnings == [
          folder + "/a.json, line 2: the number 123456789012345678901 is"
            + " stored as 1.2345678901234568e+20, the nearest representable number."
            + " Write it as a string to keep it",
          folder + "/a.json, line 3: the number 1e400 is too large and was skipped."
            + " Write it as a string to keep it",
          folder + "/a.json, line 4: the number -98765432109876543210 is"
            + " stored as \(-98765432109876543210.0), the nearest representable number."
            + " Write it as a string to keep it (also concerns 2 more)",
          folder + "/b.jsonl, line 1: the number 2e999 is too large and was skipped."
            + " Write it as a string to keep it",
        ])
      let data = await store.snapshot().store
      let column = try #require(data.schema.attribute("a", "n"))
      let values = data.rows(of: "a").handles.map { data.value($0, column.id) }
      #expect(values[0] == 1)
      #expect(values[1] == .double(1.2345678901234568e20))
      #expect(values[2] == .null)
      try write("[]", to: folder + "/a.json")
      try write(#"{"id": "x", "m": 2}"#, to: folder + "/b.jsonl")
      try await wait(for: store.watch(AllObjectsQuery())) { $0.store.count(of: "a") == 0 }
    }
  }

  @Test("an invalid or empty file is skipped and reported, and read once it is fixed")
  func leftOut() async throws {
    let schema = """
      {"entities": {"a": {"key": "key", "attrs": {"key": {"valueType": "string"}}},
                    "b": {"key": "key", "attrs": {"key": {"valueType": "string"}}}},
       "links": {"ab": {"forward": {"on": "a", "label": "b", "has": "one"},
                        "reverse": {"on": "b", "label": "as", "has": "many"}}}}
      """
    let files = [
      "schema.json": schema, "a.json": #"[{"key": "x", "b": "y"}]"#, "b.csv": "\n",
      "c.csv": "", "d.json": "[{\n}", "e.csv": "n\n1\n",
    ]
    try await withTemporaryFolder(files) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      let first = try await wait(for: snapshots) { _ in true }
      #expect(first.freshness == .live)
      #expect(first.store.count(of: "a") == 1 && first.store.count(of: "e") == 1)
      #expect(first.store.count(of: "b") == 0 && first.store.count(of: "c") == 0)
      let warnings = await store.report.messages
      #expect(
        warnings.map { $0.replacing(folder + "/", with: "") } == [
          "b.csv, line 1: the file has no header. Write the names of the attributes in its first line; the file is ignored"
            + " until it is fixed",
          "c.csv, line 1: the file has no header. Write the names of the attributes in its first line; the file is ignored"
            + " until it is fixed",
          "d.json, line 2, column 2: expected ',' or ']', but reached the end of the text; the file is ignored"
            + " until it is fixed",
        ])
      // One that was sound before keeps its rows.
      try write("\n", to: folder + "/e.csv")
      let waiting = try await wait(for: snapshots) { $0.freshness != .live }
      #expect(waiting.store.count(of: "e") == 1)
      try write("n\n1\n2\n", to: folder + "/e.csv")
      try await wait(for: snapshots) { $0.store.count(of: "e") == 2 }
      try write("key,n\ny,1\n", to: folder + "/b.csv")
      let mended = try await wait(for: snapshots) { $0.store.count(of: "b") == 1 }
      #expect(mended.freshness == .live)
      #expect(await store.report.count == 2)
      // An import reports all errors.
      #expect(throws: StoreError.self) { try FolderStore.load(folder: folder) }
    }
  }

  @Test("a changed file is a new snapshot, an invalid one keeps the previous data with a reason")
  func following() async throws {
    try await withTemporaryFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try await wait(for: snapshots) { $0.store.count(of: "a") == 1 }
      try write("[{\"id\": \"x\"}, {\"id\": \"y\"}]", to: folder + "/a.json")
      let changed = try await wait(for: snapshots) { $0.store.count(of: "a") == 2 }
      #expect(changed.freshness == .live)
      try write("[{\"id\": ", to: folder + "/a.json")
      let stale = try await wait(for: snapshots) { $0.freshness != .live }
      #expect(stale.store.count(of: "a") == 2)
      guard case .stale(let reason) = stale.freshness else {
        Issue.record("the snapshot must say that it is stale")
        return
      }
      #expect(reason.contains("a.json"))
      try write("[]", to: folder + "/a.json")
      try await wait(for: snapshots) { $0.freshness == .live }
    }
  }

  @Test("a file that becomes invalid keeps its rows, and others are followed")
  func brokenFile() async throws {
    let schema = """
      {"entities": {"a": {"key": "key", "attrs": {"key": {"valueType": "string"}}},
                    "b": {"key": "key", "attrs": {"key": {"valueType": "string"}}}},
       "links": {"ab": {"forward": {"on": "a", "label": "b", "has": "one"},
                        "reverse": {"on": "b", "label": "as", "has": "many"}}}}
      """
    let sound = "key,n\ny,1\nz,2\n"
    let files = ["schema.json": schema, "a.json": #"[{"key": "x", "b": "y"}]"#, "b.csv": sound]
    try await withTemporaryFolder(files) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      let first = try await wait(for: snapshots) { $0.freshness == .live }
      func reason(_ snapshot: StoreSnapshot) -> String? {
        guard case .stale(let reason) = snapshot.freshness else { return nil }
        return reason.replacing(folder + "/", with: "")
      }

      try write("\n", to: folder + "/b.csv")
      let broken = try await wait(for: snapshots) { $0.freshness != .live }
      #expect(broken.transactionID == first.transactionID)
      #expect(
        reason(broken) == "b.csv, line 1: the file has no header. Write the names of the"
          + " attributes in its first line;"
          + " the file's previous rows are shown until it is fixed")

      try write(#"[{"key": "x", "b": "z"}, {"key": "w", "b": "y"}]"#, to: folder + "/a.json")
      try write("[", to: folder + "/c.json")
      let changed = try await wait(for: snapshots) {
        $0.store.count(of: "a") == 2 && reason($0)?.contains("(") == true
      }
      #expect(reason(changed)?.hasSuffix(" (and 1 more error)") == true)
      #expect(changed.store.checkInvariants() == [])
      func rows(_ store: TripleStore) throws -> [EntityID: [Value?]] {
        let n = try #require(store.schema.attribute("b", "n"))
        return Dictionary(
          uniqueKeysWithValues: store.rows(of: "b").handles.map {
            (
              store.id(of: $0),
              [store.value($0, n.id), .integer(Int64(store.createdAt($0, in: "b")))]
            )
          })
      }
      #expect(try rows(changed.store) == rows(first.store))

      try FileManager.default.removeItem(atPath: folder + "/c.json")
      try await wait(for: snapshots) { reason($0)?.hasSuffix("fixed") == true }
      try write(sound, to: folder + "/b.csv")
      let mended = try await wait(for: snapshots) { $0.freshness == .live }
      #expect(mended.store.count(of: "a") == 2 && mended.store.count(of: "b") == 2)
      #expect(await store.report.isEmpty)
    }
  }

  @Test("a second file for a namespace gets a namespace of its own")
  func comingBeside() async throws {
    try await withTemporaryFolder(["b.json": #"[{"n": 1}]"#, "a.csv": "n\n1\n"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try write("n\n7\n8\n9\n", to: folder + "/b.csv")
      let both = try await wait(for: snapshots) { $0.store.count(of: "b_csv") == 3 }
      #expect(both.freshness == .live)
      #expect(both.store.count(of: "b") == 1)
      #expect(
        await store.report.messages == [
          folder + "/b.csv: b.json already contains 'b', so the namespace of this file is 'b_csv'"
        ])
    }
  }

  @Test("the remark about a row with too many fields is given once while others are followed")
  func oddRow() async throws {
    try await withTemporaryFolder(["a.csv": "n,m\n1,2\n3,4,5\n"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try await wait(for: snapshots) { $0.store.count(of: "a") == 2 && $0.freshness == .live }
      try write("n,m\n1,2\n3,4,5\n6,7\n", to: folder + "/a.csv")
      try await wait(for: snapshots) { $0.store.count(of: "a") == 3 && $0.freshness == .live }
      try write("n,m\n1,2\n3,4,5\n6,7\n8,9\n", to: folder + "/a.csv")
      try await wait(for: snapshots) { $0.store.count(of: "a") == 4 }
      #expect(
        await store.report.messages == [
          folder + "/a.csv, line 3: the row has 3 fields, but the header has 2; the "
            + "additional values are in 'column3'"
        ])
    }
  }

  @Test("an invalid file of several namespaces keeps all of their rows")
  func brokenObject() async throws {
    let text = #"{"x": [{"n": 1}, {"n": 2}], "y": [{"m": 1}]}"#
    try await withTemporaryFolder(["a.json": text, "b.csv": "n\n1\n"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      let first = try await wait(for: snapshots) { $0.store.count(of: "x") == 2 }
      try write(#"{"x": [{"n""#, to: folder + "/a.json")
      let broken = try await wait(for: snapshots) { $0.freshness != .live }
      #expect(broken.store.count(of: "x") == 2 && broken.store.count(of: "y") == 1)
      try write("n\n1\n2\n", to: folder + "/b.csv")
      let second = try await wait(for: snapshots) { $0.store.count(of: "b") == 2 }
      func ids(_ snapshot: StoreSnapshot) -> Set<EntityID> {
        Set(snapshot.store.rows(of: "x").handles.map { snapshot.store.id(of: $0) })
      }
      #expect(ids(second) == ids(first))
    }
  }

  @Test("saving a file without changes is no change")
  func unchanged() async throws {
    let (one, two) = ("[{\"id\": \"x\"}]", "[{\"id\": \"x\"}, {\"id\": \"y\"}]")
    try await withTemporaryFolder(["a.json": one]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      let first = try await wait(for: snapshots) { $0.freshness == .live }
      try write("[{\"id\": ", to: folder + "/a.json")
      try await wait(for: snapshots) { $0.freshness != .live }
      try write(one, to: folder + "/a.json")
      let again = try await wait(for: snapshots) { $0.freshness == .live }
      #expect(again.transactionID == first.transactionID)
      try write(one, to: folder + "/a.json")
      try write(two, to: folder + "/a.json")
      let changed = try await wait(for: snapshots) { $0.store.count(of: "a") == 2 }
      #expect(changed.transactionID == first.transactionID + 1)
    }
  }

  @Test(
    "a folder path may end with a slash",
    arguments: ["/", "//", "/.", "/within/.."])
  func pathEnds(_ end: String) async throws {
    try await withTemporaryFolder(["a.json": "[]"]) { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/within", withIntermediateDirectories: false)
      let store = try await FolderStore.open(folder: folder + end)
      let snapshots = store.watch(AllObjectsQuery())
      try await wait(for: snapshots) { $0.store.count(of: "a") == 0 }
      try write("[{\"n\": 1}]", to: folder + "/a.json")
      try await wait(for: snapshots) { $0.store.count(of: "a") == 1 }
      try write("[", to: folder + "/a.json")
      let stale = try await wait(for: snapshots) { $0.freshness != .live }
      guard case .stale(let reason) = stale.freshness else {
        Issue.record("it is \(stale.freshness)")
        return
      }
      #expect(!reason.contains("//"))
    }
  }

  @Test("an added file adds a namespace, a removed one removes it")
  func comingAndGoing() async throws {
    try await withTemporaryFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try write("[{\"id\": \"z\"}]", to: folder + "/c.json")
      try await wait(for: snapshots) { $0.store.schema.namespaces.contains("c") }
      try FileManager.default.removeItem(atPath: folder + "/c.json")
      try await wait(for: snapshots) { !$0.store.schema.namespaces.contains("c") }
    }
  }

  @Test("a folder that is removed and created again is followed")
  func madeAgain() async throws {
    try await withTemporaryFolder { above in
      let folder = above + "/data"
      func make(_ id: String) throws {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try write("[{\"id\": \"\(id)\"}]", to: folder + "/a.json")
      }
      func has(_ namespace: String) -> @Sendable (StoreSnapshot) -> Bool {
        { $0.freshness == .live && $0.store.schema.namespaces.contains(namespace) }
      }
      try make("x")
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try FileManager.default.removeItem(atPath: folder)
      try await wait(for: snapshots) { $0.freshness != .live }
      try make("y")
      try await wait(for: snapshots, until: has("a"))
      try write("[{\"id\": \"z\"}]", to: folder + "/b.json")
      try await wait(for: snapshots, until: has("b"))
    }
  }

  @Test("a read-only folder rejects changes")
  func readOnly() async throws {
    try await withTemporaryFolder(["a.json": "[]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      await #expect(throws: DataSourceError.self) { try await store.put(nil, in: VoidQuery()) }
    }
  }

  @Test("a writable folder keeps changes in memory")
  func writing() async throws {
    try await withTemporaryFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder, access: .readWrite)
      try await store.transact(Sample.schema)
      let written = try await store.transact(Sample.task(1, title: "write"))
      #expect(written.freshness == .live && written.pending == PendingChanges())
      #expect(written.store.count(of: "tasks") == 1)
    }
  }

  @Test("a change in memory survives changes of the files")
  func writingOverChanges() async throws {
    try await withTemporaryFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder, access: .readWrite)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      let snapshots = store.watch(AllObjectsQuery())
      try write("[{\"id\": \"x\"}, {\"id\": \"y\"}]", to: folder + "/a.json")
      let reloaded = try await wait(for: snapshots) { $0.store.count(of: "a") == 2 }
      #expect(reloaded.store.count(of: "tasks") == 1)
      #expect(reloaded.freshness == .live)
      #expect(reloaded.store.checkInvariants() == [])
    }
  }

  @Test("a change in memory that no longer fits is dropped and reported")
  func writingAgainstChanges() async throws {
    try await withTemporaryFolder(["a.json": "[{\"n\": 1}]"]) { folder in
      let store = try await FolderStore.open(folder: folder, access: .readWrite)
      let schema = await store.snapshot().store.schema
      let n = try #require(schema.attribute("a", "n"))
      try await store.transact(Transaction([.addTriple(.id(Sample.id(1)), n.id, 2)]))
      let snapshots = store.watch(AllObjectsQuery())
      try write("[{\"m\": 1}]", to: folder + "/a.json")
      let reloaded = try await wait(for: snapshots) { $0.store.schema.attribute("a", "m") != nil }
      #expect(
        reloaded.freshness
          == .stale(
            reason: "an unsaved change conflicted with the changed files and was discarded"))
      #expect(reloaded.pending == PendingChanges())
    }
  }

  /// The first snapshot for which `holds` is true; one change of a file can be reported several times.
  @discardableResult
  private func wait(
    for snapshots: DataStream<StoreSnapshot>, until holds: (StoreSnapshot) -> Bool
  ) async throws -> StoreSnapshot {
    for try await snapshot in snapshots.awaited("a snapshot") where holds(snapshot) {
      return snapshot
    }
    throw DataSourceError.failed("The watch ended")
  }
}
