import Foundation

/// Runs the built program and captures its output.
enum Program {
  /// The top of the checkout.
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The complete demo of the world, for tests that need long answers.
  static let world = checkout + "/demo-data/world"

  /// The program next to the test bundle.
  static let path = built("sonde")

  /// The path of another program next to the test bundle.
  static func built(_ name: String) -> String {
    let built = Bundle.main.bundleURL
    let beside = [built, built.deletingLastPathComponent()]
      .map { $0.appending(path: name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    return beside ?? checkout + "/.build/debug/" + name
  }

  struct Run {
    let status: Int32
    let output: String
    let error: String
  }

  /// Runs the program to its end, without a terminal.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Run {
    let program = try Child([path] + arguments, environment: environment)
    try program.write(input)
    let end = program.finish()
    return Run(status: end.status, output: end.output, error: end.complaints)
  }

  /// Creates a folder that is removed when the body ends.
  static func withFolder<Result>(
    _ files: [String: String], _ body: (String) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sonde-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    return try body(folder.path)
  }

  #if os(Linux)
    /// Returns whether all threads of a process are asleep.
    static func isAsleep(_ process: pid_t) throws -> Bool {
      let folder = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
        let status = try String(contentsOfFile: folder + "/" + $0 + "/status", encoding: .utf8)
        return status.contains("\nState:\tS")
      }
    }

    /// The names of a process's threads.
    static func threads(of process: pid_t) throws -> [String] {
      let folder = "/proc/\(process)/task"
      return try FileManager.default.contentsOfDirectory(atPath: folder).map {
        let name = try String(contentsOfFile: folder + "/" + $0 + "/comm", encoding: .utf8)
        return name.trimmingCharacters(in: .newlines)
      }
    }
  #endif
}
