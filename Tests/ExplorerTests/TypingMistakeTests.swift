import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Typing mistakes")
struct TypingMistakeTests {
  @Test(
    "is reported while typing: what is wrong, where, and the nearest match",
    arguments: [
      ("F", "heigt > 3", "height"), ("F", "name = )", "Character"),
      ("F", "height > \"a\"", "Character"),
      ("F", "(()", "Character"), ("F", "bed.nam = 1", "name"), ("F", "height ? 3", "Character"),
      ("Q", "plnts", "plants"), ("Q", "plants fliter height > 3", "filter"),
      ("Q", "plants; beds", "one at a time"), ("Q", "plants with bet", "bed"),
      ("Q", "{\"plants\": }", "line 1, column 12"), ("O", "nme", "name"),
      ("O", "name down", "Character"),
      ("L", "x", "whole number"), ("L", "-1", "whole number"), ("L", "1e99", "whole number"),
      ("l e", "tall", "number"),
    ])
  func complaint(way: String, text: String, hint: String) throws {
    var screen = try Screen(columns: 160, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way + " ctrl-u")
    screen.type(text)
    // While words are offered it waits for enter.
    if screen.text.contains("choose a suggestion") { screen.press("enter") }
    #expect(screen.text.contains(hint), "\(screen.text)")
    let asked = screen.watched.last?.document.text
    screen.press("escape enter")
    #expect(screen.watched.last?.document.text == asked)
  }

  @Test(
    "is not reported while the text only ends too early, but after enter",
    arguments: [
      ("F", "height", "comparison"), ("F", "height > ", "Character"), ("F", "name =", "Character"),
      ("F", "name = \"a", "closing quote"), ("F", "(((", "Character"),
      ("Q", "plants filter height > 3 and ", "Character"), ("O", "name, ", "Character"),
      ("Q", "{\"plants\": ", "line 1, column 12"),
    ])
  func unfinished(way: String, text: String, complaint: String) throws {
    var screen = try Screen(columns: 160, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way + " ctrl-u")
    for letter in text {
      screen.type(String(letter))
      #expect(!screen.text.contains("expected"), "\(screen.text)")
    }
    screen.press("enter")
    #expect(screen.text.contains(complaint), "\(screen.text)")
  }

  @Test("is explained once escape in vi mode closes the list of completions that hid it")
  func hiddenByCompletions() throws {
    var screen = try Screen(
      columns: 160, rows: 24, query: QueryPlan("plants").order("name"), usesVi: true)
    screen.press("F")
    screen.type("heig")
    let list = "choose a suggestion"
    #expect(screen.text.contains(list), "\(screen.text)")
    #expect(!screen.text.contains("Did you mean"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.text.contains(list), "\(screen.text)")
    #expect(screen.text.contains("Did you mean"), "\(screen.text)")
  }

  @Test(
    "is underlined in the line, also at its end once its message is shown",
    arguments: [
      ("F", "heigt > 3", "heigt"), ("Q", "plants fliter height > 3", "fliter"),
      ("O", "nme desc", "nme"), ("Q", "plants with bet", "bet"), ("O", "name, nme", "nme"),
      ("Q", "plants order name sideways", "sideways"),
    ])
  func underlined(way: String, text: String, word: String) throws {
    var screen = try Screen(columns: 160, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way + " ctrl-u")
    screen.type(text)
    screen.press("enter")
    let frame = screen.workspace.view()
    let marked = (0..<frame.size.rows).flatMap { frame.runs(row: $0) }
      .filter { $0.paint.ink == .invalid }.map(\.text)
    #expect(marked == [word], "\(screen.text)")
  }

  @Test("is shown once, in as many lines as it needs, and the rows stay visible below")
  func wrapped() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height > 3 heigt = 12345 and name")
    let lines = screen.text.split(separator: "\n")
    #expect(lines.filter { $0.contains("expected") || $0.contains("Expected") }.count == 1)
    #expect(screen.text.contains("Fig") && screen.text.contains("12,345"), "\(screen.text)")
  }

  @Test("an invalid line stays open after enter")
  func kept() throws {
    var screen = try Screen(columns: 160, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("F")
    screen.type("heigt > 3")
    screen.press("escape F")
    screen.type("heigt > 3 ")
    screen.press("enter")
    #expect(screen.text.contains("heigt > 3"))
    #expect(screen.watched.last?.document.text == "plants order name")
  }

  @Test(
    "and pasted text of any length are accepted or rejected with a notice, without delay",
    arguments: ["F", "Q", "/", "4 e", "4 a", "4 $ e", ":", "E down down", "b", "4"])
  func pasted(way: String) throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way)
    screen.handle(.terminal(.paste(String(repeating: "all of it (\n", count: 900_000))))
    screen.press("left x backspace")
    #expect(screen.text.split(separator: "\n").count == 24)
  }

  @Test(
    "and line breaks that a pasted value loses are reported",
    arguments: [("4 0 e", true), ("4 a", true), ("/", false), ("F", false)])
  func pastedLines(way: String, isValue: Bool) throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way)
    screen.handle(.terminal(.paste("one")))
    #expect(screen.notice != .lineBreaksReplaced)
    screen.handle(.terminal(.paste("two\nthree")))
    #expect((screen.notice == .lineBreaksReplaced) == isValue)
    #expect(screen.text.contains("onetwo three"), "\(screen.text)")
  }

  @Test(
    "and a paste beyond the limit of a line are reported, with the key that clears it",
    arguments: ["F", "Q", "/", "4 e", "4 a", "4 $ e", ":", "E down down", "b"])
  func pastedTwice(way: String) throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way)
    let text = String(repeating: "x", count: 40_000)
    screen.handle(.terminal(.paste(text)))
    #expect(!screen.text.contains("Not pasted"))
    screen.handle(.terminal(.paste(text)))
    #expect(screen.row(23).contains("Not pasted"), "\(screen.text)")
    #expect(screen.row(23).contains("ctrl-u"))
    screen.handle(.terminal(.paste("y")))
    #expect(!screen.text.contains("Not pasted"), "\(screen.text)")
  }
}
