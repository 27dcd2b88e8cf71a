import InstaQL
import Notebooks
import TerminalUI

// What was asked for and is told later, when the person may be elsewhere.
extension Model {
  /// The saved queries are a list that opens where it was asked for, and stays true while it is open.
  mutating func receive(saved: [SavedQuery], asked: [HistoryEntry]) {
    tell(SavedPane.self) { pane, context in
      pane.receive(saved: saved, asked: asked, page: context.page)
    }
    if awaitsQueries, listening == .saved {
      notice = .savedQueriesReloaded
    } else if awaitsQueries {
      open(SavedPane(saved: saved, asked: asked))
    }
    awaitsQueries = false
  }

  /// An explanation opens in the tab that asked for it last.
  mutating func receive(explanation lines: [TextLine], of order: ExplainOrder) {
    if tab.explaining == order.number {
      tab.explaining = nil
      // It may be in the same words as before.
      if (tab.overlays.last?.pane as? TextPane)?.begins(with: lines.first) == true {
        notice = .explainedAgain
      }
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      open(TextPane("Explain", lines, askingAbout: shownNamespace))
    } else {
      tabs.receive(explanation: lines, of: order)
    }
  }

  /// What was asked for is not waited for any more.
  mutating func endAwaiting() {
    awaitsQueries = false
    tab.explaining = nil
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
  fileprivate mutating func receive(explanation lines: [TextLine], of order: ExplainOrder) {
    forEach { tab in
      guard tab.explaining == order.number else { return }
      tab.explaining = nil
      tab.overlays.removeAll { ($0.pane as? TextPane)?.namespace != nil }
      tab.overlays.append(
        Overlay(TextPane("Explain", lines, askingAbout: tab.composer?.plan.namespace)))
    }
  }
}
