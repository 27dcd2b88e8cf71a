import InstaQL
import Triples
import Widgets

// Describes the position of the cursor in the title line.
extension ResultsPane {
  /// Returns the text at the right end of the title line, with the position of the cursor among the
  /// rows.
  func remark(page: Int) -> String {
    switch content {
    case .nothing: ""
    case .loading: "loading"
    case .failed: "failed"
    case .table(let table):
      (form == .table ? "" : form.title + " · ") + movement + whereTo
        + positionText(in: table, page: page)
        + Self.cutLinks(of: table.catalog)
    }
  }

  /// Returns the position of the cursor as text. If more rows match than the page contains, the
  /// text also states their number.
  private func positionText(in table: ResultTable, page: Int) -> String {
    let answer = table.answer
    if answer.count != nil { return "count" }
    let position = position(in: table)
    let loaded = answer.table?.rows.count ?? answer.rows.count
    let text = position.text(
      isAllVisible: table.height <= page && position.count.rows == loaded && form == .table)
    guard let matches = Self.matches(beyond: position.count, of: answer) else { return text }
    return text + " · \(NumberText.grouped(matches)) rows match"
  }

  /// Returns the position of the cursor among all rows, including those that are not loaded.
  func position(in table: ResultTable) -> RowPosition {
    let skipped = table.answer.window?.skipped ?? 0
    return RowPosition(
      row: skipped + table.rowAtCursor(cursor) + 1,
      of: showsBeginning ? .atLeast(table.answer.rows.count) : Self.count(of: table.answer))
  }

  var showsBeginning: Bool { table?.isBeginning == true }

  private static func count(of answer: Answer) -> RowPosition.Count {
    guard let window = answer.window else {
      return .exactly(answer.table?.rows.count ?? answer.rows.count)
    }
    guard let count = window.pageCount else { return .atLeast(answer.total - 1) }
    return window.isEstimate ? .about(count) : .exactly(count)
  }

  /// Returns the number of matching rows; nil if it equals the number of rows of the page.
  private static func matches(beyond count: RowPosition.Count, of answer: Answer) -> Int? {
    if case .atLeast = count { return nil }
    return answer.total == count.rows ? nil : answer.total
  }

  /// The number of rows added and removed recently, such as `2 added · 1 removed · `.
  private var movement: String {
    (addedCount > 0 ? "\(addedCount) added · " : "")
      + (removedCount > 0 ? "\(removedCount) removed · " : "")
  }

  /// The number of the row that the cursor will move to, such as `going to row 5,000 · `; otherwise
  /// empty.
  private var whereTo: String {
    rowAhead.map { "going to row \(NumberText.grouped($0)) · " } ?? ""
  }

  /// Returns a text for each link whose targets were only partly loaded.
  private static func cutLinks(of catalog: Catalog) -> String {
    (catalog.snapshot.served?.cutLinks ?? [:]).sorted { $0.key < $1.key }.map { link, count in
      let label = link.lastIndex(of: ".").map { String(link[link.index(after: $0)...]) } ?? link
      return " · first \(NumberText.grouped(count)) \(label) loaded"
    }.joined()
  }
}
