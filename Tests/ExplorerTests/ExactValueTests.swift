import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Typing numbers that a database keeps exactly")
struct ExactValueTests {
  /// The garden, whose heights and notes are columns of a database.
  private func store() throws -> TripleStore {
    var store = try Garden.store()
    for (label, form) in [("height", Attribute.ExactForm.number), ("note", .json)] {
      var attribute = try #require(store.schema.attribute("plants", label))
      attribute.exactForm = form
      if form == .json { attribute.checkedType = nil }
      store.addAttribute(attribute)
    }
    return store
  }

  private func screen(_ column: String) throws -> Screen {
    var screen = try Screen(
      columns: 100, rows: 20, query: QueryPlan("plants").fields(["name", column]), store: store())
    screen.press("4 g 0 l e ctrl-u")
    return screen
  }

  @Test(
    "what is typed is sent digit for digit",
    arguments: [
      ("height", "123456789012345678901234567890.124", "123456789012345678901234567890.124"),
      ("height", "9223372036854775808", "9223372036854775808"), ("height", "1.999", 1.999),
      ("height", "7", 7), ("height", "5M", 5_000_000), ("height", "1.25k", 1_250),
      ("height", "0.12345678901234567890k", "0.12345678901234567890e3"),
      ("note", #"{"k": 12345678901234567891}"#, #"{"k": 12345678901234567891}"#),
      ("note", #"{"k": 1}"#, ["k": 1]), ("note", "plain words", "plain words"),
      ("note", #""12345678901234567890""#, "12345678901234567890"),
    ] as [(String, String, Value)])
  func digits(column: String, text: String, value: Value) throws {
    var screen = try screen(column)
    screen.type(text)
    screen.press("enter")
    let written = screen.transactions.last?.steps.compactMap { step -> Value? in
      if case .addTriple(_, _, let value, _) = step { value } else { nil }
    }
    #expect(written?.last == value, "\(screen.text)")
  }

  @Test(
    "a text that begins like JSON and is not valid is an error at the field",
    arguments: [
      ("{bad", "note is not valid JSON: line 1, column 2"), ("[1,", "note is not valid JSON"),
      (#""open"#, "note is not valid JSON"), ("12345678901234567890", "note has too many digits"),
    ])
  func invalidJSON(text: String, message: String) throws {
    var screen = try screen("note")
    screen.type(text)
    screen.press("enter")
    #expect(screen.text.contains(message), "\(screen.text)")
    #expect(screen.transactions.isEmpty)
  }

  @Test("the notice says as what the database stored a value")
  func notice() throws {
    let attribute = try #require(store().schema.attribute("plants", "height"))
    var staged = StagedChanges()
    _ = staged.perform(.make(Transaction(), Submission(summary: "height updated")))
    let report = try #require(
      staged.end(
        1,
        .made(
          undo: Transaction([.deleteEntity(.id(.random()), namespace: "plants")]), at: 2,
          differing: [StoredValue(2, of: attribute)])
      ).first)
    guard case .report(let news) = report else { return }
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.handle(.changes(news, ChangesState(staged, version: 99, isStored: false)))
    #expect(
      screen.text.contains("height updated. The database stored height as 2."), "\(screen.text)")
  }
}
