import Foundation
import Testing

@Suite("The README's commands", .waitsForPrograms)
struct ReadmeCommandTests {
  static let queries: [String] = {
    let file = URL(filePath: Program.checkout).appending(path: "README.md")
    let readme = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return readme.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("sonde query ") }
  }()

  @Test("there are some")
  func some() {
    #expect(Self.queries.count >= 4)
  }

  @Test("a store is made, written as a backup and changed, as it is told, one after the other")
  func stores() throws {
    let file = URL(filePath: Program.checkout).appending(path: "README.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter {
        $0.hasPrefix("sonde import ") || $0.hasPrefix("sonde export ")
          || $0.contains("| sonde transact ")
      }
    #expect(lines.count == 6)
    try Program.withFolder(["more.csv": "title\nmore\n", "staff.csv": "email\na@x\n"]) { folder in
      for line in lines {
        let command = "cd '\(folder)'; sonde() { '\(Program.path)' \"$@\"; }; \(line)"
        let run = try Child(["sh", "-c", command]).finish()
        #expect(run.status == 0, "\(line): \(run.complaints)")
      }
    }
  }

  @Test("each query runs and finds something", arguments: queries)
  func runs(_ line: String) throws {
    let command = line.replacing("sonde ", with: "'\(Program.path)' ", maxReplacements: 1)
    let asItStands = try Child(["sh", "-c", command]).finish()
    #expect(asItStands.status == 0, "\(asItStands.complaints)")
    let run = try Child(["sh", "-c", command + " --format json"]).finish()
    #expect(run.output.contains("\"id\":"))
  }
}
