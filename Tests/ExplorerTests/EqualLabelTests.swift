import InstaQL
import LiveQueries
import Testing
import Triples

@testable import Explorer

/// Rows with equal labels are told apart where they are shown together.
@Suite("Equal labels")
struct EqualLabelTests {
  private static let bedIDs = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map {
    "\($0)-0000-4000-8000-000000000001"
  }

  /// Two beds are called "Pond", and two plants "Fig".
  private static func screen(_ namespace: String, columns: Int = 110) throws -> Screen {
    let beds = ["Pond", "Pond", "Wall"].enumerated().map { place, name in
      #"{"id": "\#(bedIDs[place])", "key": "b\#(place)", "name": "\#(name)"}"#
    }
    let plants = ["Fig", "Fig", "Mint"].enumerated().map { place, name in
      #"{"key": "p\#(place)", "name": "\#(name)", "height": 40, "bed": "b2"}"#
    }
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(Garden.schema.utf8)),
      (name: "beds.json", bytes: Array("[\(beds.joined(separator: ","))]".utf8)),
      (name: "plants.json", bytes: Array("[\(plants.joined(separator: ","))]".utf8)),
    ])
    return try Screen(
      columns: columns, rows: 24, query: QueryPlan(namespace).order("name"), store: store)
  }

  private static func labels(_ things: String) throws -> [String] {
    let store = try Dataset.load([(name: "things.json", bytes: Array(things.utf8))])
    let catalog = Catalog(snapshot: StoreSnapshot(store))
    return catalog.labels(of: Array(store.rows(of: "things").handles), in: "things")
  }

  @Test("targets to choose from are told apart by their keys")
  func chooser() throws {
    var screen = try Self.screen("plants")
    screen.press("$ e")
    for name in ["│ Pond (key b0)", "│ Pond (key b1)", "│ Wall "] {
      #expect(screen.text.contains(name), "\(name)\n\(screen.text)")
    }
    #expect(!screen.text.contains("Wall ("), "\(screen.text)")
    screen.type("pond")
    screen.press("enter")
    #expect(screen.notice?.text.contains("bed linked to Pond (key b") == true, "\(screen.text)")
  }

  @Test("the links of a record are told apart")
  func record() throws {
    var screen = try Self.screen("beds")
    screen.press("G enter")
    for name in [" Fig (key p0) ", " Fig (key p1) ", " Mint "] {
      #expect(screen.text.contains(name), "\(name)\n\(screen.text)")
    }
  }

  @Test("rows are told apart when they are deleted, and in the list of changes")
  func changes() throws {
    var screen = try Self.screen("plants")
    screen.press("d")
    let name = try #require(
      ["Fig (key p0)", "Fig (key p1)"].first { screen.text.contains("Delete \($0)?") },
      "\(screen.text)")
    screen.press("n P l e ctrl-u")
    screen.type("41")
    screen.press("enter C")
    // A label that occurs once stays as it is.
    #expect(screen.line(with: "40 → 41")?.contains("plants  Fig  height") == true, "\(screen.text)")
    screen.press("escape down e ctrl-u")
    screen.type("42")
    screen.press("enter C")
    let first = try #require(screen.line(with: "40 → 41"), "\(screen.text)")
    let second = try #require(screen.line(with: "40 → 42"), "\(screen.text)")
    #expect(first.contains(name), "\(screen.text)")
    #expect(second.contains("Fig (key p") && !second.contains(name), "\(screen.text)")
  }

  @Test("filters by rows with equal labels are told apart in the titles of tabs")
  func tabs() throws {
    var screen = try Self.screen("plants", columns: 160)
    for (place, keys) in ["F", "t F"].enumerated() {
      screen.press("\(keys) ctrl-u")
      screen.type("bed.id = \"\(Self.bedIDs[place])\"")
      screen.press("enter")
    }
    let titles = screen.row(0)
    #expect(titles.contains("aaaa") && titles.contains("bbbb"), "\(titles)")
    screen.press("ctrl-w")
    #expect(!screen.row(0).contains("aaaa"), "\(screen.row(0))")
  }

  @Test("without a key, values or ids tell rows apart")
  func values() throws {
    let values = try Self.labels(
      #"""
      [{"name": "A", "country": "DE", "code": 1}, {"name": "A", "country": "DE", "code": 2},
       {"name": "A", "country": "FR", "code": 1}, {"name": "B", "country": "FR", "code": 1}]
      """#)
    #expect(Set(values).count == 4 && values[3] == "B", "\(values)")
    #expect(values[0].hasPrefix("A (") && values[0].contains("country DE"), "\(values)")
    #expect(values[1].contains("code 2"), "\(values)")
    let ids = try Self.labels(
      #"""
      [{"id": "aaaaaaaa-0000-4000-8000-000000000001", "name": "A"},
       {"id": "bbbbbbbb-0000-4000-8000-000000000001", "name": "A"}]
      """#)
    #expect(ids == ["A (aaaaaaaa…)", "A (bbbbbbbb…)"])
    let ends = try Self.labels(
      #"""
      [{"id": "aaaaaaaa-0000-4000-8000-000000000001", "name": "A"},
       {"id": "aaaaaaaa-0000-4000-8000-000000000002", "name": "A"}]
      """#)
    #expect(ends == ["A (…00000001)", "A (…00000002)"])
  }
}
