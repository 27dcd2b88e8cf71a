import InstaQL
import Notebooks
import TerminalUI

// Handles responses that arrive when the user may be in another pane or tab.
extension Workspace {
  mutating func openSavedQueries(_ saved: [SavedQuery], _ history: [HistoryEntry]) {
    if focusedPane == .saved {
      notice = .savedQueriesReloaded
    } else {
      open(SavedPane(saved: saved, history: history))
    }
  }

  /// Remembers the names of saved queries, for the titles of tabs.
  mutating func nameQueries(_ saved: [SavedQuery]) {
    session.savedQueries = saved
    guard let schema = catalog?.schema else { return }
    let named = saved.prefix(Self.maxNamedQueries).compactMap { query in
      (try? QueryDocument(text: query.text, schema: schema).plans.first).map { ($0, query.name) }
    }
    session.queryNames = Dictionary(named) { first, _ in first }
  }

  private static let maxNamedQueries = 200

  /// Shows an explanation in the tab that requested it, even if another tab is current.
  mutating func show(explanation lines: [TextLine], in id: Int) {
    let lines =
      lines
      + (store.changeDetection.map {
        [TextLine("Changes by other programs are detected by \($0)", .dim)]
      } ?? [])
    // If the same explanation is already shown, a notice says that it is new.
    if tab.id == id, (tab.overlays.last?.pane as? TextPane)?.begins(with: lines.first) == true {
      notice = .explainedAgain
    }
    tabs.forEach { tab in
      guard tab.id == id else { return }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      let namespace = tab.plan?.namespace
      tab.overlays.append(Overlay(TextPane(.text, lines, askingAbout: namespace)))
    }
    refreshOverlays()
  }

  /// Cancels the requests of this tab whose responses would open a pane.
  mutating func endAwaiting() -> [Effect] {
    cancelOpeningSavedQueries() + requests.cancel(.explanation(tab: tab.id))
  }

  mutating func cancelOpeningSavedQueries() -> [Effect] {
    requests[.savedQueries]?.place == nil ? [] : requests.cancel(.savedQueries)
  }

  mutating func updateExports(_ change: (inout ExportPane) -> Void) {
    tabs.forEach { tab in
      for index in tab.overlays.indices {
        guard var pane = tab.overlays[index].pane as? ExportPane, pane.isWriting else { continue }
        change(&pane)
        tab.overlays[index].pane = pane
      }
    }
  }
}
