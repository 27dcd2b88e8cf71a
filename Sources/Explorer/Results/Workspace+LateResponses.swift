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

  /// Shows an explanation in the tab that requested it, even if another tab is current.
  mutating func show(explanation lines: [TextLine], in id: Int) {
    let lines =
      lines
      + (store.changeDetection.map {
        [TextLine("Changes by other programs are detected by \($0)", .dim)]
      } ?? [])
    if tab.id == id {
      // If the same explanation is already shown, a notice says that it is new.
      if (tab.overlays.last?.pane as? TextPane)?.begins(with: lines.first) == true {
        notice = .explainedAgain
      }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      open(TextPane(.text, lines, askingAbout: shownNamespace))
    } else {
      tabs.show(explanation: lines, in: id)
    }
  }

  /// Cancels the requests of this tab whose responses would open a pane.
  mutating func endAwaiting() -> [Effect] {
    cancelOpeningSavedQueries() + requests.cancel(.explanation(tab: tab.id))
  }

  mutating func cancelOpeningSavedQueries() -> [Effect] {
    requests.purpose(of: .savedQueries) == .savedQueries(opens: true)
      ? requests.cancel(.savedQueries) : []
  }

  mutating func updateExports(_ change: (inout ExportPane) -> Void) {
    tabs.forEach { $0.updateExport(change) }
  }
}

extension Tab {
  fileprivate mutating func updateExport(_ change: (inout ExportPane) -> Void) {
    for index in overlays.indices {
      guard var pane = overlays[index].pane as? ExportPane, pane.isWriting else { continue }
      change(&pane)
      overlays[index].pane = pane
    }
  }
}

extension TabStrip {
  /// Adds the explanation to a tab that is not shown.
  fileprivate mutating func show(explanation lines: [TextLine], in id: Int) {
    forEachHidden { tab in
      guard tab.id == id else { return }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      tab.overlays.append(
        Overlay(TextPane(.text, lines, askingAbout: tab.queryHistory?.plan.namespace)))
    }
  }
}
