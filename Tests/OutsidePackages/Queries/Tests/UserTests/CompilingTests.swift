import DataSourcesTesting
import Foundation
import Testing

/// What the compiler says about programs that use the library.
@Suite struct `The compiler` {
  private let folder = TemporaryFolder()

  @Test func `accepts a source that can only be read, and rejects a put on it`() throws {
    let dice = """
      import DataSources
      struct Dice: GetDataSource {
        func get(_ query: any Query) async throws(DataSourceError) -> Int { 4 }
        func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] { [4] }
      }
      func roll(_ dice: Dice) async throws -> Int { try await dice.get(VoidQuery()) }
      """
    #expect(try errors(of: dice) == [])
    let put = dice + "\nfunc load(_ dice: Dice) async throws { try await dice.put(6, id: 1) }"
    #expect(try errors(of: put) == ["value of type 'Dice' has no member 'put'"])
  }

  @Test func `rejects a rule about a property that the object does not have`() throws {
    let rule = """
      import DataSources
      struct Goal: Sendable { var isStale: Bool }
      let good = ValidationStrategy<Goal>.invalidation { $0.isStale }
      let bad = ValidationStrategy<Goal>.invalidation { $0.isOld }
      """
    #expect(try errors(of: rule) == ["value of type 'Goal' has no member 'isOld'"])
  }

  private static let employee = """
    import InstaQL
    struct Employee: QueryEntity {
      struct Fields: Sendable {
        let salary = Field<Int>("salary"), active = Field<Bool>("active")
      }
      static let namespace = "employees"
      static let fields = Fields()
      init(row: DataRow) throws(QueryError) {}
    }
    let query = EntityQuery<Employee>.from()

    """

  @Test(arguments: [
    "query.filter { $0.salary > 5 }", "query.filter { $0.active }", "query.filter(\\.active)",
    "query.filter { $0.active && 5 < $0.salary }",
  ])
  func `accepts a condition`(condition: String) throws {
    #expect(try errors(of: Self.employee + "let found = \(condition)") == [])
  }

  @Test(arguments: [
    (
      "query.filter { $0.salary > \"x\" }",
      "binary operator '>' cannot be applied to operands of type 'Term<Employee, Int>' and 'String'"
    ),
    ("query.filter { $0.salry > 5 }", "has no dynamic member 'salry'"),
    (
      "query.filter { $0.salary }",
      "cannot convert value of type 'Term<Employee, Int>' to closure result type 'Condition<Employee>'"
    ),
  ])
  func `rejects a condition that cannot hold`(condition: String, reason: String) throws {
    let errors = try errors(of: Self.employee + "let found = \(condition)")
    #expect(errors.count == 1)
    #expect(errors.first?.contains(reason) == true, "\(errors)")
  }

  private func errors(of source: String) throws -> [String] {
    try folder.write(source, to: "Checked.swift")
    let built = Bundle.main.bundleURL
    let modules = [built, built.deletingLastPathComponent()].map { $0.appending(path: "Modules") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "Checked",
      "-I", try #require(modules).path, folder.file("Checked.swift"),
    ]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return text.split(separator: "\n").filter { $0.contains("Checked.swift:") }
      .compactMap { $0.components(separatedBy: " error: ").dropFirst().first }
  }
}
