import TerminalUI
import Widgets

/// The list of stores: the open ones, then those opened before, the files in the current folder and
/// the demos. The user can also type an address.
///
/// The cursor begins on the first store that is not on the screen, so that Enter switches to it.
///
///     type to filter
///     world         world                     current
///     plan.sonde    ~/plan.sonde              open
///     app.sqlite    ~/work/app.sqlite
struct StoresPane: PopupList {
  struct Entry: Sendable, Equatable {
    enum State: String {
      /// The store is currently on the screen.
      case current
      case open
      case closed = ""
    }

    let name: String
    /// The address of the store.
    let place: String
    let state: State
    fileprivate let actions: [PaneAction]

    /// Creates the entry of a store.
    ///
    /// - Parameter name: The name in the list; nil for that of the store.
    init(
      _ store: StoreListing, called name: String? = nil, _ state: State, _ actions: [PaneAction]
    ) {
      (self.name, place) = (name ?? store.name, store.place)
      (self.state, self.actions) = (state, actions)
    }

    /// The address, unless it is the name.
    fileprivate var about: String { place == name ? "" : place }
  }

  private let open: [Entry]
  /// The stores that are not open; nil until the program has listed them.
  private var listed: [StoreListing]?
  private(set) var items: [TypedMatch<Entry>] = []
  var field = TextField()
  var cursor = ListCursor()
  var fit = PopupFit()

  /// Creates a list.
  ///
  /// - Parameter open: The open stores in the order of their tabs.
  init(_ open: [Entry]) {
    self.open = open
    items = matches
    cursor.move(to: firstOther, of: items.count, page: max(1, items.count))
  }

  /// The first line with a store that is not on the screen; 0 if there is none.
  private var firstOther: Int { items.firstIndex { $0.entry.state != .current } ?? 0 }

  var traits: PaneTraits { .stores }

  func remark(in context: PaneContext) -> String {
    listed == nil ? "searching" : NumberText.count(items.count, "store")
  }

  /// A typed name can be one of the stores that are not listed yet, but an address with a slash
  /// needs no list.
  var awaitsMatches: Bool {
    let typed = field.text
    return listed == nil && (typed.isEmpty ? items.count < 2 : !typed.contains("/"))
  }

  func width(ofLine line: Int, in context: PaneContext) -> Int {
    let entry = items[line].entry
    let state = entry.state == .closed ? 0 : TextWidth.columns(of: entry.state.rawValue) + 1
    return widestName + TextWidth.columns(of: entry.about) + state + 4
  }

  private var widestName: Int { items.map { TextWidth.columns(of: $0.entry.name) }.max() ?? 0 }

  /// Lists the stores that are not open, or completes the typed path.
  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? {
    let before = field.text
    switch response {
    case .stores(let stores):
      let places = open.map(\.place)
      listed = stores.filter { !places.contains($0.place) }
      let hadChoice = items.count > 1
      items = matches
      didChangeLines(in: context)
      go(to: hadChoice ? cursor.index : firstOther, in: context)
    case .paths(let paths):
      let news = field.completePath(with: paths)
      guard field.text != before else { return news }
      narrow(in: context)
      didChangeLines(in: context)
    default: break
    }
    return nil
  }

  mutating func narrow(in context: PaneContext) {
    items = matches
    go(to: field.text.isEmpty ? firstOther : 0, in: context)
  }

  /// The entries whose name contains the typed letters in order, the best matches first. Entries
  /// whose address contains the typed text follow. The store on the screen comes last.
  private var matches: [TypedMatch<Entry>] {
    let typed = TypedLetters(field.text)
    let entries = open + (listed ?? []).map { Entry($0, .closed, [.close, .openStore($0)]) }
    if typed.letters.isEmpty { return entries.map { TypedMatch(entry: $0) } }
    let address = field.text.trimmingPrefix { $0.isWhitespace }
    var matches = TypedLetters.ranked(entries) { entry in
      let rank = entry.state == .current ? 2 * Self.addressRank : 0
      if let name = typed.match(entry.name) {
        return (TypedMatch(entry: entry, letters: name.positions), name.score + rank)
      }
      return entry.place.lowercased().contains(address.lowercased())
        ? (TypedMatch(entry: entry), Self.addressRank + rank) : nil
    }
    if matches.isEmpty || address.contains("/") || address.contains(".") {
      let listing = StoreListing(typed: String(address))
      let actions = [PaneAction.close, .openStore(listing)]
      matches.append(TypedMatch(entry: Entry(listing, called: "open", .closed, actions)))
    }
    return matches
  }

  /// The rank of a match in the address, which exceeds those of names.
  private static let addressRank = 1_000

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open:
      return chosen?.entry.actions ?? [.show(.noMatch)]
    case .nextPane: return [.request(.paths(field.text), for: .paths)]
    case .stores: return [.close]
    default: return nil
    }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let width = min(widestName, max(8, area.columns / 3))
    drawFiltered(into: &frame, area: area, context) { match, line, frame in
      let entry = match.entry
      ListEntry(
        name: entry.name, letters: match.letters, about: entry.about, state: entry.state.rawValue
      )
      .draw(in: line, nameWidth: width, into: &frame)
    }
  }
}

extension PaneTraits {
  package static let stores = PaneTraits(
    title: "Stores",
    about:
      "Open stores, recent stores, files in the current folder, and demos. Type part of a name to find "
      + "one of them, or type any other address."
  ) {
    $0.isAlone = true
    $0.takesTyping = true
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + byPages + [.nextPane])
    $0.hints = [.open, .up, .down, .cancel]
    $0.labels = [.cancel: "cancel", .up: "previous", .down: "next", .nextPane: "complete path"]
  }
}
