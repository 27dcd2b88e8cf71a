import InstaQL
import TerminalUI
import Triples

// Finding a text in the pane in focus.
extension Model {
  mutating func startFinding() {
    guard overlays.isEmpty, focus != .query else {
      notice = Notice(text: "Nothing to find in \(listening.title)")
      return
    }
    findOrigin = findLine
    prompt = PromptPane(.find, text: "")
  }

  /// As one types: the first line that holds the text, from where one began.
  mutating func findTyped() {
    guard let text = prompt?.field.text else { return }
    findText = text.lowercased()
    results.pattern = findText
    guard !text.isEmpty else { return }
    if !find(from: findOrigin, step: 1, includingStart: true) {
      prompt?.complaint = "Not found among the next rows: enter and n look further"
    }
  }

  mutating func endFinding(keeping: Bool) {
    prompt = nil
    guard !keeping else { return }
    findText = ""
    results.pattern = ""
    moveFinding(to: findOrigin)
  }

  mutating func findNext(_ step: Int) {
    guard !findText.isEmpty else {
      notice = Notice(text: "Nothing was looked for yet: / does")
      return
    }
    if !find(from: findLine, step: step, includingStart: false) {
      notice = Notice(text: "'\(findText)' is not among the next rows: n looks further")
    }
  }

  /// Rows looked at for one key: typing must stay quick however long the answer is.
  private static let rowsLookedAt = 10_000

  private var findLine: Int {
    switch focus {
    case .namespaces: namespaces.cursor.index
    case .schema: schema.cursor.index
    case .results: results.cursor.index
    case .query: 0
    }
  }

  /// How many lines the pane in focus has.
  private var findCount: Int {
    guard let catalog else { return 0 }
    switch focus {
    case .namespaces: return catalog.schema.namespaces.count
    case .schema: return shownNamespace.map { SchemaPane.lines(of: $0, in: catalog).count } ?? 0
    case .results: return results.table?.lineCount ?? 0
    case .query: return 0
    }
  }

  private mutating func find(from start: Int, step: Int, includingStart: Bool) -> Bool {
    let count = findCount
    guard count > 0, let catalog else { return false }
    for distance in (includingStart ? 0 : 1)...min(count, Self.rowsLookedAt) {
      let line = ((start + distance * step) % count + count) % count
      if holds(line, catalog) {
        moveFinding(to: line)
        return true
      }
    }
    return false
  }

  private func holds(_ line: Int, _ catalog: Catalog) -> Bool {
    switch focus {
    case .namespaces: return catalog.schema.namespaces[line].lowercased().contains(findText)
    case .schema:
      guard let namespace = shownNamespace else { return false }
      return SchemaPane.lines(of: namespace, in: catalog)[line].label.lowercased()
        .contains(findText)
    case .results:
      guard let table = results.table, case .row(let row) = table.line(line) else { return false }
      return table.columns.contains {
        $0.cell(of: table.answer.rows[row], in: table.catalog).text.lowercased()
          .contains(findText)
      }
    case .query: return false
    }
  }

  private mutating func moveFinding(to line: Int) {
    guard let catalog else { return }
    switch focus {
    case .namespaces:
      namespaces.move(to: line, catalog: catalog, page: layout.namespaceRows)
    case .schema:
      guard let namespace = shownNamespace else { return }
      schema.move(to: line, namespace: namespace, catalog: catalog, page: layout.schemaRows)
    case .results: results.move(to: line, page: layout.resultRows)
    case .query: break
    }
  }
}
