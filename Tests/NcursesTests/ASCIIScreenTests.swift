import Foundation
import Ncurses
import Testing

@Suite("Screens in ASCII")
struct ASCIIScreenTests {
  @Test("every symbol of every recorded screen has an ASCII form, except letters")
  func signs() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "ExplorerTests/Screens")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }
    var missing: Set<Unicode.Scalar> = []
    // Symbols in data are not ours.
    let data = Set("👩👍☝❤".unicodeScalars)
    for name in names {
      // Symbols in hostile data are not ours.
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
    // A letter in Unicode, which we use as a symbol in durations.
    #expect(ASCIIGlyphs.drawing("µ") == "u")
    #expect(missing.isEmpty, "\(missing.map { String($0) })")
    #expect(names.count > 20)
  }

  @Test("every symbol in the code of the screen has an ASCII form, except letters")
  func code() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    var missing: Set<Unicode.Scalar> = []
    for module in ["Explorer", "TerminalUI", "Widgets"] {
      let folder = sources.appending(path: module)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
      #expect(!names.isEmpty)
      for name in names {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        for line in text.split(separator: "\n") {
          let code = (line.firstRange(of: "//")?.lowerBound).map { line[..<$0] } ?? line
          missing.formUnion(
            code.unicodeScalars.filter {
              !$0.isASCII && !$0.properties.isAlphabetic && ASCIIGlyphs.drawing($0) == nil
            })
        }
      }
    }
    #expect(missing.isEmpty, "\(missing.map { String($0) })")
  }

  @Test("on the Linux console, links to many and from many point in their directions")
  func consoleLinks() {
    #expect(ConsoleGlyphs.drawing("⇉") == "»")
    #expect(ConsoleGlyphs.drawing("⇇") == "«")
  }

  @Test("on the Linux console, bars do not touch those above, and charts grow with their values")
  func consoleBars() {
    #expect(ConsoleGlyphs.drawing("▆") == "▄")
    let chart = "▁▂▃▄▅▆▇█".unicodeScalars.map { ConsoleGlyphs.drawing($0) }
    #expect(chart == ["▄", "▄", "▄", "▄", "▄", "▄", "█", "█"])
  }

  @Test("null, missing and truncated values look different from each other and from values")
  func told() {
    #expect(ASCIIGlyphs.drawing("∅") == "-")
    #expect(ASCIIGlyphs.drawing("·") == ".")
    #expect(ASCIIGlyphs.drawing("…") == "~")
  }
}
