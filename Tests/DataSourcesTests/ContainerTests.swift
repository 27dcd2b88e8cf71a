import DataSources
import DataSourcesTesting
import CompilerTestSupport
import Testing

/// Tests that an existential source survives in any Swift container. A failure here overwrites
/// memory, so every case runs in a child process.
@Suite struct `A source in a container` {
  static let containers = [
    "array", "dictionary", "optional", "tasks", "generic function", "stream", "closures", "fields",
    "tuples", "required",
  ]

  @Test(arguments: containers)
  func `is unchanged`(container: String) async throws {
    let lines = try await ChildProgram.lines("none", "none", "containers", container)
    #expect(lines == ["[1, 2, 3]"])
  }

  /// The program is linked with the objects of this build, which need the runtime of a sanitizer if
  /// they were built for one.
  @Test(.enabled(if: SwiftCompiler.modules != nil && !SwiftCompiler.usesSanitizer))
  func `is unchanged in an optimized program`() async throws {
    let folder = TemporaryFolder()
    try folder.write(
      """
      @main struct Optimized {
        static func main() async throws {
          print(try await Containers.all[CommandLine.arguments[1]]?() ?? [])
        }
      }
      """, to: "Main.swift")
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let complaints = SwiftCompiler.makeOptimized(
      ["/\(tests)/Support/DataSourcesHelper/Containers.swift", folder.file("Main.swift")],
      of: ["DataSources"], at: folder.file("optimized"))
    #expect(complaints == "")
    for container in Self.containers {
      let lines = try await ChildProgram.lines(of: folder.file("optimized"), container)
      #expect(lines == ["[1, 2, 3]"], "\(container)")
    }
  }
}
