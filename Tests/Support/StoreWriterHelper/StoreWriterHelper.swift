import DataSources
import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes to a store file until it is killed, or follows one, for tests of several processes.
///
///     sonde-store-writer write FILE    prints the number of each task once it is acknowledged
///     sonde-store-writer follow FILE   prints the number of tasks, at first and after each change
@main
enum StoreWriterHelper {
  static func main() async throws {
    let (mode, file) = (CommandLine.arguments[1], CommandLine.arguments[2])
    if mode == "follow" { try await follow(file) } else { try await write(file) }
  }

  private static func follow(_ file: String) async throws {
    let store = try await LocalStore.open(file: file, access: .readOnly)
    var last = -1
    for try await snapshot in store.watch(AllObjectsQuery()) {
      let count = snapshot.store.count(of: "tasks")
      if count != last { say(count) }
      last = count
    }
  }

  private static func write(_ file: String) async throws {
    let store = try await LocalStore.open(file: file, ifMissing: .create)
    if store.snapshot().store.schema.attributes.isEmpty {
      try await store.put(nil, in: TransactionQuery(schema))
    }
    var number = store.snapshot().store.count(of: "tasks")
    while true {
      try await store.put(nil, in: TransactionQuery(task(number)))
      say(number)
      number += 1
      // The cache is written concurrently, and also interrupted by a kill.
      if number % 5 == 0 { Task { await store.writeCache() } }
    }
  }

  /// Writes a line at once: output that is not a terminal is buffered.
  private static func say(_ number: Int) {
    let line = Array("\(number)\n".utf8)
    #if canImport(Glibc)
      _ = Glibc.write(1, line, line.count)
    #else
      _ = Darwin.write(1, line, line.count)
    #endif
  }

  private static let (id, title, next) = (AttributeID("id"), AttributeID("t"), AttributeID("n"))

  private static let schema = Transaction([
    .addAttribute(Attribute(id: id, namespace: "tasks", label: "id", constraints: .unique)),
    .addAttribute(Attribute(id: title, namespace: "tasks", label: "title")),
    .addAttribute(
      Attribute(
        id: next, namespace: "tasks", label: "next",
        reverse: Attribute.Name(namespace: "tasks", label: "previous"), valueType: .ref,
        cardinality: .many)),
  ])

  /// A task, its title, and a link to itself and to the one before.
  private static func task(_ number: Int) -> Transaction {
    let entity = EntityID(high: 0x4000, low: UInt64(number))
    let before = EntityID(high: 0x4000, low: UInt64(max(0, number - 1)))
    return Transaction([
      .addTriple(.id(entity), id, .text(entity.text)),
      .addTriple(.id(entity), title, .text("task \(number)")),
      .addTriple(.id(entity), next, .text(entity.text)),
      .addTriple(.id(entity), next, .text(before.text)),
    ])
  }
}
