import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder with one task to serve, and queries of it.
enum Tasks {
  static let one = #"[{"id": "7a000000-0000-4000-8000-000000000001", "title": "one"}]"#
  /// Makes another one, `two`.
  static let addition = """
    [["update", "tasks", "7a000000-0000-4000-8000-000000000002", {"title": "two"}]]
    """
  static let query = "tasks order title fields title"
}

/// Where a user keeps things.
struct Place {
  let environment: [String: String]

  init(_ folder: String, _ name: String = "me") {
    environment = ["XDG_STATE_HOME": folder + "/" + name, "SONDE_TOKEN": ""]
  }

  func run(_ arguments: String..., input: String = "") throws -> Program.Run {
    try Program.run(arguments, input: input, environment: environment)
  }
}

/// `sonde serve` over a store.
struct Server {
  enum Access { case readOnly, readWrite }

  let address: String
  private let program: Child

  /// - Parameters:
  ///   - options: What else stands on the command line.
  ///   - environment: For a store that is itself behind a server.
  init(
    _ store: String, access: Access = .readWrite, port: String = "0", options: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    let write = access == .readWrite ? ["--write"] : []
    program = try Child(
      [Program.path, "serve", store, "--port", port] + write + options,
      environment: ["SONDE_TOKEN": ""].merging(environment) { $1 })
    let line = program.line() ?? ""
    guard let address = line.split(separator: " ").first(where: { $0.hasPrefix("ws://") }) else {
      throw Silence(store: store, line: line, end: program.finish())
    }
    self.address = String(address)
  }

  /// It did not say where it listens.
  struct Silence: Error {
    let store: String
    let line: String
    let end: (status: Int32, output: String, complaints: String)
  }

  var port: String {
    let host = address.dropFirst("ws://".count).prefix { $0 != "/" }
    return String(host.split(separator: ":").last ?? "0")
  }

  #if os(Linux)
    /// The names of its threads.
    func threads() throws -> [String] { try Program.threads(of: program.process) }

    /// What it holds in memory, in bytes, now and at most since this was asked last.
    func memory() throws -> (now: Int, peak: Int) {
      let folder = "/proc/\(program.process)"
      let lines = try String(contentsOfFile: folder + "/status", encoding: .utf8)
        .split(separator: "\n")
      func bytes(_ name: String) -> Int {
        let line = lines.first { $0.hasPrefix(name) }
        let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        return (number.flatMap { Int($0) } ?? 0) * 1_024
      }
      // Five forgets the peak.
      try "5".write(toFile: folder + "/clear_refs", atomically: false, encoding: .utf8)
      return (bytes("VmRSS:"), bytes("VmHWM:"))
    }
  #endif

  func stop() {
    program.signal(SIGTERM)
    _ = program.finish()
  }
}
