import Foundation
import TerminalUI
import Testing

/// Compares a screen with the one in `Screens/NAME.txt`.
///
/// With `SONDE_RECORD_SCREENS=1` in the environment, the file is rewritten instead. Review the
/// change like any other. Only record a screen that is worth reading as a whole: `expectBlock` and
/// the rules in `Panes/Invariants` test everything else.
func expectScreen(
  _ text: String, named name: String, at location: SourceLocation = #_sourceLocation
) throws {
  let file = RecordedScreens.folder.appending(path: name + ".txt")
  if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
    try Data((text + "\n").utf8).write(to: file)
    return
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text + "\n" == expected, sourceLocation: location)
}

/// Expects that a part of a screen has these lines, one below the other, from the same column.
func expectBlock(
  _ block: String, in screen: String, at location: SourceLocation = #_sourceLocation
) {
  let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let rows = screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let isFound = rows.indices.dropLast(lines.count - 1).contains { top in
    var starts = columns(of: lines[0], in: rows[top])
    for (line, row) in zip(lines, rows[top...]).dropFirst() where !line.isEmpty {
      starts.formIntersection(columns(of: line, in: row))
    }
    return !starts.isEmpty
  }
  #expect(isFound, "Expected\n\(block)\nin\n\(screen)", sourceLocation: location)
}

/// Returns the columns of a row at which a text begins.
private func columns(of text: String, in row: String) -> Set<Int> {
  Set(row.ranges(of: text).map { TextWidth.columns(of: String(row[..<$0.lowerBound])) })
}

@Suite("Recorded screens")
struct RecordedScreens {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Screens")

  private static func names() throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(files.filter { $0.hasSuffix(".txt") })
  }

  @Test("are so few that a reviewer reads them all")
  func count() throws {
    #expect(try Self.names().count <= 30)
  }

  @Test("are all used by a test")
  func used() throws {
    let tests = Self.folder.deletingLastPathComponent()
    var source = ""
    for file in try FileManager.default.subpathsOfDirectory(atPath: tests.path)
    where file.hasSuffix(".swift") {
      source += try String(contentsOf: tests.appending(path: file), encoding: .utf8)
    }
    let used = Set(
      source.matches(of: #/named: "([^"\\]+)"\)/#).map { String($0.output.1) + ".txt" }
    )
    .union(ScreenTests.firstSizes.map { "first-\($0.0)x\($0.1).txt" })
    .union(PaneStateTests.recorded.map { "state-\($0).txt" })
    #expect(try Self.names().subtracting(used).isEmpty)
  }
}
