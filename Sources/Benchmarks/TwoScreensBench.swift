import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures two explorers on one server: the time until an input in one of them appears in the
/// other.
///
///     sonde-bench screens [entities or data folder]
///
/// Each explorer runs in its own terminal, and both display the same entity. A value is typed in
/// the first explorer and committed with Enter. The figure is the time from Enter until the second
/// explorer displays the value.
struct TwoScreensBench {
  let folder: String
  let cache: String
  private let rounds = 100

  init(folder: String, cache: String) {
    self.folder = folder
    self.cache = cache
  }

  private var file: String { "\(cache)/screens.sonde" }

  func run() async throws {
    guard let program = PaintBench.program else {
      return print("two explorers: there is no sonde next to this program")
    }
    guard let dump = BenchData.dump(of: folder) else { return print("\(folder): no data there.") }
    let store = try TripleDump.load(dump.bytes)
    for rest in ["", "-wal", "-shm"] { unlink(file + rest) }
    try await LocalStore.create(file: file, of: store)
    guard let first = store.rows(of: "posts").handles.first,
      let title = store.schema.attribute("posts", "title"),
      case .text(let known)? = store.value(first, title.id), let server = Served(program, file)
    else { return print("two explorers: no server") }
    let post = store.id(of: first)
    defer { server.end() }
    let query = "posts filter id = \"\(post)\" fields title"
    guard
      let writer = ScreenProcess(
        program, [server.address, query, "--write"], state: file + "-writer-state"),
      let reader = ScreenProcess(
        program, [server.address, query], state: file + "-reader-state")
    else { return print("two explorers: no terminal") }
    defer {
      writer.end()
      reader.end()
    }
    // If a space replaces a space, nothing is drawn. So the awaited text ends before the first
    // space.
    let sign = String(known.prefix { $0 != " " })
    guard writer.waits(for: sign), reader.waits(for: sign) else {
      return print("two explorers: no screen")
    }
    writer.drain()
    var delays: [Double] = []
    for round in -2..<rounds {
      let text = Self.text(round + 2)
      pause(.milliseconds(50))
      writer.type("4e\u{15}" + text)
      pause(.milliseconds(50))
      let start = Timing.now()
      writer.type("\r")
      if reader.waits(for: text) {
        if round >= 0 { delays.append(Timing.now() - start) }
      } else {
        // Closes a pane that may be open.
        writer.type("\u{1b}")
      }
    }
    print(
      "typed in one explorer to painted by the other, \(delays.count) of \(rounds) seen: "
        + StoreBench.summary(delays))
    fflush(nil)
  }

  /// Returns a text of eight letters. Every letter differs from the one in the previous round.
  static func text(_ round: Int) -> String {
    String(decoding: (0..<8).map { UInt8(97 + (round + $0) % 26) }, as: UTF8.self)
  }
}

/// A server in another process.
private struct Served {
  let address: String
  private let output: UnsafeMutablePointer<FILE>
  private let process: pid_t

  /// Starts a server; nil if the server does not print its address.
  init?(_ program: String, _ file: String) {
    guard
      let output = popen("echo $$; exec '\(program)' serve '\(file)' --port 0 --write", "r")
    else { return nil }
    var line = [CChar](repeating: 0, count: 300)
    guard fgets(&line, 300, output) != nil, let process = pid_t(StoreBench.text(line)),
      fgets(&line, 300, output) != nil,
      let address = StoreBench.text(line).split(separator: " ").first(where: {
        $0.hasPrefix("ws://")
      })
    else { return nil }
    self.output = output
    self.process = process
    self.address = String(address.prefix { $0 != "," })
  }

  func end() {
    kill(process, SIGTERM)
    pclose(output)
  }
}
