import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples

// The searchable text of each pane: the text of its lines.

extension TextPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String { items[line].text }
}

extension EntityPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    let line = lines[line]
    return [line.label, line.cell.text, line.note].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension ChangesPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    let entry = items[line]
    let values = [entry.old?.text, entry.new?.text].compactMap { $0 }.joined(separator: " → ")
    return [
      entry.transaction.map { "\($0)" } ?? "", entry.kind.sign, entry.namespace, entry.name,
      entry.label, values,
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension HelpPane: NarrowingPane {
  func lineCount(in context: PaneContext) -> Int { lines(in: context).count }

  /// Draws nothing, since the title counts the lines below.
  func drawMore(into frame: inout Frame, area: Rect, context: PaneContext) {}

  func text(ofLine line: Int, in context: PaneContext) -> String {
    lines(in: context)[line].text
  }

  /// Returns the help as text for the pager, with the full description of each key.
  func text(in context: PaneContext) -> String {
    lines(of: context.settings.keymap, context.commands, width: .max)
      .map { $0.text + "\n" }.joined()
  }
}

extension ColumnsPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String { items[line].label }
}

extension RelationsPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    let node = items[line]
    return node.path.joined(separator: ".") + " " + node.link.target
  }
}

extension FacetsPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    "\(items[line].text) \(NumberText.grouped(items[line].count))"
  }
}

extension SavedPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    [items[line].query?.name, items[line].text].compactMap { $0 }.joined(separator: " ")
  }
}

extension SubscriptionsPane: FindablePane {
  func text(ofLine line: Int, in context: PaneContext) -> String {
    items[line].query.document.text
  }
}
