import Foundation
import Testing

/// The compiler of this toolchain, asked about lines that an outsider could write.
private enum Compiler {
  /// Nil when there is none at hand, or no built library: then nothing can be asked.
  static let call: (compiler: URL, modules: URL)? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let compiler = folders.map { URL(filePath: String($0)).appending(path: "swiftc") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    let built = Bundle.main.bundleURL
    let modules = [built, built.deletingLastPathComponent()].map { $0.appending(path: "Modules") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    guard let compiler, let modules else { return nil }
    return (compiler, modules)
  }()

  /// The numbers of the lines that do not compile, the first being 1.
  static func refusedLines(of source: String) async throws -> Set<Int> {
    let call = try #require(call)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let said = try await withCheckedThrowingContinuation { continuation in
      // On a thread that may wait: those of Swift's tasks are too few to be held up.
      Thread.detachNewThread {
        continuation.resume(with: Result { try run(call, file) })
      }
    }
    let mark = "\(file.lastPathComponent):"
    let lines = said.split(separator: "\n").compactMap { line -> Int? in
      guard line.contains("error: "), let place = line.firstRange(of: mark) else { return nil }
      return Int(line[place.upperBound...].prefix(while: \.isNumber))
    }
    return Set(lines)
  }

  private static func run(
    _ call: (compiler: URL, modules: URL), _ file: URL
  ) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = call.compiler
    process.arguments = [
      "-typecheck", "-swift-version", "6", "-I", call.modules.path, file.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}

@Suite(.enabled(if: Compiler.call != nil)) struct `The compiler` {
  @Test func `refuses calls that a source does not have, and nothing else`() async throws {
    let source = """
      import DataSources
      struct ReadOnly: GetDataSource {
        func get(_ query: any Query) async throws(DataSourceError) -> Int { 1 }
        func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] { [1] }
      }
      func read(_ source: some GetDataSource<Int>) async throws { _ = try await source.get(id: "a") }
      func all(_ source: ReadOnly) async throws { try await read(source) }
      func put(_ source: ReadOnly) async throws { _ = try await source.put(1, id: "a") }
      func delete(_ source: ReadOnly) async throws { try await source.delete(id: "a") }
      func watch(_ source: ReadOnly) { _ = source.watch(IdQuery("a")) }
      func erase(_ source: ReadOnly) { _ = AnyGetDataSource(source) }
      func eraseWhole(_ source: ReadOnly) { _ = AnyDataSource<Int>(source) }
      func wrapped(_ source: ReadOnly) async throws { _ = try await source.retrying().get(id: "a") }
      func putWrapped(_ source: ReadOnly) async throws { _ = try await source.retrying().put(1, id: "a") }
      func asId(_ source: ReadOnly) async throws { _ = try await source.get(id: [1]) }
      """

    #expect(try await Compiler.refusedLines(of: source) == [8, 9, 10, 12, 14, 15])
  }

  @Test func `refuses a validation of what an object does not have`() async throws {
    let source = """
      import DataSources
      struct Note: Sendable { var updated: WallClock.Instant; var isStale = false }
      typealias Strategy = ValidationStrategy<Note>
      let old = Strategy.timestamp({ $0.updated }, timeToLive: .seconds(60), clock: WallClock())
      let none = Strategy.timestamp({ $0.created }, timeToLive: .seconds(60), clock: WallClock())
      let stale = Strategy.invalidation { $0.isStale }
      let gone = Strategy.invalidation { $0.isGone }
      """

    #expect(try await Compiler.refusedLines(of: source) == [5, 7])
  }

  /// The first code of a page of the catalogue, and what it takes for granted.
  struct Example: Sendable, CustomStringConvertible {
    let page: String
    let number: Int
    let given: String

    var description: String { "\(page), \(number)" }

    static let all = [
      Example(
        page: "DataSources", number: 0,
        given: "let stateFolder = \"\"\nfunc show(_ all: [Bookmark]) {}"),
      Example(
        page: "DataSources", number: 1,
        given: """
          let server = InMemoryDataSource<String>()
          let goalOfRow = Mapper { (row: String) throws(DataSourceError) in row.count }
          let rowOfGoal = Mapper { (goal: Int) throws(DataSourceError) in "\\(goal)" }
          """),
      Example(page: "OwnSources", number: 0, given: "struct Note: Sendable { var id: String }"),
    ]
  }

  @Test(arguments: Example.all)
  func `takes the catalogue's code as it stands`(example: Example) async throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/DataSources/DataSources.docc/\(example.page).md")
    let blocks = try String(contentsOf: page, encoding: .utf8).split(separator: "```swift\n")
      .dropFirst().compactMap { $0.split(separator: "```").first }
    let code = try #require(Array(blocks).dropFirst(example.number).first)

    let source = "import DataSources\n\(example.given)\n\(code)"

    #expect(try await Compiler.refusedLines(of: source) == [])
  }
}
