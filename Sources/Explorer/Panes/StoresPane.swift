import TerminalUI
import Widgets

/// The list of stores: those that are open, then those opened before. Typing opens other addresses.
///
///     type to filter
///     world         world                     current
///     plan.sonde    ~/plan.sonde              open
///     app.sqlite    ~/work/app.sqlite
struct StoresPane: PopupList {
  enum Entry: Sendable, Equatable {
    /// The store in front.
    case shown(name: String, place: String)
    case open(StoreSummary)
    case recent(StoreListing)
    /// The typed address.
    case typed(String)
  }

  private struct Match: Sendable, Equatable {
    let entry: Entry
    /// The positions of the typed letters in the name; empty if only the address contains them.
    let letters: [Int]
  }

  private let open: [Entry]
  private var recent: [StoreListing] = []
  private var found: [Match] = []
  var field = TextField()
  var cursor = ListCursor()
  var fit = PopupFit()

  /// Creates a list.
  ///
  /// - Parameter open: The open stores in the order of their tabs.
  init(_ open: [Entry]) {
    self.open = open
    found = matches
  }

  var traits: PaneTraits { .stores }

  func title(in context: PaneContext) -> String { "Stores" }
  func remark(in context: PaneContext) -> String { "\(found.count)" }
  func hints(in context: PaneContext) -> [Command] { [.open, .up, .down, .cancel] }

  func label(of command: Command) -> String {
    switch command {
    case .cancel: "cancel"
    case .up: "previous"
    case .down: "next"
    default: command.label
    }
  }

  func lineCount(in context: PaneContext) -> Int { found.count }
  func width(ofLine line: Int, in context: PaneContext) -> Int {
    let entry = found[line].entry
    let state = entry.state.isEmpty ? 0 : TextWidth.columns(of: entry.state) + 1
    return widestName + TextWidth.columns(of: entry.place) + state + 4
  }

  private var widestName: Int { found.map { TextWidth.columns(of: $0.entry.name) }.max() ?? 0 }

  /// Lists the stores that were opened before.
  mutating func showRecentStores(_ stores: [StoreListing], in context: PaneContext) {
    let places = open.map(\.place)
    recent = stores.filter { !places.contains($0.place) }
    found = matches
    didChangeLines(in: context)
    go(to: cursor.index, in: context)
  }

  mutating func narrow(since before: String, in context: PaneContext) {
    found = matches
    go(to: 0, in: context)
  }

  /// The entries that contain the typed letters in order, the best matches first.
  private var matches: [Match] {
    let wanted = Array(field.text.lowercased().filter { !$0.isWhitespace })
    guard !wanted.isEmpty else {
      return (open + recent.map(Entry.recent)).map { Match(entry: $0, letters: []) }
    }
    var matches = Self.ranked(open + recent.map(Entry.recent), by: wanted)
    let address = field.text.trimmingPrefix { $0.isWhitespace }
    if matches.isEmpty || address.contains("/") || address.contains(".") {
      matches.append(Match(entry: .typed(String(address)), letters: []))
    }
    return matches
  }

  private static func ranked(_ entries: [Entry], by wanted: [Character]) -> [Match] {
    entries.enumerated().compactMap { place, entry -> (match: Match, score: Int, place: Int)? in
      let name = PaletteMatch.letters(of: wanted, in: entry.name)
      let address = PaletteMatch.letters(of: wanted, in: entry.place)
      let scores = [name?.score, address.map { $0.score + addressPenalty }].compactMap { $0 }
      return scores.min().map {
        (Match(entry: entry, letters: name?.positions ?? []), $0, place)
      }
    }
    .sorted { ($0.score, $0.place) < ($1.score, $1.place) }.map(\.match)
  }

  /// The penalty for a match in the address, since names come first.
  private static let addressPenalty = 20

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open:
      guard found.indices.contains(cursor.index) else { return [.show(.noMatch)] }
      return found[cursor.index].entry.actions
    case .stores: return [.close]
    default: return nil
    }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    field.drawNarrowing(into: &frame, area: area)
    let width = min(widestName, max(8, area.columns / 3))
    for (index, line, ground) in cursor.lines(of: found.count, in: area.dropping(rows: 1)) {
      frame.fill(line, Paint(.text, on: ground))
      draw(found[index], into: &frame, line: line, nameWidth: width, ground)
    }
  }

  private func draw(
    _ match: Match, into frame: inout Frame, line: Rect, nameWidth: Int, _ ground: Role
  ) {
    let entry = match.entry
    let start = line.column + 1
    frame.write(
      entry.name, row: line.row, column: start, width: nameWidth,
      paint: Paint(.namespace, on: ground))
    frame.mark(match.letters, of: entry.name, row: line.row, column: start, width: nameWidth)
    let state = entry.state
    let stateWidth = TextWidth.columns(of: state)
    let column = start + nameWidth + 2
    let room = max(0, line.endColumn - column - 1 - (stateWidth == 0 ? 0 : stateWidth + 1))
    frame.write(
      entry.place, row: line.row, column: column, width: room, paint: Paint(.dim, on: ground))
    guard line.endColumn - 1 - stateWidth > column else { return }
    frame.write(
      state, row: line.row, column: line.endColumn - 1 - stateWidth, width: stateWidth,
      paint: Paint(.info, on: ground))
  }
}

extension StoresPane.Entry {
  var name: String {
    switch self {
    case .shown(let name, _): name
    case .open(let store): store.name
    case .recent(let listing): listing.name
    case .typed: "open"
    }
  }

  /// The address.
  var place: String {
    switch self {
    case .shown(_, let place): place
    case .open(let store): store.place
    case .recent(let listing): listing.place
    case .typed(let address): address
    }
  }

  fileprivate var state: String {
    switch self {
    case .shown: "current"
    case .open: "open"
    case .recent, .typed: ""
    }
  }

  fileprivate var actions: [PaneAction] {
    switch self {
    case .shown: [.close]
    case .open(let store): [.close, .effect(.workspace(.show(store.id, tab: nil)))]
    case .recent(let listing): [.close, .openStore(listing)]
    case .typed(let address): [.close, .openStore(StoreListing(typed: address))]
    }
  }
}

extension PaneTraits {
  package static let stores = PaneTraits(
    title: "Stores",
    about:
      "The open stores, then those opened before. Type a part of the name, or another address.",
    isAlone: true,
    takesTyping: true,
    isDialog: true,
    ignoring: .allBut(inDialogs + byPages))
}
