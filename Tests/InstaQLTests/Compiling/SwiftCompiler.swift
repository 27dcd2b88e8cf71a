import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Type-checks Swift source against the libraries as they were built for these tests.
enum SwiftCompiler {
  struct Complaint: Hashable {
    /// From 1.
    var line: Int
    var isError: Bool
    var message: String
  }

  /// Where the built modules are; nil where tests are not built as SwiftPM does on Linux.
  static let modules: String? = {
    var path = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { return nil }
    let program = String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    let modules = "/" + folder + "/Modules"
    return access(modules + "/InstaQL.swiftmodule", R_OK) == 0 ? modules : nil
  }()

  /// What the compiler says about `source`.
  static func check(_ source: String, options: String = "") throws -> [Complaint] {
    let modules = try #require(modules)
    var template = Array("/tmp/sonde-typecheck-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { _ = run("rm -rf '\(folder)'") }
    let path = folder + "/Checked.swift"
    let file = try #require(fopen(path, "w"))
    fputs(source, file)
    fclose(file)
    let output = run(
      "swiftc -typecheck -parse-as-library -swift-version 6 -module-name Checked \(options)"
        + " -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility"
        + " -I '\(modules)' '\(path)' 2>&1")
    return output.split(separator: "\n").compactMap { line in
      guard line.hasPrefix(path + ":") else { return nil }
      return complaint(String(line.dropFirst(path.utf8.count + 1)))
    }
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
