import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures how soon a commit of this process is painted by the explorer in another one.
///
/// The explorer runs in a terminal that `script` makes, and shows one entity; what it paints is read
/// byte by byte. Each new value differs from the one before in every letter, so that all of it is
/// painted, and a value that is read was painted for its commit.
struct PaintBench {
  let file: String
  let rounds = 100

  func run() async throws {
    guard let program else {
      return print("commit to painted: there is no sonde beside this program")
    }
    let store = try await LocalStore.open(file: file)
    let snapshot = store.snapshot().store
    guard let title = snapshot.schema.attribute("posts", "title"),
      let post = snapshot.rows(of: "posts").handles.first.map(snapshot.id(of:))
    else { return }
    guard let painted = Painted(program, file, "posts filter id = \"\(post)\" fields title") else {
      return
    }
    defer { painted.end() }
    var delays: [Double] = []
    try await Self.set("ready to go", of: post, title, store)
    guard painted.waits(for: "ready to go") else { return print("commit to painted: no screen") }
    for round in 0..<rounds {
      let text = Self.text(round)
      try await Self.set(text, of: post, title, store)
      let acknowledged = Timing.now()
      guard painted.waits(for: text) else { break }
      delays.append(Timing.now() - acknowledged)
    }
    print("commit to painted by another process: \(StoreBench.summary(delays))")
    await store.close()
  }

  private var program: String? {
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

  /// Eight letters, each another one than a round before.
  private static func text(_ round: Int) -> String {
    String(decoding: (0..<8).map { UInt8(97 + (round + $0) % 26) }, as: UTF8.self)
  }
}

/// The explorer in a terminal, and what it paints, byte by byte.
private struct Painted {
  private let terminal: UnsafeMutablePointer<FILE>
  private let group: pid_t

  /// Nil when the system makes no terminal.
  init?(_ program: String, _ file: String, _ query: String) {
    // A file, as three shells would each want the quotes in another way.
    let script = file + "-paint.sh"
    let text = """
      [ -n "$1" ] && { stty rows 24 cols 100; exec '\(program)' '\(file)' '\(query)'; }
      echo $$
      sleep 300 | TERM=vt100 script -qfc "sh '\(script)' paint" /dev/null

      """
    guard let output = fopen(script, "w") else { return nil }
    fputs(text, output)
    fclose(output)
    guard let terminal = popen("exec setsid sh '\(script)' 2>/dev/null", "r") else { return nil }
    self.terminal = terminal
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, 32, terminal) != nil, let group = pid_t(StoreBench.text(line)) else {
      pclose(terminal)
      return nil
    }
    self.group = group
  }

  /// False when the terminal ends before the text comes.
  func waits(for text: String) -> Bool {
    let wanted = Array(text.utf8)
    var last: [UInt8] = []
    while true {
      let byte = getc(terminal)
      if byte < 0 { return false }
      last.append(UInt8(truncatingIfNeeded: byte))
      if last.count > wanted.count { last.removeFirst() }
      if last == wanted { return true }
    }
  }

  func end() {
    kill(-group, SIGTERM)
    pclose(terminal)
  }
}
