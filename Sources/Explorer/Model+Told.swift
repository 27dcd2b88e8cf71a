import InstaQL
import Notebooks
import TerminalUI

// What was asked for and is told later, when the person may be elsewhere.
extension Model {
  /// The list of saved queries is shown as it is now, where it is open.
  mutating func reloadSavedQueries(_ saved: [SavedQuery], _ history: [HistoryEntry]) {
    tell(SavedPane.self) { pane, context in
      pane.receive(saved: saved, asked: history, page: context.page)
    }
  }

  mutating func openSavedQueries(_ saved: [SavedQuery], _ history: [HistoryEntry]) {
    if listening == .saved {
      notice = .savedQueriesReloaded
    } else {
      open(SavedPane(saved: saved, asked: history))
    }
  }

  /// An explanation opens in the tab that asked for it.
  mutating func show(explanation lines: [TextLine], in id: Int) {
    if tab.id == id {
      // It may be in the same words as before.
      if (tab.overlays.last?.pane as? TextPane)?.begins(with: lines.first) == true {
        notice = .explainedAgain
      }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      open(TextPane("Explain", lines, askingAbout: shownNamespace))
    } else {
      tabs.show(explanation: lines, in: id)
    }
  }

  /// What was asked for is not waited for any more.
  mutating func endAwaiting() -> [Effect] {
    cancelOpeningSavedQueries() + requests.cancel(.explanation(tab: tab.id))
  }

  mutating func cancelOpeningSavedQueries() -> [Effect] {
    requests.purpose(of: .savedQueries) == .openSavedQueries ? requests.cancel(.savedQueries) : []
  }

  /// Tells something to the panes that write files, in whichever tab they are.
  mutating func tellExports(_ news: (inout ExportPane) -> Void) {
    tab.tellExport(news)
    tabs.forEach { $0.tellExport(news) }
  }
}

extension Tab {
  fileprivate mutating func tellExport(_ news: (inout ExportPane) -> Void) {
    for index in overlays.indices {
      guard var pane = overlays[index].pane as? ExportPane, pane.isWriting else { continue }
      news(&pane)
      overlays[index].pane = pane
    }
  }
}

extension TabStrip {
  mutating func forEach(_ body: (inout Tab) -> Void) {
    for index in before.indices { body(&before[index]) }
    for index in after.indices { body(&after[index]) }
  }

  /// It is there when the tab that asked for it is shown.
  fileprivate mutating func show(explanation lines: [TextLine], in id: Int) {
    forEach { tab in
      guard tab.id == id else { return }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      tab.overlays.append(
        Overlay(TextPane("Explain", lines, askingAbout: tab.composer?.plan.namespace)))
    }
  }
}
