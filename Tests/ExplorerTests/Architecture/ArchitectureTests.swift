import Testing

/// Limits of structure, as they hold today: they are lowered as parts become independent, and never
/// raised.
@Suite("Structure of the sources")
struct ArchitectureTests {
  @Test(
    "no more files are in one circle of types than today",
    arguments: [
      ("Explorer", 3), ("Widgets", 1), ("TerminalUI", 4), ("LiveQueries", 0), ("Notebooks", 0),
      ("Ncurses", 3), ("Commands", 3), ("Stores", 5), ("InstaQL", 5), ("Triples", 20), ("Sync", 2),
    ])
  func circles(target: String, maxCount: Int) throws {
    let circle = try SourceFolder(target).largestCircle
    #expect(circle.count <= maxCount, "\(circle)")
  }

  @Test("the root state does not gain stored properties")
  func rootState() throws {
    let workspace = try #require(
      try SourceFolder("Explorer").files.first { $0.path == "Workspace.swift" })
    let stored = workspace.lines.filter { line in
      line.hasPrefix("  ") && !line.hasPrefix("   ") && line.contains(" var ")
        && !line.contains("{")
    }
    #expect(stored.count <= 10, "\(stored)")
  }

  @Test(
    "what travels between the screen and the world has no more cases than today",
    arguments: [("Event.swift", 14), ("Effect.swift", 18)])
  func cases(file: String, maxCount: Int) throws {
    let lines = try #require(try SourceFolder("Explorer").files.first { $0.path == file }).lines
    let cases = lines.filter { $0.hasPrefix("  case ") }
    #expect(cases.count <= maxCount, "\(cases)")
  }

  @Test("no pane knows the root state")
  func panes() throws {
    for file in try SourceFolder("Explorer").files
    where file.path.hasSuffix("Pane.swift") || file.path.contains("Pane+") {
      #expect(!file.names.contains("Workspace"), "\(file.path)")
    }
  }

  @Test("no file exceeds the current maximum length")
  func lengths() throws {
    for file in try SourceFolder("Explorer").files {
      #expect(file.lines.count <= 320, "\(file.path)")
    }
  }

  @Test("notices have texts only in their tables")
  func wording() throws {
    for file in try SourceFolder("Explorer").files where !file.path.hasPrefix("Notices/") {
      let own = file.lines.filter { line in
        guard let range = line.firstRange(of: "Notice(\"") ?? line.firstRange(of: ".error(\"")
        else {
          return false
        }
        return line[range.upperBound...].first?.isLetter == true
      }
      #expect(own.isEmpty, "\(file.path): \(own)")
    }
  }
}
