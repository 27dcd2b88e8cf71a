import DataSourcesTesting

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Type-checks Swift source against the libraries as they were built for these tests.
package enum SwiftCompiler {
  package struct Complaint: Hashable, Sendable {
    /// From 1.
    package var line: Int
    package var isError: Bool
    package var message: String
  }

  /// How long the compiler needed for an expression.
  package struct Timing: Hashable, Sendable {
    package var milliseconds: Int
    /// Where the expression begins, from 1.
    package var line: Int
  }

  /// Where the built modules are; nil where tests are not built as SwiftPM does on Linux.
  package static let modules: String? = {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { return nil }
    let program = String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    let modules = "/" + folder + "/Modules"
    return access(modules + "/InstaQL.swiftmodule", R_OK) == 0 ? modules : nil
  }()

  /// What the compiler says about `source`.
  package static func check(_ source: String) throws -> [Complaint] {
    try lines(about: source) { text, path in
      guard text.hasPrefix(path + ":") else { return nil }
      return complaint(String(text.dropFirst(path.utf8.count + 1)))
    }
  }

  /// How long each expression of `source` takes that takes more than a millisecond, the slowest first.
  package static func timings(of source: String) throws -> [Timing] {
    let timings = try lines(
      about: source, options: "-Xfrontend -warn-long-expression-type-checking=1"
    ) { text, path -> Timing? in
      // `/path/to/File.swift:12:5: warning: expression took 87ms to type-check (limit: 1ms)`
      guard text.hasPrefix(path + ":"),
        let complaint = complaint(String(text.dropFirst(path.utf8.count + 1))),
        let time = complaint.message.firstMatch(of: /took (\d+)ms/)
      else { return nil }
      return Timing(milliseconds: Int(time.1) ?? 0, line: complaint.line)
    }
    return timings.sorted { $0.milliseconds > $1.milliseconds }
  }

  /// Makes a program of source files with `-O`, linked with modules as they were built for these tests.
  /// - Returns: What the compiler complains of; nothing when the program stands at `path`.
  package static func makeOptimized(
    _ files: [String], of modulesUsed: [String], at path: String
  ) -> String {
    let folder = modules ?? ""
    let objects = modulesUsed.map { "'\(folder)/../\($0).build'/*.swift.o" }.joined(separator: " ")
    return run(
      "swiftc -O -parse-as-library -swift-version 6 -module-name Optimized"
        + " -enable-upcoming-feature ExistentialAny -I '\(folder)'"
        + " \(files.map { "'\($0)'" }.joined(separator: " ")) \(objects) -o '\(path)' 2>&1")
  }

  private static func lines<Line>(
    about source: String, options: String = "", _ read: (String, String) -> Line?
  ) throws -> [Line] {
    let folder = TemporaryFolder()
    try folder.write(source, to: "Checked.swift")
    let path = folder.file("Checked.swift")
    let output = run(
      "swiftc -typecheck -parse-as-library -swift-version 6 -module-name Checked \(options)"
        + " -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility"
        + " -I '\(modules ?? "")' '\(path)' 2>&1")
    return output.split(separator: "\n").compactMap { read(String($0), path) }
  }

  /// `12:5: error: words`
  private static func complaint(_ text: String) -> Complaint? {
    let parts = text.split(separator: ":", maxSplits: 3).map(String.init)
    guard parts.count == 4, let line = Int(parts[0]) else { return nil }
    let kind = parts[2].drop { $0 == " " }
    guard kind == "error" || kind == "warning" else { return nil }
    return Complaint(line: line, isError: kind == "error", message: parts[3])
  }

  private static func run(_ command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      output += buffer[..<count]
    }
    return String(decoding: output, as: UTF8.self)
  }
}
