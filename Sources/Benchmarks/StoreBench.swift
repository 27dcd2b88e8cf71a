import DataSources
import InstaQL
import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures a `.sonde` file: creating, opening, committing, and how long a commit takes to reach
/// another process.
///
///     sonde-bench --store [entities or data folder]
///
/// The other process is this program with `--follow FILE`. For each commit, it prints the time at
/// which it has answered a query.
struct StoreBench {
  let folder: String
  let cache: String

  private var file: String { "\(cache)/bench.sonde" }

  func run() async throws {
    guard let dump = BenchData.dump(of: folder) else { return print("\(folder): no data there.") }
    let store = try TripleDump.load(dump.bytes)
    for rest in ["", "-wal", "-shm"] { unlink(file + rest) }
    let start = Timing.now()
    try await LocalStore.create(file: file, of: store)
    print("making a file of \(dump.triples) triples: \((Timing.now() - start).short) ms")
    try await opening()
    try await committing()
    try await PaintBench(file: file).run()
  }

  /// The first page: fifty entities of the largest namespace, in order of creation.
  private static let page = QueryPlan("comments", page: Page(limit: 50))

  private func opening() async throws {
    var times: [Double] = []
    for _ in 0..<7 {
      let start = Timing.now()
      let opened = try await LocalStore.open(file: file)
      _ = try QueryEngine.answer(Self.page, in: opened.snapshot().store)
      times.append(Timing.now() - start)
      await opened.close()
    }
    times.sort()
    print("opening to the first page: \(times[3].short) ms (\(times[0].short)–\(times[6].short))")
  }

  private func committing() async throws {
    let opened = try await LocalStore.open(file: file)
    let snapshot = opened.snapshot().store
    guard let title = snapshot.schema.attribute("posts", "title"),
      let follower = popen("'\(CommandLine.arguments[0])' --follow '\(file)'", "r")
    else { return }
    let posts = snapshot.rows(of: "posts").handles
    // When the other process is ready, it prints its process id.
    let process = Self.line(of: follower).flatMap { pid_t($0) }
    var commits: [Double] = []
    var delays: [Double] = []
    for round in 0..<100 {
      let post = snapshot.id(of: posts[round * 37 % posts.count])
      let start = Timing.now()
      try await opened.put(
        nil,
        in: TransactionQuery(
          Transaction([.addTriple(.id(post), title.id, .text("round \(round)"))])))
      let acknowledged = Timing.now()
      commits.append(acknowledged - start)
      guard let line = Self.line(of: follower), let seen = Double(line) else { break }
      delays.append(seen - acknowledged)
    }
    print("commit, durable: \(Self.summary(commits))")
    print("commit to answered in another process: \(Self.summary(delays))")
    // If the other process missed a commit, it would wait for it indefinitely.
    if let process { kill(process, SIGTERM) }
    pclose(follower)
    await opened.close()
  }

  /// Prints the process id, then for each change the time when a page was answered. Ends after 100
  /// changes.
  static func follow(_ file: String) async throws {
    let store = try await LocalStore.open(file: file, access: .readOnly)
    var known: Int?
    for try await snapshot in store.watch(AllObjectsQuery()) {
      guard let last = known else {
        known = snapshot.transactionID
        printLine("\(getpid())")
        continue
      }
      if snapshot.transactionID == last { continue }
      _ = try QueryEngine.answer(page, in: snapshot.store)
      printLine("\(Timing.now())")
      known = snapshot.transactionID
      if snapshot.transactionID > 100 { return }
    }
  }

  /// Writes a line immediately, because output to a pipe is otherwise buffered.
  private static func printLine(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(1, line, line.count)
  }

  private static func line(of pipe: UnsafeMutablePointer<FILE>) -> String? {
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, pipe) != nil else { return nil }
    return text(line)
  }

  /// Returns a line that the C library read as text, without its line break.
  static func text(_ line: [CChar]) -> String {
    String(
      decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func summary(_ times: [Double]) -> String {
    guard !times.isEmpty else { return "nothing measured" }
    let sorted = times.sorted()
    return
      "median \(sorted[sorted.count / 2].short) ms, p95 \(sorted[sorted.count * 95 / 100].short)"
  }
}
