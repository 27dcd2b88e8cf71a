import TerminalUI
import Testing

@Suite("A parser survives damaged input", .serialized, .timeLimit(.minutes(60)))
struct ParserFuzzTests {
  @Test("of TOML")
  func toml() async throws {
    let words = [
      "[", "]", "[[", "\n[", "\"\"\"", "'''", ".", "=", "{", "}", "#", "\\", "é", "\r\n", " ",
    ]
    try await Fuzzing.run("toml", words: words) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try? TOMLTable(toml: text)
      do throws(ThemeError) { _ = try Theme(toml: text, file: "t.toml") } catch {
        guard error.line >= 1, !error.message.isEmpty else { throw error }
      }
    }
  }
}
