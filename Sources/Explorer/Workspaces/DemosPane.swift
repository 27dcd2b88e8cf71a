import TerminalUI
import Widgets

/// The demo datasets, one of which is opened if no store is named.
///
///     Choose a demo dataset:
///     ▸ 1  world    countries, cities and languages
///       2  goals    a person's goals and to-dos
struct DemosPane: ItemPane {
  struct Item: Sendable, Equatable {
    let name: String
    var about = ""
    /// Keys to try first.
    var tour = ""
  }

  let items: [Item]
  var cursor = ListCursor()

  private static let known = [
    Item(
      name: "world", about: "countries, cities and languages",
      tour: "Try: f filters · s sorts · enter opens · [ goes back"),
    Item(
      name: "goals", about: "a person's goals and to-dos",
      tour: "Try: w includes linked rows · > expands them"),
    Item(
      name: "company", about: "200 people and who manages whom",
      tour: "Try: enter opens a link · D shows the diagram"),
  ]
  private static let otherStores = [
    "sonde demo world: the same data, changing live",
    "sonde ./data, app.sqlite, backup.zip or ws://…: your own data",
  ]
  private static let detailRows = 4

  init(_ names: [String]) {
    let known = Self.known.filter { names.contains($0.name) }
    items =
      known + names.filter { name in !known.contains { $0.name == name } }.map { Item(name: $0) }
  }

  var traits: PaneTraits { .demos }
  func rowsAbove(in context: PaneContext) -> Int { 1 }
  func rowsBelow(in context: PaneContext) -> Int {
    context.page > items.count + Self.detailRows ? Self.detailRows : 0
  }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    guard let number = key.typed?.wholeNumberValue, items.indices.contains(number - 1) else {
      return nil
    }
    return actions(of: items[number - 1])
  }

  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? {
    .noEffect(.nothingToPasteInto.hinting())
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    command == .open ? chosen.map(actions) : nil
  }

  private func actions(of demo: Item) -> [PaneAction] {
    [.effect(.workspace(.open(StoreListing(typed: demo.name), inFront: true)))]
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    frame.write("Choose a demo dataset:", .text, in: area.line(0))
    let (list, below) = area.inset(top: 1).split(rows: listRows(in: context))
    let width = items.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    drawItems(into: &frame, area: list, context) { demo, line, frame in
      let (chosen, other) = context.settings.isScreenReader ? ("chosen: ", "") : ("▸ ", "  ")
      let sign = line.index == cursor.index ? chosen : other
      frame.write("\(sign)\(line.index + 1)  \(demo.name)", .text, in: line)
      frame.write(demo.about, .dim, in: line, at: TextWidth.columns(of: sign) + width + 6)
    }
    var rest = below.inset(top: 1)
    for text in [chosen?.tour ?? ""] + Self.otherStores {
      rest = rest.inset(top: frame.writeWrapped(text, in: rest, paint: Paint(.dim)))
    }
  }
}

extension PaneTraits {
  static let demos = PaneTraits(
    title: "Demos",
    about: "Choose a demo with the cursor, or press its number. Changes in a demo are not saved."
  ) {
    $0.ignored = .allBut(
      [.up, .down, .open, .cancel, .help, .suspend, .redraw, .quit, .interrupt] + farther)
    $0.place = .screen
    $0.hints = [.open, .up, .down]
    $0.labels = [.cancel: "quit", .up: "previous", .down: "next"]
  }
}
