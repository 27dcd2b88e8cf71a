import Foundation
import Testing

@Suite("Recorded screens")
struct RecordTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The file name patterns of recordings, with stars for variable parts.
  private static func patterns() throws -> [[String]] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    return try names.flatMap { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return text.matches(of: /named: "((?:[^"\\]|\\\([^)]*\))+)"\)/).map { match in
        match.1.replacing(/\\\([^)]*\)/, with: "*").split(
          separator: "*", omittingEmptySubsequences: false
        ).map(String.init)
      }
    }
  }

  @Test("are all used by a test")
  func used() throws {
    let patterns = try Self.patterns()
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appending(path: "Screens").path)
    for file in files where file.hasSuffix(".txt") {
      let name = String(file.dropLast(4))
      #expect(patterns.contains { Self.fits(name, $0) }, "Nobody looks at \(file)")
    }
  }

  /// Whether a name consists of these parts in their order, with something between them.
  private static func fits(_ name: String, _ parts: [String]) -> Bool {
    guard let first = parts.first, let last = parts.last, name.hasPrefix(first) else {
      return false
    }
    if parts.count == 1 { return name == first }
    var rest = name.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}
