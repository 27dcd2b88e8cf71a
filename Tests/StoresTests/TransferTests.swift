import Foundation
import LiveQueries
@testable import Stores
import Testing
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Export and import", .timeLimit(.minutes(10)))
struct TransferTests {
  /// A database has the columns of keys as well.
  @Test(
    "exports read back as the same data",
    arguments: StoreExport.Format.allCases.filter { $0 != .sqlite })
  func roundTrip(_ format: StoreExport.Format) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/out" + (format == .backup ? ".zip" : format == .dump ? ".json" : "")
      let store = try Self.sample()
      try await StoreExport.write(WholeStore(store, asOf: 7), to: path, as: format, title: "Sample")
      let copy = try await FileSource.load(path).store
      #expect(Self.lines(copy) == Self.lines(store))
      #expect(Set(copy.schema.namespaces) == Set(store.schema.namespaces))
      let titles = try #require(copy.schema.attribute("tasks", "title"))
      #expect(titles.isIndexed)
      #expect(copy.checkInvariants() == [])
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.count == 1)
    }
  }

  @Test(
    "a writer removes the drafts of killed programs, and no other file",
    arguments: [StoreExport.Format.backup, .csv, nil])
  func sweeping(_ format: StoreExport.Format?) async throws {
    try await withTemporaryFolder { folder in
      // What makes a draft one that is being written is the lock of the process, not its number.
      let dead = [".out.\(getpid())-1.draft", ".out.zip.999999999-4000000000.draft"]
      let living = ".out.999999999-7.draft"
      let others = [
        ".999999999-1.draft", ".out.draft", ".out.-5-1.draft", ".out.999999999.draft",
        "out.999999999-1.draft", ".out.999999999-1.draft.txt",
      ]
      for name in [dead[1]] + others {
        try "x".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
      }
      for name in [dead[0] + "/content/sub", living] {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + name, withIntermediateDirectories: true)
        try "x".write(toFile: folder + "/" + name + "/t.csv", atomically: false, encoding: .utf8)
      }
      let holder = open(folder + "/" + living, O_RDONLY)
      #expect(flock(holder, LOCK_EX) == 0)
      defer { close(holder) }
      // The target of a symbolic link must not be removed.
      let link = ".link.999999999-5.draft"
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/" + link, withDestinationPath: folder)

      if let format {
        try await StoreExport.write(
          WholeStore(try Self.sample()), to: folder + "/new", as: format)
      } else {
        try await LocalStore.create(file: folder + "/new", of: try Self.sample())
      }

      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.sorted() == (others + [link, living, "new"]).sorted())
    }
  }

  @Test(
    "a replaced file keeps its symbolic links and mode, and leaves no other file",
    arguments: StoreExport.Format.allCases)
  func replacing(_ format: StoreExport.Format) async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/real", withIntermediateDirectories: true)
      let real =
        folder + "/real/out" + (format == .backup ? ".zip" : format == .dump ? ".json" : "")
      let link = folder + "/link"
      try await StoreExport.write(WholeStore(TripleStore()), to: real, as: format)
      let isFile = Files.kind(of: real) == .file
      if isFile { #expect(chmod(real, 0o600) == 0) }
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
      try await StoreExport.write(
        WholeStore(try Self.sample()), to: link, as: format, isReplacing: true)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
      let copy = try await FileSource.load(real).store
      if format != .sqlite { #expect(Self.lines(copy) == Self.lines(try Self.sample())) }
      if isFile {
        let mode = try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions]
        #expect(mode as? Int == 0o600)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/real").count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  @Test("a store that replaces one with a log does not inherit it")
  func replacedLog() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      let open = try await LocalStore.open(file: path, ifMissing: .create)
      try await open.transact(Sample.schema)
      try await open.transact(Sample.task(50, title: "old"))
      // As a process leaves it that was killed: with what was written last in the log alone.
      try FileManager.default.copyItem(atPath: path, toPath: folder + "/b.sonde")
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder + "/b.sonde-wal")
      let draft = try Draft(for: folder + "/b.sonde")
      try await LocalStore.create(file: draft.path, of: try Self.sample())
      try draft.replaceStore()
      #expect(!FileManager.default.fileExists(atPath: folder + "/b.sonde-wal"))
      let store = try await LocalStore.open(file: folder + "/b.sonde")
      #expect(Self.lines(store.snapshot().store) == Self.lines(try Self.sample()))
      await store.close()
      await open.close()
    }
  }

  @Test("an archive with huge sizes is rejected")
  func countlessBytes() async throws {
    try await withTemporaryFolder { folder in
      func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      let claimed = bytes(1 << 60 - 1, 8)
      let entry =
        bytes(0x0201_4B50, 4) + bytes(0, 16) + bytes(0xFFFF_FFFF, 4) + bytes(0xFFFF_FFFF, 4)
        + bytes(1, 2) + bytes(20, 2) + bytes(0, 14) + Array("x".utf8) + bytes(1, 2) + bytes(16, 2)
        + claimed + claimed
      let list = (0..<9).flatMap { _ in entry }
      let end =
        bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(9, 2) + bytes(9, 2)
        + bytes(UInt64(list.count), 4) + bytes(0, 6)
      let path = folder + "/claims.zip"
      try Data(list + end).write(to: URL(fileURLWithPath: path))
      #expect {
        try Backup.load(file: path)
      } throws: {
        "\($0)".contains("overlap")
      }
    }
  }

  @Test("a namespace name too long for a file is reported with an alternative")
  func longNames() async throws {
    try await withTemporaryFolder { folder in
      func store(_ length: Int) throws -> TripleStore {
        var store = TripleStore()
        let name = String(repeating: "n", count: length)
        let id = Attribute(id: Sample.idID, namespace: name, label: "id", constraints: .unique)
        try store.transact(Transaction([.addAttribute(id)]), at: 1)
        let one = Sample.id(1)
        try store.transact(
          Transaction([.addTriple(.id(one), Sample.idID, .text(one.text))]), at: 2)
        return store
      }
      try await StoreExport.write(WholeStore(try store(65_520)), to: folder + "/a.zip", as: .backup)
      let error = await #expect(throws: StoreError.self) {
        try await StoreExport.write(
          WholeStore(try store(65_521)), to: folder + "/b.zip", as: .backup)
      }
      #expect(
        error?.message.contains(
          "is too long for a file name. Use the format dump or sqlite instead")
          == true)
      try await StoreExport.write(WholeStore(try store(65_521)), to: folder + "/b.json", as: .dump)
    }
  }

  @Test("a backup contains times, its date and its title")
  func backup() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/out.zip"
      let store = try Self.sample()
      try await StoreExport.write(
        WholeStore(store, asOf: 7), to: path, as: .backup, title: "Sample")
      let backup = try Backup.load(file: path)
      #expect(backup.title == "Sample")
      #expect(backup.warnings == [])
      #expect(BackupStore(backup).snapshot().freshness == .archived(since: 7))
      let task = try #require(backup.store.handle(of: Sample.id(1)))
      #expect(backup.store.createdAt(task, in: "tasks") == 1_001)
    }
  }

  @Test(
    "a backup that another program packed is read: unknown labels, dangling links, wrong counts")
  func foreignBackup() async throws {
    try await withTemporaryFolder([
      "config.json": """
      {"counts": {"tasks": 3, "people": 1}, "schema": {
        "entities": {"tasks": {"attrs": {}}, "people": {"attrs": {}}},
        "links": {"owner": {"forward": {"on": "tasks", "label": "owner", "has": "one"},
          "reverse": {"on": "people", "label": "tasks", "has": "many"}}}}}
      """,
      "tasks.jsonl": """
      {"entity":{"id":"\(Sample.id(1).text)","odd":[1],"owner":"\(Sample.id(9).text)"},"createdAt":5}

      """,
      "people.jsonl": "{\"entity\":{\"id\":\"\(Sample.id(2).text)\"},\"createdAt\":6}\n",
    ]) { folder in
      let packed = Self.run(
        "cd '\(folder)' && mkdir -p in/entities in/files && cp config.json in/ "
          + "&& cp tasks.jsonl people.jsonl in/entities/ && printf abc > in/files/loc-1 "
          + "&& cd in && (zip -q -r ../out.zip . || python3 -m zipfile -c ../out.zip .)")
      guard packed else { return }
      let backup = try Backup.load(file: folder + "/out.zip")
      #expect(backup.store.count(of: "tasks") == 1)
      #expect(backup.warnings == ["The backup should contain 3 tasks, but contains 1."])
      #expect(
        backup.attachments.all.map { "\($0.name) \($0.size)" }.filter { !$0.hasPrefix("config") }
          == ["files/loc-1 3"])
      #expect(try backup.attachments["files/loc-1"]?.bytes() == Array("abc".utf8))
      let task = try #require(backup.store.handle(of: Sample.id(1)))
      let owner = try #require(backup.store.schema.attribute("tasks", "owner"))
      #expect(backup.store.value(task, owner.id) == Sample.id(9).json)
      let odd = try #require(backup.store.schema.attribute("tasks", "odd"))
      #expect(backup.store.value(task, odd.id) == [1])
    }
  }

  @Test("other programs can read the zip files")
  func soundness() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/out.zip"
      try await StoreExport.write(WholeStore(try Self.sample()), to: path, as: .backup)
      #expect(Self.run("python3 -m zipfile -t '\(path)' > /dev/null || unzip -tq '\(path)'"))
    }
  }

  @Test("existing files are not overwritten")
  func existing() async throws {
    try await withTemporaryFolder(["out.zip": "mine"]) { folder in
      let path = folder + "/out.zip"
      let error = await #expect(throws: StoreError.self) {
        try await StoreExport.write(WholeStore(TripleStore()), to: path, as: .backup)
      }
      #expect(error == .exists(path: path))
    }
  }

  @Test(
    "no namespace name leads to a file outside of the export",
    arguments: ["../x", ".x", "..", "a/b", "a\\b", "", "schema", "%2F", "100%25", "a\nb"])
  func escaping(_ namespace: String) async throws {
    try await withTemporaryFolder { folder in
      var store = TripleStore()
      store.addAttribute(Attribute(id: AttributeID("i"), namespace: namespace, label: "id"))
      for format in [StoreExport.Format.json, .csv] {
        let out = folder + "/out-" + format.rawValue
        try await StoreExport.write(WholeStore(store), to: out, as: format)
        let names = try FileManager.default.contentsOfDirectory(atPath: out)
        #expect(names.count == 2 && names.contains("schema.json"), "\(names)")
        #expect(names.allSatisfy { !$0.contains("\\") && !$0.hasPrefix(".") }, "\(names)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
      let encoded = PortableName.encoded(namespace)
      #expect((PortableName.decoded(encoded) ?? encoded) == namespace)
      try await StoreExport.write(WholeStore(store), to: folder + "/out.zip", as: .backup)
      let zip = try ZipReader(folder + "/out.zip")
      for entry in zip.entries {
        let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count <= 2 && !parts.contains("..") && !entry.name.contains("\\"))
      }
      let back = try Backup.load(file: folder + "/out.zip").store
      #expect(back.schema.namespaces == [namespace])
    }
  }

  @Test(
    "a backup can contain a namespace with any name",
    arguments: ["a/b", "../x", "schema", "config", "a\\b"])
  func anyName(_ namespace: String) async throws {
    try await withTemporaryFolder { folder in
      var store = TripleStore()
      store.addAttribute(Attribute(id: AttributeID("i"), namespace: namespace, label: "id"))
      let entity = EntityID.random()
      try store.transact(
        Transaction([.addTriple(.id(entity), AttributeID("i"), .text(entity.text))]))
      try await StoreExport.write(WholeStore(store), to: folder + "/out.zip", as: .backup)
      #expect(try Backup.load(file: folder + "/out.zip").store.count(of: namespace) == 1)
    }
  }

  // MARK: Damage

  @Test("a backup with any damaged byte is rejected with a reason")
  func damage() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/out.zip"
      try await StoreExport.write(WholeStore(try Self.sample()), to: path, as: .backup)
      let sound = try Data(contentsOf: URL(filePath: path))
      var random = RandomWrites(seed: 3)
      for round in 0..<200 {
        var bytes = sound
        if round % 4 == 0 {
          bytes.removeLast(random.below(bytes.count))
        } else {
          for _ in 0...random.below(3) {
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
          }
        }
        try bytes.write(to: URL(filePath: path))
        do throws(StoreError) {
          _ = try Backup.load(file: path).store.checkInvariants()
        } catch {
          #expect(error.message.hasPrefix(path))
        }
      }
    }
  }

  @Test("a zip bomb is rejected")
  func bomb() async throws {
    try await withTemporaryFolder { folder in
      let made = Self.run(
        "cd '\(folder)' && python3 -c \"import zipfile; z = zipfile.ZipFile('b.zip', 'w', 8); "
          + "z.writestr('config.json', '{}'); "
          + "z.writestr('entities/a.jsonl', b' ' * (300 << 20))\"")
      guard made else { return }
      let error = #expect(throws: StoreError.self) { try Backup.load(file: folder + "/b.zip") }
      #expect(error?.message.contains("looks like a zip bomb") == true)
    }
  }

  @Test("a repacked backup is read, and missing parts are reported")
  func packedAgain() async throws {
    try await withTemporaryFolder { folder in
      let made = Self.run(
        "cd '\(folder)' && python3 -c \"import zipfile; z = zipfile.ZipFile('b.zip', 'w', 8); "
          + "z.writestr('__MACOSX/config.json', 'x'); "
          + "z.writestr('b/entities/a.jsonl', '{\\\"entity\\\":{\\\"n\\\":1},\\\"createdAt\\\":1}'); "
          + "z.writestr('b/config.json', '{\\\"schema\\\":{},\\\"counts\\\":{\\\"a\\\":3}}')\"")
      guard made else { return }
      let backup = try Backup.load(file: folder + "/b.zip")
      #expect(backup.store.count(of: "a") == 1)
      #expect(backup.warnings == ["The backup should contain 3 a, but contains 1."])
    }
  }

  @Test(
    "a file that is not a backup is reported",
    arguments: [
      ("", "ends too early"), ("hello, this is a text and no zip file", "not a zip file"),
    ])
  func noBackup(_ text: String, _ reason: String) async throws {
    try await withTemporaryFolder(["a.zip": text]) { folder in
      let error = #expect(throws: StoreError.self) { try Backup.load(file: folder + "/a.zip") }
      #expect(error?.message.contains("zip") == true, "\(reason)")
    }
  }

  // MARK: Around

  private static func sample() throws -> TripleStore {
    var store = TripleStore()
    var steps = Sample.schema.steps
    steps.append(
      .updateAttribute(Sample.titleID, JSONObject([.init(key: "index?", value: true)])))
    try store.transact(Transaction(steps), at: 1_000)
    let titles = ["write", "", "12", "a;b,\"c\"\nd", "é𝄞", "true"]
    for (number, title) in titles.enumerated() {
      try store.transact(Sample.task(number, title: title), at: Int64(1_000 + number))
    }
    try store.transact(Sample.link(1, to: 100), at: 2_000)
    try store.transact(Sample.link(1, to: 101), at: 2_001)
    return store
  }

  /// Facts without the ids of attributes, which other forms do not keep, and without moments.
  private static func lines(_ store: TripleStore) -> [String] {
    store.schema.attributes.flatMap { attribute in
      store.rows(attribute.id, .stored).handles.flatMap { entity in
        store.values(entity, attribute.id).map {
          "\(store.id(of: entity)) \(attribute.namespace).\(attribute.label) \(JSONWriter.text($0))"
        }
      }
    }.sorted()
  }

  /// Whether a command of the shell ends well; not every machine has every tool.
  private static func run(_ command: String) -> Bool {
    system(command + " 2> /dev/null") == 0
  }
}
