import Foundation
import Ncurses
import Testing

@Suite("Screens where only ASCII can be shown")
struct ASCIIScreenTests {
  @Test("every sign of every recorded screen has a form in ASCII, letters aside")
  func signs() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "ExplorerTests/Screens")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }
    var missing: Set<Unicode.Scalar> = []
    // What data holds is no drawing of ours.
    let data = Set("👩👍☝❤".unicodeScalars)
    for name in names {
      // What hostile data holds is no drawing of ours.
      guard !name.hasPrefix("state-wide") else { continue }
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for scalar in text.unicodeScalars
      where !scalar.isASCII && !scalar.properties.isAlphabetic && !data.contains(scalar)
        && ![.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
        && ASCIIGlyphs.drawing(scalar) == nil
      {
        missing.insert(scalar)
      }
    }
    // A letter to Unicode, and a sign of ours in times.
    #expect(ASCIIGlyphs.drawing("µ") == "u")
    #expect(missing.isEmpty, "\(missing.map { String($0) })")
    #expect(names.count > 100)
  }

  @Test("null, what is missing and what is cut off look neither alike nor like a value")
  func told() {
    #expect(ASCIIGlyphs.drawing("∅") == "-")
    #expect(ASCIIGlyphs.drawing("·") == ".")
    #expect(ASCIIGlyphs.drawing("…") == "~")
  }
}
