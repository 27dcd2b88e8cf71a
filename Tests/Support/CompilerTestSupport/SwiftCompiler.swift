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

  /// Whether this program was built for the address or the thread sanitizer.
  package static var usesSanitizer: Bool {
    dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }

  /// What the compiler says about `source`.
  /// - Parameter checkout: The folder of the package, for modules that import other packages.
  package static func check(_ source: String, in checkout: String? = nil) throws -> [Complaint] {
    let options = checkout.map(searchOptions) ?? ""
    return try lines(about: source, options: options) { text, path in
      if text.hasPrefix("<unknown>:0: error: ") {
        return Complaint(line: 0, isError: true, message: text)
      }
      guard text.hasPrefix(path + ":") else { return nil }
      return complaint(String(text.dropFirst(path.utf8.count + 1)))
    }
  }

  /// Lists the public symbols of a module as JSON.
  /// - Returns: A folder with the files, which the caller removes.
  package static func symbolGraph(of module: String, in checkout: String) throws -> String {
    let folder = TemporaryFolder()
    try folder.make()
    let output = run(
      "mkdir -p '\(folder.path).symbols' && swift symbolgraph-extract -module-name \(module)"
        + " -I '\(modules ?? "")' \(searchOptions(checkout)) -minimum-access-level public"
        + " -target $(swiftc -print-target-info | sed -n 's/.*\"triple\": \"\\(.*\\)\".*/\\1/p' | head -n 1)"
        + " -output-dir '\(folder.path).symbols' 2>&1")
    guard output.isEmpty else { throw Failure(output: output) }
    return folder.path + ".symbols"
  }

  /// What a tool of the compiler printed instead of doing its work.
  package struct Failure: Error {
    package let output: String
  }

  /// Where the modules in C are, of the package and of those that it depends on.
  private static func searchOptions(_ checkout: String) -> String {
    let built = (modules ?? "") + "/.."
    return "$(find '\(built)/' -maxdepth 2 -name module.modulemap"
      + " -printf '-Xcc -fmodule-map-file=%p ')"
      + " $(find '\(built)/../../checkouts' '\(checkout)/Sources' -path '*/Sources/*'"
      + " -name module.modulemap -printf '-I %h ')"
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
