import InstaQL
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Background work")
struct BackgroundWorkTests {
  private static func numbers(_ count: Int) throws -> TripleStore {
    let rows = (0..<count).map { "{\"n\": \($0), \"word\": \"w\($0)\"}" }.joined(separator: ",")
    return try Dataset.load([(name: "numbers.json", bytes: Array("[\(rows)]".utf8))])
  }

  @Test("the copy menu renders no text in advance")
  func menu() throws {
    var screen = try Screen(
      columns: 110, rows: 26, query: QueryPlan("numbers"), store: try Self.numbers(3_000))
    screen.isSlow = true
    screen.press("4 M a y")
    #expect(screen.text.contains("3,000 selected rows as JSON"))
    #expect(screen.preparations.isEmpty)
    screen.press("a")
    #expect(screen.preparations.count == 1)
    #expect(screen.effects.isEmpty)
    #expect(screen.notice == .working("Rendering the text", rows: nil))
    // Keys still work meanwhile.
    screen.press("down")
    screen.respondAtLast()
    guard case .copy(let text)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(text.hasPrefix("[{") && text.hasSuffix("}]") && text.count > 100_000)
  }

  @Test("rendering shows its progress, and escape cancels it")
  func givenUp() throws {
    var screen = try Screen(
      columns: 110, rows: 26, query: QueryPlan("numbers"), store: try Self.numbers(3_000))
    screen.isSlow = true
    screen.press("4 o j")
    screen.respond(.rowsDone(2_000))
    #expect(screen.notice == .working("Rendering the text", rows: 2_000))
    screen.press("escape")
    #expect(screen.canceled == screen.preparations.suffix(1).map { .prepare($0) })
    // What comes all the same is not shown.
    screen.respondAtLast()
    screen.respond(.rowsDone(3_000))
    #expect(screen.effects.isEmpty)
    #expect(!screen.text.contains("so far"))
  }

  @Test("long texts are rendered in batches, and their length is limited")
  func text() throws {
    let store = try Self.numbers(1_200)
    let catalog = Catalog(snapshot: StoreSnapshot(store))
    var told: [Int] = []
    let answer = try QueryEngine.answer(QueryPlan("numbers"), in: store)
    var whole = JSONOutput()
    try QueryEngine.rows(answer, into: &whole)
    let text = try TextSink.copying.text(of: Rendering(.json, of: answer, in: catalog)) {
      told.append($0)
    }
    #expect(text == whole.text)
    #expect(told == [500, 1_000])
    let long = String(repeating: "x", count: 2_000)
    let rows = (0..<600).map { _ in "{\"word\": \"\(long)\"}" }.joined(separator: ",")
    let much = try Dataset.load([(name: "words.json", bytes: Array("[\(rows)]".utf8))])
    let words = try QueryEngine.answer(QueryPlan("words"), in: much)
    let order = Rendering(.json, of: words, in: Catalog(snapshot: StoreSnapshot(much)))
    guard case .failed(let reason?) = Preparation.text(order, .copying).run() else {
      Issue.record("It is made, however long")
      return
    }
    #expect(reason == .tooManyRowsToCopy(600))
  }

  @Test("a deletion that foreign keys prevent shows the references instead of a confirmation")
  func keptByDatabase() throws {
    var store = try Garden.store()
    var bed = try #require(store.schema.link("plants", "bed")).attribute
    bed.keepsTarget = true
    store.addAttribute(bed)
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds"), store: store)
    screen.press("d")
    #expect(!screen.text.contains("keep it"))
    #expect(screen.text.contains("Cannot delete South wall"))
    #expect(screen.text.contains("2 rows in “plants” reference it"))
    // The last one has no incoming links.
    screen.press("escape down down d")
    #expect(screen.text.contains("Delete Fallow? Removes 1 row from beds"))
  }

  @Test("a deletion is previewed once in the background")
  func deletion() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.isSlow = true
    screen.press("d")
    #expect(!screen.text.contains("keep it"))
    #expect(screen.notice == .working("Checking what would be deleted", rows: nil))
    screen.respondAtLast()
    #expect(screen.text.contains("Delete Fig? Removes 1 row from plants"))
    screen.press("d")
    #expect(screen.transactions.count == 1)
    #expect(screen.preparations.count == 1)
    // Somewhere else the question would be answered by what is typed there.
    screen.press("d ?")
    screen.respondAtLast()
    #expect(!screen.text.contains("keep it"))
    #expect(screen.notice == .deletionAbandoned)
  }
}

@Suite("Looking for an entity by its name")
struct ChooserTests {
  @Test("the search runs in the background, and a choice waits for it")
  func waiting() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("$ e")
    #expect(screen.text.contains("Fallow") && screen.text.contains("South wall"))
    screen.isSlow = true
    screen.type("fal")
    // What was there stays in sight until the answer comes.
    #expect(screen.text.contains("South wall") && screen.text.contains("searching"))
    screen.press("enter")
    #expect(screen.notice == .stillSearching)
    #expect(screen.transactions.isEmpty)
    screen.answerAtLast()
    #expect(screen.transactions.count == 1)
    #expect(screen.text.contains("bed linked to Fallow"))
    // No query is active any longer.
    #expect(screen.watched.count == 1)
  }

  @Test("keys after a choice wait with it, and escape discards them")
  func further() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("$ e")
    screen.isSlow = true
    screen.type("fal")
    screen.press("enter q escape")
    #expect(screen.notice == .queuedKeysDiscarded, "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("Fallow"), "\(screen.text)")
  }

  @Test("new entities are listed without searching again")
  func live() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("$ e")
    screen.type("moss")
    #expect(screen.text.contains("No match in beds"))
    let asked = screen.watched.count
    screen.press("down up")
    #expect(screen.watched.count == asked)
    let attributes = screen.store.schema.attributes(of: "beds")
    let id = EntityID.random()
    try screen.transact(
      attributes.compactMap { attribute in
        switch attribute.label {
        case "id": .addTriple(.id(id), attribute.id, .text(id.text))
        case "key": .addTriple(.id(id), attribute.id, .text("moss"))
        case "name": .addTriple(.id(id), attribute.id, .text("Moss bank"))
        default: nil
        }
      })
    #expect(screen.text.contains("Moss bank"))
  }

  @Test("while a query is typed, its rows are counted again only if it or the store changed")
  func typedCount() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    var counted: Int {
      screen.requests.count { if case .countRows = $0.request { true } else { false } }
    }
    screen.press("Q")
    screen.type("limit 2")
    #expect(screen.text.contains(" rows ─╮"), "\(screen.text)")
    let before = counted
    screen.press("left right")
    screen.type(" ")
    #expect(counted == before)
    #expect(screen.text.contains(" rows ─╮"), "\(screen.text)")
    screen.show(StoreSnapshot(screen.store))
    screen.press("left")
    #expect(counted == before + 1)
    screen.press("right backspace backspace")
    screen.type("3")
    #expect(counted == before + 2)
    #expect(screen.text.contains(" rows ─╮"), "\(screen.text)")
  }
}
