import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// Text that has broken screens: in names of namespaces and attributes, in values, in every pane.
@Suite("Hostile text in every pane")
struct HostileTextTests {
  static let texts = [
    "\u{1B}[31mred\u{1B}]0;title\u{7}", "\u{9B}2J\u{9D}52;c;AAAA\u{9C}",
    "a\u{0}b\u{8}\u{8}c\r\nd\te",
    "مرحبا بالعالم 123", "שלום \u{202E}עולם\u{202C}", "漢字かな한글", "👩‍👩‍👧‍👦👍🏽🇫🇷❤️",
    "e" + String(repeating: "\u{301}", count: 400), "\u{200B}\u{200D}\u{FEFF}\u{2028}\u{2029}",
    String(repeating: "👨🏿‍🚀", count: 200), "\u{FFFD}\u{10FFFF}",
    String(repeating: "ﷺ", count: 50),
  ]

  private static func store() throws -> TripleStore {
    func quoted(_ text: String) -> String { JSONWriter.text(.text(text)) }
    let plants = texts.enumerated().map { place, text in
      "{\"key\": \"k\(place)\", \"name\": \(quoted(text)), \"note\": \(quoted(text)), "
        + "\"bed\": \"pond\", \(quoted("x" + String(text.prefix(20)))): \(quoted(text))}"
    }
    return try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
  }

  @Test(
    "no frame of any size contains a control sequence",
    arguments: [(40, 10), (80, 24), (300, 100)])
  func frames(columns: Int, rows: Int) throws {
    let store = try Self.store()
    // A large screen shows the same more often.
    let focuses = columns > 100 ? [PaneTraits.results, .entity] : PaneTraits.allCases
    for focus in focuses {
      for moves in ["", "G"] {
        var screen = try Screen(
          columns: columns, rows: rows, query: QueryPlan("plants"), store: store)
        screen.press(moves + " " + focus.way)
        check(screen.workspace.view(), "\(focus) at \(columns)×\(rows)")
      }
    }
  }

  @Test("such text can be typed, searched, edited and exported")
  func typing() throws {
    let store = try Self.store()
    for text in Self.texts {
      for way in ["F", "Q", "4 e", "4 a", "/", "4 $ e", ":", "4 E down", "b"] {
        var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"), store: store)
        screen.press(way)
        screen.handle(.terminal(.paste(text)))
        check(screen.workspace.view(), way)
        screen.press("left left backspace enter")
        check(screen.workspace.view(), way)
      }
    }
  }

  @Test("resizing works at any moment, down to one cell", arguments: PaneTraits.allCases)
  func sizes(_ focus: PaneTraits) throws {
    var screen = try Screen(
      columns: 120, rows: 40, query: QueryPlan("plants"), store: try Self.store())
    screen.press(focus.way)
    for size in [
      Size(columns: 1, rows: 1), Size(columns: 300, rows: 100), Size(columns: 40, rows: 10),
      Size(columns: 2, rows: 200), Size(columns: 500, rows: 3), Size(columns: 41, rows: 11),
      Size(columns: 80, rows: 24),
    ] {
      screen.handle(.terminal(.resize(size)))
      let frame = screen.workspace.view()
      #expect(frame.size == size)
      check(frame, "\(focus) at \(size)")
      screen.press("down")
    }
  }

  private func check(
    _ frame: Frame, _ place: String, at location: SourceLocation = #_sourceLocation
  ) {
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let scalars =
          [frame.cell(row: row, column: column).scalar]
          + frame.marks(row: row, column: column)
        let isHarmless = scalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
            && !(0x2028...0x202E).contains($0.value)
        }
        if !isHarmless {
          Issue.record("\(place): row \(row), column \(column)", sourceLocation: location)
          return
        }
      }
    }
  }
}

extension PaneTraits {
  /// Keys that lead from anywhere to a pane of this kind, with plants shown.
  var way: String {
    switch self {
    case .namespaces: "1"
    case .schema: "2"
    case .query: "3"
    case .results: "4"
    case .help: "4 f1"
    case .entity: "4 0 enter"
    case .menu: "4 y"
    case .relations: "4 w"
    case .columns: "4 c"
    case .changes: "4 C"
    case .chooser: "4 $ e"
    case .palette: ":"
    case .saved: "B"
    case .text: "4 x"
    case .facets: "4 0 z"
    case .export: "4 E"
    case .subscriptions: "W"
    case .diagram: "D"
    case .newEntity: "4 0 a"
    case .themes: "A"
    case .stores: "ctrl-o"
    case .language: "F f1"
    case .allColumns: "1 c"
    case .aggregates: "4 0 l # +"
    default: preconditionFailure("The tests know no way to the pane \(title).")
    }
  }
}
