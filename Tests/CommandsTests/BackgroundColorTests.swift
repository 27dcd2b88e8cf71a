import Foundation
import Testing

/// The program queries the terminal's background color; many terminals do not answer.
@Suite("Detecting the terminal's background", .waitsForPrograms, .timeLimit(.minutes(10)))
struct BackgroundColorTests {
  private static let question = "\u{1B}]11;?\u{1B}\\"

  /// Something that is a terminal's answer, or looks like one.
  enum Answer: CaseIterable {
    case none, late, rubbish, halfOnly

    var text: String {
      switch self {
      case .none: ""
      case .late: "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62;22c"
      case .rubbish:
        "\u{1B}]11;rgb:zz/99999999999/\u{1B}\\\u{1B}]11;?\u{7}\u{1B}[?;;;c\u{1B}[1;2;3R"
      case .halfOnly: "\u{1B}]11;rgb:00/00"
      }
    }
  }

  private func withProgram(_ body: (PseudoTerminal) throws -> Void) throws {
    try Program.withFolder([:]) { folder in
      let terminal = try PseudoTerminal(
        [Program.path, "world"],
        variables: ["XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder])
      try body(terminal)
    }
  }

  @Test("the first frame precedes the query to the terminal")
  func drawnFirst() throws {
    try withProgram { terminal in
      try terminal.wait(for: Self.question)
      let drawn = try #require(terminal.place(of: "Namespaces"))
      let asked = try #require(terminal.place(of: Self.question))
      #expect(drawn < asked, "\(terminal.text)")
    }
  }

  @Test(
    "a late, wrong or missing answer is not a key and blocks nothing",
    arguments: Answer.allCases)
  func answered(_ answer: Answer) throws {
    try withProgram { terminal in
      // The names of the store come only when it is no longer waited for.
      try terminal.wait(for: "continents")
      let start = terminal.sent.count
      terminal.type(answer.text)
      // What a terminal does not end, the next escape does.
      if answer == .halfOnly { terminal.type("\u{1B}\\") }
      terminal.type("?")
      try terminal.wait(for: "Keys in", after: start)
      #expect(terminal.place(of: "does nothing", after: start) == nil, "\(terminal.text)")
      terminal.type("q")
      terminal.type("q")
      #expect(try terminal.finish() == 0)
    }
  }

  @Test("an answer in time selects the light theme")
  func light() throws {
    try withProgram { terminal in
      try terminal.wait(for: Self.question)
      terminal.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62c")
      try terminal.wait(for: "continents")
      let light = terminal.sent
      try withProgram { dark in
        try dark.wait(for: Self.question)
        dark.type("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62c")
        try dark.wait(for: "continents")
        func colors(_ bytes: [UInt8]) -> Set<String> {
          let text = String(decoding: bytes, as: UTF8.self)
          return Set(text.matches(of: /38;5;\d+/).map { String($0.output) })
        }
        #expect(!colors(light).isEmpty && colors(light) != colors(dark.sent))
        dark.type("q")
        #expect(try dark.finish() == 0)
      }
      terminal.type("q")
      #expect(try terminal.finish() == 0)
    }
  }
}
