import TerminalUI
import Widgets

/// The list of stores: the open ones, then those opened before. The user can also type an address.
///
///     type to filter
///     world         world                     current
///     plan.sonde    ~/plan.sonde              open
///     app.sqlite    ~/work/app.sqlite
struct StoresPane: PopupList {
  enum Entry: Sendable, Equatable {
    /// The store that is currently on the screen.
    case shown(name: String, place: String)
    case open(StoreSummary)
    case recent(StoreListing)
    /// The address that the user typed.
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
  func remark(in context: PaneContext) -> String {
    found.count == 1 ? "1 store" : "\(found.count) stores"
  }
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
    let typed = TypedLetters(field.text)
    var matches = TypedLetters.ranked(open + recent.map(Entry.recent)) { entry in
      let name = typed.match(entry.name)
      let place = typed.match(entry.place)
      let scores = [name?.score, place.map { $0.score + Self.addressPenalty }].compactMap { $0 }
      return scores.min().map { (Match(entry: entry, letters: name?.positions ?? []), $0) }
    }
    if typed.letters.isEmpty { return matches }
    let address = field.text.trimmingPrefix { $0.isWhitespace }
    if matches.isEmpty || address.contains("/") || address.contains(".") {
      matches.append(Match(entry: .typed(String(address)), letters: []))
    }
    return matches
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
    cursor.draw(found.count, in: area.dropping(rows: 1), into: &frame) { line, frame in
      let (entry, letters) = (found[line.index].entry, found[line.index].letters)
      ListEntry(name: entry.name, letters: letters, about: entry.place, state: entry.state)
        .draw(in: line, nameWidth: width, into: &frame)
    }
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

  /// The address of the store.
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
      "Open stores, then recent ones. Type part of a name, or an address.",
    isAlone: true,
    takesTyping: true,
    isDialog: true,
    ignoring: .allBut(inDialogs + byPages))
}
