import InstaQL
import Notebooks
import TerminalUI
import Triples
import Widgets

/// The command palette: commands by name with their keys, namespaces, columns, saved queries,
/// themes and settings.
struct PalettePane: PopupList {
  var field = TextField()
  private(set) var items = [PaletteMatch]()
  var cursor = ListCursor()
  var fit = PopupFit()
  private var savedQueries: [SavedQuery] = []
  private var themes: [String] = []
  private var offers: [CommandOffer] = []
  /// The namespace whose columns are listed; nil for that of the results.
  private let namespace: String?
  /// Whether `enter` on a far match showed a warning, so that the next one runs it.
  private var isWarned = false

  init(columnsOf namespace: String? = nil) { self.namespace = namespace }

  var traits: PaneTraits { .palette }

  func label(of command: Command) -> String {
    guard command == .open, let chosen else { return traits.label(of: command) }
    return switch chosen.entry {
    case .column: "go to column"
    case .namespace: "open"
    case .setting, .theme: "set"
    case .command, .custom, .savedQuery: traits.label(of: command)
    }
  }

  func title(in context: PaneContext) -> String { "Command" }
  func remark(in context: PaneContext) -> String {
    NumberText.count(items.count, "match", "matches")
  }

  func width(ofLine line: Int, in context: PaneContext) -> Int {
    let entry = items[line].entry
    return TextWidth.columns(of: entry.text)
      + TextWidth.columns(of: detail(of: entry, in: context)) + 3
  }

  mutating func refresh(in context: PaneContext) {
    if offers != context.commands { narrow(in: context) }
    didChangeLines(in: context)
    keepInView(in: context)
  }

  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? {
    switch response {
    case .savedQueries(let saved, _): savedQueries = saved
    case .themes(let listed, _): themes = listed.map(\.name)
    default: return nil
    }
    narrow(in: context)
    return nil
  }

  mutating func narrow(in context: PaneContext) {
    let namespaces = (context.catalog?.schema.namespaces ?? []).map(PaletteEntry.namespace)
    let columns = labels(in: context).map(PaletteEntry.column)
    offers = context.commands
    isWarned = false
    items = PaletteMatch.all(
      for: field.text, offering: offers,
      commands: Command.grouped.filter { context.settings.keymap.offers($0, in: context.below) },
      // Of entries that match equally well, those of the focused pane come first.
      among: (context.standing == .results ? columns + namespaces : namespaces + columns)
        + savedQueries.map(PaletteEntry.savedQuery) + themes.map(PaletteEntry.theme)
        + ScreenSetting.allCases.map(PaletteEntry.setting))
    didChangeLines(in: context)
    go(to: 0, in: context)
  }

  private func labels(in context: PaneContext) -> [String] {
    guard let namespace else { return context.columns.map(\.label) }
    return context.catalog?.lines(of: namespace).map(\.label) ?? []
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    guard command == .open else { return nil }
    guard let chosen else { return [.show(.noMatch)] }
    if chosen.isFar, cursor.index == 0, !isWarned {
      isWarned = true
      return [.show(.farMatch(field.text))]
    }
    return actions(of: chosen.entry, in: context)
  }

  private func actions(of entry: PaletteEntry, in context: PaneContext) -> [PaneAction] {
    switch entry {
    case .command(let command): return [.perform(command)]
    case .custom(let offer): return [.close, .run(offer.command)]
    case .namespace(let name): return [.close, .drillDown(QueryPlan(name))]
    case .column(let label): return [.close, .jump(column: label, of: namespace)]
    case .theme(let name): return [.close, .effect(.theme(.named(name)))]
    case .setting(.write):
      return [.close, .show(context.readOnlyReason.map { .error($0) } ?? .alreadyWritable)]
    case .setting(let setting): return actions(of: setting, with: context.settings)
    case .savedQuery(let query):
      switch context.plan(from: query.text) {
      case .failure(let reason): return [.show(reason.notice)]
      case .success(let plan): return [.close, .keepWords(query.text), .drillDown(plan)]
      }
    }
  }

  private func actions(
    of setting: ScreenSetting, with settings: ExplorerSettings
  ) -> [PaneAction] {
    if setting == .file {
      guard !settings.file.isEmpty else { return [.show(.noSettingsFile)] }
      return [.close, .effect(.run(.editing(settings: settings.file), input: nil))]
    }
    let wasOn = settings.isOn(setting) == true
    if setting == .reducedMotion, settings.isScreenReader {
      return [.show(.motionAlwaysReduced)]
    }
    return [
      .close, .effect(.workspace(.set(setting, isOn: !wasOn))),
      .show(.settingChanged(setting.rawValue, isOn: !wasOn)),
    ]
  }

  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    chosen.map { actions(of: $0.entry, in: context) } ?? []
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    field.drawNarrowing(
      into: &frame, area: area, placeholder: "type the name of a column, command, namespace …")
    drawItems(into: &frame, area: area.inset(top: 1), or: .noMatch, context) {
      draw($0, in: $1, into: &$2, context: context)
    }
  }

  /// Returns the text at the right end of an entry: the keys of a command, or the kind of entry.
  private func detail(of entry: PaletteEntry, in context: PaneContext) -> String {
    if case .setting(let setting) = entry, let isOn = context.settings.isOn(setting) {
      return entry.kind + (isOn ? ": on" : ": off")
    }
    guard case .command(let command) = entry else { return entry.kind }
    return context.settings.keymap.keys(for: command, in: context.below)
      .map(\.name).joined(separator: " ")
  }

  private func draw(
    _ match: PaletteMatch, in line: ListLine, into frame: inout Frame, context: PaneContext
  ) {
    let detail = detail(of: match.entry, in: context)
    var (text, role) = (match.entry.text, Role.dim)
    if case .command(let command) = match.entry {
      role = .key
      text = command.help(within: max(0, line.area.columns - TextWidth.columns(of: detail) - 3))
    }
    if case .custom(let offer) = match.entry, offer.reason == nil { role = .key }
    let room = frame.writeAtEnd(detail, role, in: line)
    frame.write(text, match.entry.isDisabled ? .dim : .text, in: line, width: room)
    if match.entry.text.hasPrefix(text) {
      frame.mark(
        match.letters, of: text, row: line.area.row, column: line.area.column + 1, width: room)
    }
  }
}

extension Frame {
  /// Highlights letters of a text that is written at a position.
  mutating func mark(
    _ letters: [Int], of text: String, row: Int, column start: Int, width room: Int
  ) {
    let shown = Array(text)
    var column = 0
    for (place, letter) in shown.enumerated() {
      let width = TextWidth.columns(of: String(letter))
      // If the text was cut, its last column contains a mark instead of a letter.
      guard column + width < room || column + width == room && place == shown.count - 1 else {
        return
      }
      if letters.contains(place) {
        write(
          String(letter), row: row, column: start + column, width: width, paint: Paint(.match))
      }
      column += width
    }
  }
}

extension PaneTraits {
  package static let palette = PaneTraits(
    title: "Palette",
    about: "All commands with their keys. Type part of a name."
  ) {
    $0.isAlone = true
    $0.takesTyping = true
    $0.isDialog = true
    $0.ignored = .allBut(inDialogs + byPages)
    $0.labels = [.open: "run"]
  }
}
