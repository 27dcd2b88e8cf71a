import Foundation
import Testing

/// The types of errors in the sources.
@Suite struct `Types of errors` {
  /// Without a description, a message that contains an error would show the names of its cases.
  @Test func `have a description in words`() throws {
    let folder = SamplePage.checkout.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Benchmarks/") }
    var errors: [String] = []
    var silent: [String] = []
    for file in files {
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let words = conformances(in: code)
      for name in words.keys.sorted() where words[name]?.contains("Error") == true {
        errors.append(name)
        if words[name]?.contains("CustomStringConvertible") == false {
          silent.append("\(file): \(name)")
        }
      }
    }
    #expect(errors.count > 20)
    #expect(silent.isEmpty, "\(silent)")
  }

  /// The names of protocols after each declared or extended type.
  private func conformances(in code: String) -> [String: Set<String>] {
    let declaration =
      /\b(?:struct|enum|class|actor|extension) (?:\w+\.)*(\w+)(?:<[^>]*>)?\s*:\s*([^{}]*)\{/
    var all: [String: Set<String>] = [:]
    for match in code.matches(of: declaration) {
      let names = match.2.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      all[String(match.1), default: []].formUnion(names)
    }
    return all
  }
}
