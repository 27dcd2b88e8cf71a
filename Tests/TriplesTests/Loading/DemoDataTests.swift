import Testing
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("The demo data")
struct DemoDataTests {
  /// The files of a folder under `demo-data`, next to the package manifest.
  static func files(_ folder: String) -> [(name: String, bytes: [UInt8])] {
    let parts = #filePath.split(separator: "/").dropLast(4)
    let path = "/" + parts.joined(separator: "/") + "/demo-data/" + folder
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var files: [(name: String, bytes: [UInt8])] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(".json"), let file = fopen(path + "/" + name, "rb") else { continue }
      defer { fclose(file) }
      fseek(file, 0, SEEK_END)
      var bytes = [UInt8](repeating: 0, count: ftell(file))
      rewind(file)
      _ = fread(&bytes, 1, bytes.count, file)
      files.append((name, bytes))
    }
    return files
  }

  private static func links(
    _ namespace: String, _ label: String, in store: TripleStore
  ) throws -> Int {
    let link = try #require(store.schema.link(namespace, label))
    return store.rows(of: namespace).handles.reduce(0) { $0 + store.targets($1, link).count }
  }

  private static let entities: [(String, String, Int)] = [
    ("world", "continents", 7), ("world", "countries", 250), ("world", "cities", 26_184),
    ("world", "languages", 209), ("world", "currencies", 153), ("goals", "goals", 12),
    ("goals", "todos", 81), ("goals", "people", 6), ("goals", "tags", 12),
    ("company", "departments", 9), ("company", "employees", 200), ("company", "projects", 24),
    ("company", "offices", 5),
  ]

  private static let linkCounts: [(String, String, String, Int)] = [
    ("world", "countries", "continent", 250), ("world", "countries", "capital", 244),
    ("world", "countries", "currency", 249), ("world", "countries", "languages", 475),
    ("world", "countries", "neighbours", 644), ("world", "cities", "country", 26_184),
    ("world", "cities", "nearby", 14_436), ("world", "continents", "countries", 250),
    ("goals", "goals", "owner", 12), ("goals", "todos", "goal", 81),
    ("goals", "todos", "assignee", 81), ("goals", "todos", "tags", 141),
    ("goals", "todos", "after", 36), ("company", "departments", "head", 9),
    ("company", "employees", "department", 200), ("company", "employees", "manager", 199),
    ("company", "employees", "office", 200), ("company", "projects", "lead", 24),
    ("company", "projects", "members", 176), ("company", "projects", "departments", 58),
  ]

  @Test(
    "the numbers of entities and links match the notes", arguments: ["world", "goals", "company"])
  func numbers(folder: String) throws {
    let store = try Dataset.load(Self.files(folder))
    for (_, namespace, count) in Self.entities.filter({ $0.0 == folder }) {
      #expect(store.count(of: namespace) == count, "\(namespace)")
    }
    for (_, namespace, label, count) in Self.linkCounts.filter({ $0.0 == folder }) {
      #expect(try Self.links(namespace, label, in: store) == count, "\(namespace).\(label)")
    }
    #expect(store.checkInvariants().isEmpty)
  }

  @Test("the data matches the notes: 36 todos are done")
  func facts() throws {
    let goals = try Dataset.load(Self.files("goals"))
    let done = try #require(goals.schema.attribute("todos", "done"))
    #expect(goals.rows(of: "todos").handles.count { goals.value($0, done.id) == true } == 36)
  }
}
