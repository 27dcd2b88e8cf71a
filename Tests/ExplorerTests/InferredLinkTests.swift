import Explorer
import InstaQL
import Testing
import Triples

@Suite("Inferred links")
struct InferredLinkTests {
  private static func screen(_ people: String, columns: Int = 110) throws -> Screen {
    let files = [
      (name: "teams.json", text: #"[{"id": "t1", "name": "Red"}, {"id": "t2", "name": "Blue"}]"#),
      (name: "people.json", text: people),
    ]
    return try Screen(
      columns: columns, rows: 22, query: QueryPlan("people"),
      store: try Dataset.load(files.map { ($0.name, Array($0.text.utf8)) }))
  }

  @Test(
    "a column named after a namespace is an inferred link and can be followed",
    arguments: ["team", "teamId", "team_id", "teams_key", "TEAM"])
  func leads(label: String) throws {
    var screen = try Self.screen(#"[{"id": "p1", "name": "Bob", "\#(label)": "t2"}]"#)
    #expect(screen.line(with: "→ teams?") != nil, "\(screen.text)")
    screen.press("4 enter")
    while screen.text.contains("text → teams?"), !screen.row(21).contains("looked up as a key") {
      screen.press("down enter")
    }
    #expect(screen.text.contains("Blue") && !screen.text.contains("Red"))
    #expect(screen.row(21).contains("“\(label)” is not declared as a link"))
    screen.press("backspace")
    #expect(screen.text.contains("Bob"))
  }

  @Test("enter in a column of the results follows an inferred link, too")
  func inResults() throws {
    var screen = try Self.screen(#"[{"id": "p1", "name": "Bob", "team": "t2"}]"#)
    screen.press("4 l enter")
    #expect(screen.notice == .inferredLink("team", to: "teams"), "\(screen.text)")
    #expect(screen.text.contains("Blue") && !screen.text.contains("Red"))
    screen.press("backspace 0 enter")
    #expect(screen.hears("Record"))
  }

  @Test("the record offers enter on an inferred link, but not on other values")
  func hint() throws {
    var screen = try Self.screen(#"[{"id": "p1", "name": "Bob", "team": "t2"}]"#)
    screen.press("4 enter")
    #expect(!screen.row(21).contains("enter open"), "\(screen.text)")
    screen.press("down")
    #expect(screen.row(21).hasPrefix(" enter open  "), "\(screen.text)")
  }

  @Test("the preview shows the target of an inferred link", arguments: [60, 110, 160])
  func preview(columns: Int) throws {
    var screen = try Self.screen(
      #"[{"id": "p1", "name": "Bob", "team": "t2"}, {"id": "p2", "name": "Eve", "team": "t9"}]"#,
      columns: columns)
    screen.press("4 l K")
    #expect(screen.text.contains("Blue"), "\(screen.text)")
  }

  private static let key = "7a000000-0000-4000-8000-000000000001"

  @Test(
    "beside a long value, the link or the type is shown alone",
    arguments: [(104, "text"), (110, "→ teams?")])
  func note(columns: Int, note: String) throws {
    var screen = try Self.screen(
      #"[{"id": "p1", "team": "\#(Self.key)", "a_field_with_a_very_long_name": 1}]"#,
      columns: columns)
    screen.press("4 enter")
    let line = try #require(screen.line(with: Self.key), "\(screen.text)")
    let end = try #require(line.firstRange(of: Self.key)).upperBound
    #expect(line[end...].contains(note), "\(screen.text)")
    #expect(!line[end...].contains("text →"), "\(screen.text)")
  }

  @Test("in the preview, an id in a column stays on one line")
  func oneLine() throws {
    let screen = try Self.screen(
      #"[{"id": "p1", "name": "Bob", "team": "\#(Self.key)"}]"#, columns: 140)
    #expect(screen.text.contains(#/team +7a000000[0-9-]*…[0-9-]*01 /#), "\(screen.text)")
  }

  @Test(
    "what is called otherwise, is a date, or counts them, is no link",
    arguments: [#""teams": 3"#, #""steam": "t2""#, #""team": true"#, #""teamname": "t1""#])
  func none(pair: String) throws {
    let screen = try Self.screen(#"[{"id": "p1", "name": "Bob", \#(pair)}]"#)
    #expect(screen.line(with: "teams?") == nil)
  }

  @Test("the notice fits into 80 columns")
  func narrow() throws {
    var screen = try Self.screen(
      #"[{"id": "p1", "name": "Bob", "team_id": "t2"}]"#, columns: 80)
    screen.press("2")
    #expect(screen.line(with: "→ teams?")?.contains("team_id") == true, "\(screen.text)")
  }

  @Test("an entity without a label is named by a unique value, not by its id")
  func labels() throws {
    var screen = try Screen(
      columns: 110, rows: 22, query: QueryPlan("people"),
      store: try Dataset.load([
        (
          name: "people.json",
          bytes: Array(#"[{"id": "p1", "name": "Bob"}, {"id": "p2", "age": 7}]"#.utf8)
        )
      ]))
    screen.press("4 down enter")
    #expect(screen.text.contains("─ [5] key p2 ─"), "\(screen.text)")
  }
}
