import TerminalUI
import Widgets

/// A pane that lists only its matches while it is searched.
protocol NarrowingPane: FindablePane {
  /// Lists only the lines that contain the words of `text`; all lines if there are none.
  mutating func narrow(to text: String, in context: PaneContext)
}

// Filters the list of namespaces, or the lines of a pane, while the user types.
extension Workspace {
  /// Filters the pane in front by the typed text. Returns false if it does not list only matches.
  mutating func narrowPane(to text: String) -> Bool {
    guard let index = tab.overlays.indices.last,
      var pane = tab.overlays[index].pane as? any NarrowingPane
    else { return false }
    let context = context(of: index)
    pane.narrow(to: text, in: context)
    tab.overlays[index].pane = pane
    if pane.lineCount(in: context) == 0 { reportSearch(.notFound(text)) }
    return true
  }

  /// The namespaces or the schema if the search prompt is open for them; nil for another pane.
  var searchedList: MainPane? {
    guard prompt?.purpose == .find, tab.overlays.isEmpty,
      tab.focus == .namespaces || tab.focus == .schema
    else { return nil }
    return tab.focus
  }

  /// Whether the search prompt is open for the namespaces, whose list it filters.
  var isNarrowing: Bool { searchedList == .namespaces }

  /// Filters the list to namespaces whose names contain the letters of `text` in order.
  mutating func narrowNamespaces(to text: String) -> [Effect] {
    moveInNamespaces { $0.narrow(to: text, page: $1) }
    if text.isBlank {
      _ = go(.to(tab.finding.origin), in: .namespaces)
    } else if namespaces.items.isEmpty {
      reportSearch(.noNamespaceMatches(text))
    }
    return []
  }

  /// Closes the prompt and lists all namespaces again.
  ///
  /// - Parameter isOpening: Whether to open the namespace at the cursor. Otherwise the cursor
  ///   returns to where it was before the filter.
  mutating func endNarrowing(opening isOpening: Bool) -> [Effect] {
    let chosen = namespaces.chosen
    if isOpening, chosen == nil {
      return notify(.noNamespaceMatches(prompt?.field.text ?? ""))
    }
    prompt = nil
    moveInNamespaces { [origin = tab.finding.origin] namespaces, page in
      namespaces.narrow(to: "", page: page)
      if isOpening, let chosen {
        namespaces.choose(chosen, page: page)
      } else {
        namespaces.cursor.move(to: origin, of: namespaces.items.count, page: page)
      }
    }
    return isOpening ? openChosenNamespace() : []
  }

  /// Moves the cursor in the filtered list; nil for a key that is not a movement.
  mutating func moveInNarrowedList(_ key: Key) -> [Effect]? {
    guard isNarrowing else { return nil }
    let command: Command
    switch key {
    case .up, .control("p"): command = .up
    case .down, .control("n"): command = .down
    case .pageUp: command = .pageUp
    case .pageDown: command = .pageDown
    default: return nil
    }
    return go(.by(command), in: .namespaces).map { report($0) }
  }

  /// Opens the clicked namespace of the filtered list; nil if the click is elsewhere.
  mutating func clickNarrowedList(_ mouse: Mouse) -> [Effect]? {
    guard isNarrowing, case .press(.left, _) = mouse.action, let target = target(of: mouse),
      target.pane == .namespaces, target.isWithin
    else { return nil }
    guard namespaces.cursor.top + target.line < namespaces.items.count else { return [] }
    _ = go(.clicked(target.line), in: .namespaces)
    return endNarrowing(opening: true)
  }
}
