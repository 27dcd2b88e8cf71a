import Foundation
import GRDB
import Testing

@Suite("Quitting with changes in flight", .waitsForPrograms, .timeLimit(.minutes(10)))
struct QuittingTests {
  @Test("a blocked change is committed before the program ends")
  func change() throws {
    try Program.withFolder([:]) { folder in
      let file = folder + "/plan.sonde"
      let made = try Program.run(
        ["transact", file, "-", "--create"],
        input: #"["update", "notes", "0c5f5e9c-9f4f-4f0e-8f0a-0d8d5c9c6f11", {"title": "Run"}]"#)
      #expect(made.status == 0, "\(made.error)")
      let terminal = try Tmux(columns: 100)
      try terminal.run("\(Program.path) \(file) notes; echo le''ft $?")
      try terminal.wait(for: "Run")
      try terminal.type("4l")
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: file, configuration: configuration)
      try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      try terminal.type("e\u{5} far\rq")
      let screen = try terminal.wait {
        $0.contains("Waiting until 1 change is") || $0.contains("left")
      }
      #expect(!screen.contains("left"))
      try other.inDatabase { try $0.execute(sql: "COMMIT") }
      try terminal.wait(for: "left 0")
      let asked = try Program.run(["query", file, "notes"])
      #expect(asked.output.contains("Run far"), "\(asked.output)")
    }
  }
}
