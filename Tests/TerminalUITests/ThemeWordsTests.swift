import TerminalUI
import Testing

@Suite("What a theme is called by its looks")
struct ThemeWordsTests {
  @Test(
    "tells dark from light, high contrast, and no colours",
    arguments: [
      ("high-contrast", "dark, high contrast"), ("mono", "no colours"), ("sonde-light", "light"),
      ("sonde-dark", "dark"), ("solarized-light", "light"), ("nord", "dark"),
    ])
  func kind(name: String, words: String) throws {
    #expect(try BundledThemeTests.theme(name + ".toml").kind == words)
  }
}
