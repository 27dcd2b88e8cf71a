import DataSources
import Foundation
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Store files shared by processes", .waitsForPrograms, .timeLimit(.minutes(10)))
struct StoreProcessTests {
  /// Killed so often; 200 by hand: `SONDE_KILL_ROUNDS=200 swift test --filter StoreProcessTests`.
  private static let rounds =
    ProcessInfo.processInfo.environment["SONDE_KILL_ROUNDS"].flatMap(Int.init) ?? 20

  @Test("a killed writer loses no confirmed transaction and leaves none half done")
  func killing() async throws {
    try await withFile { path in
      var random = SystemRandomNumberGenerator()
      for round in 0..<Self.rounds {
        let writer = try Child([Self.writer, "write", path])
        var said = String(decoding: writer.read(), as: UTF8.self)
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
          said += String(decoding: writer.read(), as: UTF8.self)
        }
        said += Self.end(writer)
        let acknowledged = said.split(separator: "\n").compactMap { Int($0) }
        #expect(!acknowledged.isEmpty, "round \(round): \(said)")
        let store = try await LocalStore.open(file: path)
        let snapshot = store.snapshot().store
        let count = snapshot.count(of: "tasks")
        // A transaction may be there whose acknowledgement was cut off; never two.
        let expected = (acknowledged.last ?? -1) + 1
        #expect(count == expected || count == expected + 1, "round \(round)")
        #expect(Self.halfTasks(snapshot, count) == [], "round \(round)")
        if round % 10 == 0 { #expect(snapshot.checkInvariants() == [], "round \(round)") }
        await store.close()
      }
    }
  }

  @Test("leftovers of a killed writer are not applied to a replaced store")
  func replacing() async throws {
    try await withFile { path in
      for isRemoved in [false, true] {
        let writer = try Child([Self.writer, "write", path])
        for _ in 0..<4 { _ = writer.read() }
        _ = Self.end(writer)
        try #require(FileManager.default.fileExists(atPath: path + "-wal"))
        if isRemoved { try FileManager.default.removeItem(atPath: path) }
        let run = try Program.run(["import", "goals", "--into", path, "--force"])
        #expect(run.status == 0, "\(run.error)")
        let store = try await LocalStore.open(file: path)
        #expect(store.snapshot().store.count(of: "todos") == 81)
        #expect(store.snapshot().store.checkInvariants() == [])
        await store.close()
        let left = try FileManager.default.contentsOfDirectory(
          atPath: URL(filePath: path).deletingLastPathComponent().path)
        #expect(left == [URL(filePath: path).lastPathComponent])
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test("an idle process sees transactions of others")
  func following() async throws {
    try await withFile { path in
      let writer = try Child([Self.writer, "write", path])
      _ = writer.read()
      _ = Self.end(writer)
      let store = try await LocalStore.open(file: path)
      let follower = try Child([Self.writer, "follow", path])
      let first = String(decoding: follower.read(), as: UTF8.self)
      let before = store.snapshot().store
      #expect(first == "\(before.count(of: "tasks"))\n")
      let entity = EntityID.random()
      try await store.put(
        nil,
        in: TransactionQuery(
          Transaction([.addTriple(.id(entity), AttributeID("id"), .text(entity.text))])))
      let second = String(decoding: follower.read(), as: UTF8.self)
      #expect(second == "\(before.count(of: "tasks") + 1)\n")
      _ = Self.end(follower)
      await store.close()
    }
  }

  /// The numbers of tasks that lack something.
  private static func halfTasks(_ store: TripleStore, _ count: Int) -> [Int] {
    (0..<count).filter { number in
      guard let task = store.handle(of: EntityID(high: 0x4000, low: UInt64(number))) else {
        return true
      }
      return store.value(task, AttributeID("t")) != .text("task \(number)")
        || store.values(task, AttributeID("n")).count != (number == 0 ? 1 : 2)
    }
  }

  /// Kills a process at once, and returns its unread output.
  private static func end(_ child: Child) -> String {
    child.signal(SIGKILL)
    return child.finish().output
  }

  private static let writer = Program.built("sonde-store-writer")

  private func withFile(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sonde-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "a.sonde").path)
  }
}
