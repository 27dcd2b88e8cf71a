import CompilerTestSupport
import Foundation
import TestSupport
import Testing

/// The samples of the pages for programmers, each compiled by itself.
///
/// A comment before a sample says what it needs: `<!-- given: name: Type -->` lists values, and
/// `<!-- declares -->` adds the sample to what later samples of the page may use. Samples with
/// declarations that only a file may have, such as extensions, stand outside of a function. Imports
/// that a sample shows are the only ones of it and of later samples of the page.
@Suite(
  .enabled(if: SwiftCompiler.modules != nil), .timeLimit(.minutes(10)))
struct `Samples of the pages` {
  @Test(arguments: try SamplePage.all)
  func `compile each by itself`(page: SamplePage) async throws {
    for sample in page.samples {
      let complaints = try await onOwnThread {
        try SwiftCompiler.check(sample.program, in: SamplePage.checkout.path)
      }
      #expect(
        complaints.isEmpty, "\(page): sample \(sample.number): \(complaints)\n\(sample.program)")
    }
  }

  @Test func `are found`() throws {
    #expect(try SamplePage.all.count > 12)
    #expect(try SamplePage.all.allSatisfy { !$0.samples.isEmpty })
  }

  @Test func `every catalog has a page that is named as the library`() throws {
    for library in SamplePage.libraries {
      let page = SamplePage.sources.appending(path: "\(library)/\(library).docc/\(library).md")
      let text = try String(contentsOf: page, encoding: .utf8)
      #expect(text.hasPrefix("# ``\(library)``\n"), "\(library)")
    }
  }
}

/// A page with code in Swift.
struct SamplePage: Sendable, CustomStringConvertible {
  struct Sample: Sendable {
    var number: Int
    var program: String
  }

  static let libraries = [
    "DataSources", "DataSourcesTesting", "HTTPDataSources", "InstaQL", "LiveQueries",
    "SQLDataSources", "ServerStores", "Stores", "Triples",
  ]
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let sources = checkout.appending(path: "Sources")

  var description: String
  var samples: [Sample]

  /// The pages of all catalogs, and the page of the libraries.
  ///
  /// Others are compiled in the build: the older pages, and the guide to queries, which is one program.
  static var all: [SamplePage] {
    get throws {
      var files = ["docs/libraries.md"]
      for library in libraries {
        let catalog = "Sources/\(library)/\(library).docc"
        files += try FileManager.default
          .contentsOfDirectory(atPath: checkout.appending(path: catalog).path)
          .sorted().map { "\(catalog)/\($0)" }
      }
      let others = ["DataSources.md", "OwnSources.md", "AskingInSwift.md"]
      return try files.filter { file in !others.contains { file.hasSuffix("/" + $0) } }.map(read)
        .filter { !$0.samples.isEmpty }
    }
  }

  private static func read(_ file: String) throws -> SamplePage {
    let text = try String(contentsOf: checkout.appending(path: file), encoding: .utf8)
    var samples: [Sample] = []
    var declared = ""
    var imports: [String]?
    var note = ""
    var code: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("<!-- ") { note = String(line.dropFirst(5).dropLast(4)) }
      if line == "```swift" {
        code = []
      } else if line == "```", let lines = code {
        let shown = lines.filter { $0.hasPrefix("import ") }.map { String($0.dropFirst(7)) }
        if !shown.isEmpty { imports = shown }
        let modules = imports ?? libraries + ["Foundation", "GRDB", "Testing"]
        let sample = lines.drop { $0.isEmpty || $0.hasPrefix("import ") }.joined(separator: "\n")
        samples.append(
          Sample(
            number: samples.count + 1,
            program: modules.map { "import \($0)\n" }.joined() + "\n"
              + program(sample, note, after: declared)))
        if note == "declares" { declared += sample + "\n\n" }
        (code, note) = (nil, "")
      } else {
        code?.append(line)
      }
    }
    return SamplePage(description: file, samples: samples)
  }

  private static func program(_ sample: String, _ note: String, after declared: String) -> String {
    let isOfFile = sample.split(separator: "\n").contains { line in
      ["extension ", "@Test", "@main", "func makeStore"].contains { line.hasPrefix($0) }
    }
    if note == "declares" || isOfFile && note.isEmpty { return declared + sample + "\n" }
    let parameters = note.hasPrefix("given: ") ? String(note.dropFirst("given: ".count)) : ""
    // Declarations come first in a file, and the rest of the sample uses them.
    let (declarations, statements) = isOfFile ? parts(of: sample) : ("", sample)
    return declared + declarations + "func sample(\(parameters)) async throws {\n\(statements)\n}\n"
  }

  /// The declarations of a sample that only a file may have, and its statements.
  private static func parts(of sample: String) -> (declarations: String, statements: String) {
    let blocks = sample.split(separator: "\n\n").map(String.init)
    let isDeclaration = { (block: String) in
      ["extension ", "struct ", "enum ", "actor ", "func "].contains { block.hasPrefix($0) }
    }
    return (
      blocks.filter(isDeclaration).joined(separator: "\n\n") + "\n\n",
      blocks.filter { !isDeclaration($0) }.joined(separator: "\n\n")
    )
  }
}
