import InstaQL
import TerminalUI
import Testing

@testable import Explorer

@Suite("Results that follow the cursor in Namespaces")
struct FollowingTests {
  private static let start = ContinuousClock.now

  /// The cursor stays where it is for a tenth of a second.
  private static func rest(_ screen: inout Screen) {
    screen.handle(.tick(start))
    screen.handle(.tick(start + .milliseconds(100)))
  }

  private static func asked(_ screen: Screen) -> String? { screen.watched.last?.document.text }

  @Test("the results show the namespace on which the cursor rests, and the focus stays")
  func follows() throws {
    var screen = try Screen(columns: 110)
    screen.press("down")
    screen.handle(.tick(Self.start))
    screen.handle(.tick(Self.start + .milliseconds(99)))
    #expect(Self.asked(screen) == "beds")
    #expect(screen.workspace.deadline == Self.start + .milliseconds(100))
    screen.handle(.tick(Self.start + .milliseconds(100)))
    #expect(Self.asked(screen) == "plants")
    #expect(screen.line(with: " ▸ plants") != nil, "\(screen.text)")
    #expect(screen.line(with: " Fig ") != nil, "\(screen.text)")
    #expect(screen.hears("Namespaces"))
    #expect(!screen.workspace.isTimed && screen.workspace.deadline == nil)
  }

  @Test("enter goes to rows that are shown, without reading them again")
  func opened() throws {
    var screen = try Screen(columns: 110)
    screen.press("down")
    Self.rest(&screen)
    let token = screen.watched.last?.token
    screen.press("enter")
    #expect(screen.hears("Results"))
    #expect(screen.watched.last?.token == token)
    screen.press("[")
    #expect(screen.notice == .noEarlierView)
  }

  @Test("each move restarts the wait and drops the query of the previous namespace")
  func movesOn() throws {
    var screen = try Screen(columns: 110)
    screen.isSlow = true
    screen.press("down")
    Self.rest(&screen)
    #expect(screen.watched.map(\.document.text) == ["plants"])
    screen.handle(.tick(Self.start))
    screen.press("up")
    screen.handle(.tick(Self.start + .milliseconds(200)))
    #expect(screen.watched.map(\.document.text) == ["plants"])
    screen.handle(.tick(Self.start + .milliseconds(300)))
    #expect(screen.watched.map(\.document.text) == ["beds"])
  }

  @Test("a move to the end of the list follows, too, if more keys were pressed than needed")
  func end() throws {
    var screen = try Screen(columns: 110)
    screen.press("down down")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "plants")
  }

  @Test(
    "a key that leaves the namespaces or acts on the results follows first",
    arguments: ["2", "4", "tab", "F", "O escape", "Q enter", "v", "W", "t"])
  func followsFirst(keys: String) throws {
    var screen = try Screen(columns: 110)
    screen.press("down \(keys)")
    #expect(Self.asked(screen) == "plants", "\(screen.text)")
    #expect(screen.line(with: " ▸ plants") != nil, "\(screen.text)")
    #expect(!screen.text.contains(" of plants ─"), "\(screen.text)")
    #expect(!screen.workspace.isTimed)
  }

  @Test("a new tab and the tab before it show the namespace at the cursor")
  func newTab() throws {
    var screen = try Screen(columns: 110)
    screen.press("down t")
    #expect(screen.watched.map(\.document.text) == ["plants", "plants"])
    #expect(screen.row(0).contains(" 1 plants [2 plants]"), "\(screen.row(0))")
  }

  @Test("any other key ends the wait", arguments: [": escape", "escape", "f12"])
  func canceled(keys: String) throws {
    var screen = try Screen(columns: 110)
    screen.press("down")
    screen.handle(.tick(Self.start))
    screen.press(keys)
    Self.rest(&screen)
    #expect(Self.asked(screen) == "beds", "\(screen.text)")
    #expect(!screen.workspace.isTimed)
  }

  @Test("enter opens the namespace at once, after a move as well")
  func burst() throws {
    var screen = try Screen(columns: 110)
    screen.press("down enter")
    #expect(Self.asked(screen) == "plants")
    #expect(screen.hears("Results"))
    #expect(!screen.workspace.isTimed)
  }

  @Test(
    "the results wait for enter while the user works with them",
    arguments: ["4 s", "4 s u", "4 space", "4 -", "p", "4 $ enter ["])
  func waits(keys: String) throws {
    var screen = try Screen(columns: 110)
    screen.press(keys)
    screen.press("1 g")
    let before = Self.asked(screen)
    screen.press("down")
    #expect(screen.workspace.chosenNamespace == "plants", "\(screen.text)")
    Self.rest(&screen)
    #expect(Self.asked(screen) == before)
    screen.press("enter")
    #expect(Self.asked(screen) == "plants")
  }

  @Test("they wait while a query that the user opened is running")
  func running() throws {
    var screen = try Screen(columns: 110)
    screen.isSlow = true
    screen.press("down enter 1 up")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "plants")
    screen.answerAtLast()
    screen.press("up")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "beds")
  }

  @Test("the last view of a namespace is shown, can be passed, and is recorded when it is opened")
  func earlierView() throws {
    var screen = try Screen(columns: 110)
    screen.press("4 s 1 down enter 1 up")
    screen.handle(.tick(Self.start))
    let followed = Self.isRecorded(.tick(Self.start + .milliseconds(100)), in: screen)
    #expect(!followed)
    Self.rest(&screen)
    #expect(Self.asked(screen) == "beds order name")
    screen.press("down")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "plants")
    screen.press("up")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "beds order name")
    #expect(Self.isRecorded(.terminal(.key(.enter)), in: screen))
  }

  /// Whether an event would save a recent query.
  private static func isRecorded(_ event: Event, in screen: Screen) -> Bool {
    var workspace = screen.workspace
    return workspace.update(event).contains {
      if case .save(.history) = $0 { true } else { false }
    }
  }

  @Test("the results follow the matches while a name is typed, and return with the cursor")
  func narrowing() throws {
    var screen = try Screen(columns: 110)
    screen.press("/")
    screen.type("p")
    screen.handle(.tick(Self.start))
    screen.type("l")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "plants")
    #expect(screen.workspace.isNarrowing)
    screen.press("escape")
    Self.rest(&screen)
    #expect(Self.asked(screen) == "beds")
  }

  @Test("nothing follows on a screen without results, and for a screen reader")
  func hidden() throws {
    for (columns, isScreenReader) in [(60, false), (110, true)] {
      var screen = try Screen(columns: columns, isScreenReader: isScreenReader)
      screen.press("down")
      Self.rest(&screen)
      #expect(Self.asked(screen) == "beds", "\(screen.text)")
      #expect(!screen.workspace.isTimed)
    }
  }
}
