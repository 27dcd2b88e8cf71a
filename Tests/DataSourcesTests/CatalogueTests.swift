import Foundation
import Testing

/// The library's source files in the checkout.
private let library = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/DataSources")

@Suite(.enabled(if: FileManager.default.fileExists(atPath: library.path)))
struct `The documentation catalog` {
  @Test func `lists exactly the public types`() throws {
    let files = FileManager.default.enumerator(at: library, includingPropertiesForKeys: nil)
    let types = try (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "swift" }
      .flatMap { try publicTypes(in: String(contentsOf: $0, encoding: .utf8)) }

    let page = try String(
      contentsOf: library.appending(path: "DataSources.docc/DataSources.md"), encoding: .utf8)
    let named = page.split(separator: "\n").filter { $0.hasPrefix("- ``") }
      .map { String($0.dropFirst(4).dropLast(2)) }

    #expect(Set(named) == Set(types))
    #expect(named.count == Set(named).count)
  }

  private func publicTypes(in source: String) -> [String] {
    let kinds: Set<Substring> = ["struct", "actor", "enum", "protocol", "typealias", "class"]
    return source.split(separator: "\n").compactMap { line in
      // Only the keychain store is declared inside a condition; nested types are documented with
      // their parent.
      let isOuter = line.hasPrefix("public ") || line.hasPrefix("  public actor ")
      let words = line.split(separator: " ").filter { $0 != "public" && $0 != "final" }
      guard isOuter, words.count > 1, kinds.contains(words[0]) else { return nil }
      return String(words[1].prefix { $0.isLetter })
    }
  }
}
