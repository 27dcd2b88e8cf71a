import TerminalUI
import Widgets

/// A list of all themes, filtered by typing. The screen previews the theme at the cursor.
///
///     type to filter
///     high-contrast   dark, high contrast
///     midnight        dark, yours
///     sonde-light     light                    until now
///     ───────────────────────────────────────────────────
///      title header text string 42 date …
struct ThemesPane: FilteredPane {
  private var listed: [ThemeListing]
  /// The name of the selected theme, which the screen shows again if the user chooses no other.
  private let kept: String
  var field = TextField()
  private(set) var items: [ThemeListing] = []
  var cursor = ListCursor()

  init(_ listed: [ThemeListing], kept: String) {
    self.listed = listed
    self.kept = kept
    items = listed
    // The first refresh, which knows the pane's size, scrolls the cursor into view.
    cursor.move(to: place(of: kept) ?? 0, of: items.count, page: items.count)
  }

  var traits: PaneTraits { .themes }

  func remark(in context: PaneContext) -> String { NumberText.count(items.count, "theme") }

  /// The preview of the theme at the cursor, which the pane needs while it is open.
  var needs: PaneNeeds { PaneNeeds(theme: chosen?.theme) }

  private func place(of name: String) -> Int? { items.firstIndex { $0.name == name } }

  /// Updates the list. The cursor stays on its theme.
  mutating func receive(_ response: Response, in context: PaneContext) -> Notice? {
    guard case .themes(let listed, _) = response else { return nil }
    self.listed = listed
    narrow(in: context)
    return nil
  }

  /// Filters the list by the typed text. The cursor stays on its theme as long as that matches.
  mutating func narrow(in context: PaneContext) {
    let name = chosen?.name
    let typed = field.text.lowercased()
    items = listed.filter {
      typed.isEmpty || $0.name.lowercased().contains(typed) || $0.words.contains(typed)
    }
    go(to: name.flatMap(place) ?? 0, in: context)
  }

  // MARK: Actions

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: return applyChosen()
    // The key for the next theme also works in the list.
    case .nextTheme:
      let next = items.isEmpty ? 0 : (cursor.index + 1) % items.count
      go(to: next, in: context)
      return items.count > 1 ? [] : [.show(.noOtherTheme)]
    case .themes: return [.close]
    default: return nil
    }
  }

  private func applyChosen() -> [PaneAction] {
    guard let chosen else { return [.show(nothingFound)] }
    switch chosen.reading {
    case .theme(let theme): return [.close, .effect(.theme(.keep(theme)))]
    case .broken(let reason): return [.show(Notice(reason))]
    }
  }

  private var nothingFound: Notice { listed.isEmpty ? .noThemes : .noMatch }

  mutating func refresh(in context: PaneContext) { go(to: cursor.index, in: context) }

  // MARK: Drawing

  /// The number of rows for the sample below the list, including the line above it.
  private static let sampleRows = 4
  private static let widestName = 26

  func rowsBelow(in context: PaneContext) -> Int {
    // A screen reader cannot express the colors of a sample.
    context.page >= 9 && !context.settings.isScreenReader ? Self.sampleRows : 0
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let (top, rest) = area.split(rows: 1)
    field.drawNarrowing(into: &frame, area: top)
    // The terminal's cursor is left out, so that a screen reader reads the selected theme, not the
    // line above it.
    if context.settings.isScreenReader, !items.isEmpty { frame.cursor = nil }
    let (list, sample) = rest.split(rows: rest.rows - rowsBelow(in: context))
    if items.isEmpty {
      frame.writeNotice(nothingFound, context.keys, in: list.inset(left: 1, right: 1))
    }
    let names = items.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    let width = min(names, Self.widestName)
    drawItems(into: &frame, area: list, context) { theme, line, frame in
      ListEntry(
        name: theme.name, about: theme.trouble ?? theme.words,
        aboutRole: theme.trouble == nil ? .dim : .error, state: theme.name == kept ? "current" : ""
      ).draw(in: line, nameWidth: width, into: &frame)
    }
    if sample.rows > 1 { drawSample(into: &frame, area: sample) }
  }

  /// Draws a sample of the selected theme. For an invalid theme, draws the error.
  private func drawSample(into frame: inout Frame, area: Rect) {
    let (line, below) = area.split(rows: 1)
    frame.fill(line, Paint(.border), with: "─")
    let inside = below.inset(left: 1, right: 1)
    if let trouble = chosen?.trouble {
      frame.writeWrapped(trouble, in: inside, paint: Paint(.error))
      return
    }
    var (row, column) = (inside.row, inside.column)
    for (role, word) in Theme.sample {
      let text = " \(word) "
      let width = TextWidth.columns(of: text)
      if column + width > inside.endColumn { (row, column) = (row + 1, inside.column) }
      guard row < inside.endRow, width <= inside.columns else { return }
      frame.write(
        text, row: row, column: column, width: width,
        paint: Paint(role, on: role == .selection ? .selection : .text))
      column += width
    }
  }
}

extension PaneTraits {
  package static let themes = PaneTraits(
    title: "Themes",
    about: "All themes, including your own. The screen previews the selected theme."
  ) {
    $0.isAlone = true
    $0.takesTyping = true
    $0.hints = [.open, .up, .down, .cancel]
    $0.labels = [.open: "apply", .cancel: "cancel", .up: "previous", .down: "next"]
  }
}
