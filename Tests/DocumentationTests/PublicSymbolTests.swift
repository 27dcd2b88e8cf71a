import CompilerTestSupport
import Foundation
import TestSupport
import Testing

/// The public symbols of the libraries, as the compiler lists them for documentation.
@Suite(.enabled(if: SwiftCompiler.modules != nil), .timeLimit(.minutes(10)))
struct `Public symbols` {
  @Test(arguments: SamplePage.libraries)
  func `have a comment`(library: String) async throws {
    let symbols = try await onOwnThread { try PublicSymbol.all(of: library) }
    #expect(symbols.count > 3)
    let silent = symbols.filter { !$0.isDocumented }.map(\.description).sorted()
    #expect(
      silent.isEmpty, "\(silent.count) of \(symbols.count):\n\(silent.joined(separator: "\n"))")
  }
}

/// A symbol of a library, with a comment of its own or of the requirement that it fulfills.
private struct PublicSymbol: CustomStringConvertible {
  var description: String
  var isDocumented: Bool

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { var precise: String }
      struct Kind: Decodable { var identifier: String }
      struct Comment: Decodable {}
      struct Location: Decodable {
        struct Position: Decodable { var line: Int }
        var uri: String
        var position: Position
      }
      var identifier: Identifier
      var kind: Kind
      var pathComponents: [String]
      var docComment: Comment?
      var location: Location?
    }
    var symbols: [Symbol]
  }

  static func all(of library: String) throws -> [PublicSymbol] {
    let folder = try SwiftCompiler.symbolGraph(of: library, in: SamplePage.checkout.path)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var symbols: [PublicSymbol] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let graph = try JSONDecoder().decode(
        Graph.self, from: Data(contentsOf: URL(filePath: folder + "/" + file)))
      for symbol in graph.symbols {
        // Copies of members in conforming types, and what the compiler wrote, have no place.
        guard let location = symbol.location,
          !symbol.identifier.precise.contains("::SYNTHESIZED::"),
          !symbol.kind.identifier.hasPrefix("swift.extension")
        else { continue }
        let place = location.uri.components(separatedBy: "/Sources/").last ?? location.uri
        symbols.append(
          PublicSymbol(
            description:
              "\(place):\(location.position.line + 1) \(symbol.pathComponents.joined(separator: "."))",
            isDocumented: symbol.docComment != nil))
      }
    }
    return symbols
  }
}
