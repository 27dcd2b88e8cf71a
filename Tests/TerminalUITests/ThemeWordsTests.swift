import TerminalUI
import Testing

@Suite("The description of a theme")
struct ThemeWordsTests {
  @Test(
    "describes a theme as dark or light, high contrast, or without colors",
    arguments: [
      ("high-contrast", "dark, high contrast"), ("mono", "no colors"), ("sonde-light", "light"),
      ("sonde-dark", "dark"), ("solarized-light", "light"), ("nord", "dark"),
    ])
  func kind(name: String, words: String) throws {
    #expect(try BundledThemeTests.theme(name + ".toml").kind == words)
  }
}
