import DataSources
import Foundation
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Damaged store file", .timeLimit(.minutes(5)))
struct DamagedStoreTests {
  @Test("a flipped bit changes no answer, or is an error", arguments: [1, 2])
  func flippedBits(seed: UInt64) async throws {
    try await withFile { path in
      // Half of it in the cache, half in the log and the triples alone.
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      for number in 0..<20 { try await store.transact(Sample.task(number, title: "t\(number)")) }
      await store.writeCache()
      for number in 10..<30 { try await store.transact(Sample.task(number, title: "u\(number)")) }
      let facts = store.snapshot().store.facts
      await store.close()
      let sound = try Data(contentsOf: URL(filePath: path))
      var random = RandomWrites(seed: seed)
      for _ in 0..<100 {
        let (place, bit) = (random.below(sound.count), random.below(8))
        var bytes = sound
        bytes[place] ^= 1 << UInt8(bit)
        try bytes.write(to: URL(filePath: path))
        do throws(StoreError) {
          let damaged = try await LocalStore.open(file: path, access: .readOnly)
          let found = damaged.snapshot().store.facts
          #expect(found == facts, "seed \(seed): bit \(bit) of byte \(place)")
          await damaged.close()
        } catch {
          continue
        }
      }
    }
  }

  @Test("damage is listed by entity and attribute, and the rest is read")
  func salvage() async throws {
    try await withFile { path in
      let written = try await Self.write(tasks: 30, to: path)
      try TestDatabase.execute(
        "UPDATE triples SET value = 'x' WHERE value IN ('t3', 't4'); "
          + "DELETE FROM triples WHERE value = 't5'", in: path)
      let check = try await StoreCheck.run(file: path)
      let lines = check.damage.findings.map(\.line)
      #expect(check.damage.count == 3)
      #expect(!check.isComplete)
      for number in [3, 4] {
        let line = "tasks.title of \(Sample.id(number)): The triple does not match its checksum"
        #expect(lines.contains(line), "\(lines)")
      }
      #expect(lines.contains { $0.contains("are missing") }, "\(lines)")
      let salvaged = try await StoreSalvage.read(file: path)
      #expect(salvaged.damage.count == 3)
      let lost = ["\"t3\"", "\"t4\"", "\"t5\""]
      #expect(
        salvaged.store.facts
          == written.filter { fact in !lost.contains { fact.contains($0 + " ") } })
    }
  }

  @Test("an unreadable page loses only its contents")
  func unreadablePage() async throws {
    try await withFile { path in
      let written = try await Self.write(tasks: 3_000, to: path)
      var bytes = try Data(contentsOf: URL(filePath: path))
      // A page of the table is found by a value on it; its header is overwritten.
      let place = try #require(bytes.firstRange(of: Data("t1500".utf8))).lowerBound
      let page = place / 8_192 * 8_192
      bytes.replaceSubrange(page..<page + 8, with: [UInt8](repeating: 0xFF, count: 8))
      try bytes.write(to: URL(filePath: path))
      await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      let salvaged = try await StoreSalvage.read(file: path)
      let facts = Set(salvaged.store.facts)
      #expect(facts.isSubset(of: written))
      #expect(facts.count > written.count * 9 / 10, "\(facts.count) of \(written.count)")
      #expect(salvaged.damage.count >= written.count - facts.count)
    }
  }

  @Test("a sound file passes the check; one with a different cache does not")
  func differingCache() async throws {
    try await withFile { path in
      _ = try await Self.write(tasks: 3, to: path, cached: true)
      let sound = try await StoreCheck.run(file: path)
      #expect(sound.damage.count == 0, "\(sound.damage)")
      #expect(sound.tripleCount == 6)
      try TestDatabase.execute(
        "UPDATE segments SET bytes = zeroblob(length(bytes)) WHERE id = 1", in: path)
      let damaged = try await StoreCheck.run(file: path)
      #expect(damaged.damage.count == 1)
      #expect(damaged.isComplete)
    }
  }

  @Test("a lost end of a log is noticed, reported and kept", arguments: [20, 0])
  func lostLog(place: Int) async throws {
    try await withFile { path in
      let copy = path + ".copy.sonde"
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      for number in 0..<5 { try await store.transact(Sample.task(number, title: "t\(number)")) }
      // As it is when the program is killed.
      for ending in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
      }
      await store.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      let wal = URL(filePath: copy + "-wal")
      var bytes = try Data(contentsOf: wal)
      #expect(WriteAheadLog.lossSentence(of: copy) == nil)
      // In the header, or in the middle of the frames.
      let place = place > 0 ? place : bytes.count / 2
      bytes[place] ^= 1
      try bytes.write(to: wal)
      let loss = try #require(WriteAheadLog.lossSentence(of: copy))
      #expect(loss.contains("written to \(copy) cannot be read"))
      // The result may be an empty database, which is not a store; this is reported.
      let writer = try? await LocalStore.open(file: copy)
      if let writer {
        #expect(writer.warnings.first?.contains("is damaged") == true)
        await writer.close()
      }
      #expect(try Data(contentsOf: URL(filePath: copy + "-wal.damaged")) == bytes)
    }
  }

  @Test("an empty file is reported")
  func emptyFile() async throws {
    try await withFile { path in
      try Data().write(to: URL(filePath: path))
      let error = await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      #expect(error?.message.contains("is empty (0 bytes)") == true)
    }
  }

  private func withFile(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body($0 + "/a.sonde") }
  }

  /// - Returns: The facts of the store.
  private static func write(
    tasks: Int, to path: String, cached: Bool = false
  ) async throws -> [String] {
    let store = try await LocalStore.open(file: path, ifMissing: .create)
    try await store.transact(Sample.schema)
    let written = try await store.transact(
      Transaction((0..<tasks).flatMap { Sample.task($0, title: "t\($0)").steps }))
    if cached { await store.writeCache() }
    await store.close()
    if !cached {
      // The triples alone: nothing of them is left elsewhere in the file.
      try TestDatabase.execute(
        "UPDATE head SET cache = NULL, cache_token = 0; DELETE FROM segments; DELETE FROM log; VACUUM",
        in: path)
    }
    return written.store.facts
  }
}
