import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures the time from a commit in this process to its display in another process.
///
/// The explorer runs in its own terminal and displays one entity. This process reads its output.
/// Each new value differs from the previous one in every letter, so that the whole value is drawn.
/// When this process reads the value, its commit has been displayed.
struct PaintBench {
  let file: String
  let rounds = 100

  func run() async throws {
    guard let program = Self.program else {
      return print("commit to painted: there is no sonde next to this program")
    }
    let store = try await LocalStore.open(file: file)
    let snapshot = store.snapshot().store
    guard let title = snapshot.schema.attribute("posts", "title"),
      let post = snapshot.rows(of: "posts").handles.first.map(snapshot.id(of:)),
      let painted = ScreenProcess(
        program, [file, "posts filter id = \"\(post)\" fields title"], state: file + "-paint-state")
    else { return await store.close() }
    defer { painted.end() }
    var delays: [Double] = []
    try await Self.set("ready to go", of: post, title, store)
    guard painted.waits(for: "ready to go") else {
      await store.close()
      return print("commit to painted: no screen")
    }
    for round in 0..<rounds {
      let text = TwoScreensBench.text(round)
      try await Self.set(text, of: post, title, store)
      let acknowledged = Timing.now()
      guard painted.waits(for: text) else { break }
      delays.append(Timing.now() - acknowledged)
    }
    print("commit to painted by another process: \(StoreBench.summary(delays))")
    await store.close()
  }

  /// The path of the explorer in the folder of this program.
  static var program: String? {
    let own = CommandLine.arguments[0]
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? "./"
    return BenchData.exists(folder + "sonde") ? folder + "sonde" : nil
  }

  private static func set(
    _ text: String, of post: EntityID, _ title: Attribute, _ store: LocalStore
  ) async throws {
    try await store.put(
      nil, in: TransactionQuery(Transaction([.addTriple(.id(post), title.id, .text(text))])))
  }
}
