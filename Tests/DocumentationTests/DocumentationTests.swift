import Foundation
import Testing

/// The code of the documentation, compiled: what stands here between `code` and `end` is what stands
/// there, so that a guide's wrong line fails in the build and a changed one in the test.
///
///     // code: DataSources/Query.swift
///     struct SearchQuery: Query { var text: String }
///     // end
@Suite(.enabled(if: FileManager.default.fileExists(atPath: CodeBlocks.sources.path)))
struct `The code of the documentation` {
  @Test func `all code in the documentation compiles unchanged`() throws {
    let written = try CodeBlocks.written()
    let compiled = try CodeBlocks.compiled()

    for place in Set(written.keys).union(compiled.keys).sorted() {
      #expect(compiled[place] == written[place], "\(place)")
    }
    #expect(written.count > 30)
  }
}

/// The code blocks of each source file in order, with white space normalized.
private enum CodeBlocks {
  static let here = URL(filePath: #filePath).deletingLastPathComponent()
  static let checkout = here.deletingLastPathComponent().deletingLastPathComponent()
  static let sources = checkout.appending(path: "Sources")
  /// The page of the whole package, and not the one of its sources.
  static let readme = "README.md"

  /// What the documentation shows: in the README, in comments and in the pages of catalogs.
  static func written() throws -> [String: [String]] {
    var blocks: [String: [String]] = [:]
    for file in try files(in: sources) + [readme] where !isCompiledElsewhere(file) {
      let isPage = file.hasSuffix(".md")
      let folder = file == readme ? checkout : sources
      let lines = try lines(of: folder.appending(path: file)).map { line in
        let trimmed = line.trimmingCharacters(in: .whitespaces)
        return isPage ? trimmed : trimmed.hasPrefix("///") ? String(trimmed.dropFirst(3)) : ""
      }
      // What a sample imports, the compiled file imports at its start.
      let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("import ") }
      blocks[file] = read(code, from: { $0.hasSuffix("```swift") }, to: { $0.hasSuffix("```") })
    }
    return blocks.filter { !$0.value.isEmpty }
  }

  /// What is compiled in this folder.
  static func compiled() throws -> [String: [String]] {
    var blocks: [String: [String]] = [:]
    for file in try files(in: here) where !file.hasSuffix("Tests.swift") {
      var place = ""
      let found = read(
        try lines(of: here.appending(path: file)),
        from: { line in
          guard let mark = line.firstRange(of: "// code: ") else { return false }
          place = String(line[mark.upperBound...])
          return true
        }, to: { $0.hasSuffix("// end") },
        found: { blocks[place, default: []].append($0) })
      #expect(!found.isEmpty, "\(file) holds no code of the documentation")
    }
    return blocks
  }

  /// The guide to queries is one program, which the tests of queries compile; the samples of other
  /// pages are compiled by themselves.
  private static func isCompiledElsewhere(_ file: String) -> Bool {
    file.contains(".docc/")
      && !["DataSources.md", "OwnSources.md"].contains {
        file == "DataSources/DataSources.docc/" + $0
      }
  }

  private static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.sorted()
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @discardableResult
  private static func read(
    _ lines: [String], from isBeginning: (String) -> Bool, to isEnd: (String) -> Bool,
    found: (String) -> Void = { _ in }
  ) -> [String] {
    var blocks: [String] = []
    var block: [String]?
    for line in lines {
      if let open = block {
        if isEnd(line) {
          let text = open.flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .joined(separator: " ")
          blocks.append(text)
          found(text)
          block = nil
        } else {
          block = open + [line]
        }
      } else if isBeginning(line) {
        block = []
      }
    }
    return blocks
  }
}
