import InstaQL
import TerminalUI
import Triples

// Marking rows, and what is done to all that are marked.
extension Model {
  /// Marks the row under the cursor or lets it go, and steps to the next one.
  mutating func toggleMark() -> [Effect] {
    guard let table = tab.results.table, let chosen = tab.results.chosenEntity else {
      notice = whyNoRow
      return []
    }
    marks.toggle(table.catalog.store.id(of: chosen.entity), in: chosen.namespace)
    // In a document down is the next line, not the next row.
    _ = tab.results.handle(tab.results.isReading ? .right : .down, page: layout.resultRows)
    return []
  }

  /// The marked entities of the namespace that is shown.
  var markedEntities: [EntityHandle] { tab.results.table.map { marks.living(in: $0) } ?? [] }

  /// How many are marked, for the title of the results.
  var markedRemark: String {
    let count = markedCount
    return count == 0 ? "" : "\(NumberText.grouped(count)) marked · "
  }

  /// Those of the namespace that is shown, be they in the answer or not.
  var markedCount: Int { shownNamespace.map { marks[$0].count } ?? 0 }

  /// What can be done to the marked rows, and to marks as such.
  mutating func openMarksMenu() -> [Effect] {
    guard let table = tab.results.table, table.answer.count == nil else {
      notice = .nothingToSelect
      return []
    }
    let marked = markedEntities
    let namespace = table.answer.namespace
    var entries: [MenuPane.Entry] = []
    if !marked.isEmpty {
      if let plan = tab.composer?.plan, marked.count <= Self.mostInCondition {
        let ids = marked.map { Value.text(table.catalog.store.id(of: $0).text) }
        entries.append(
          MenuPane.Entry(
            key: "f", label: "show only them",
            wishes: [.change(plan.filter(.isIn(AttributePath(["id"]), ids)))]))
      }
      entries += [
        .init(
          key: "d", label: "delete them", detail: "asks first", wishes: [.perform(.deleteMarked)]),
        .init(key: "y", label: "copy them", wishes: [.perform(.copy)]),
        .init(key: "e", label: "write them to a file", wishes: [.perform(.export)]),
        .init(key: "u", label: "unmark them", wishes: [.mark(.nothing)]),
      ]
    }
    let rows = NumberText.grouped(table.answer.pageCount)
    entries += [
      .init(key: "a", label: "mark all rows", detail: rows, wishes: [.mark(.everything)]),
      .init(
        key: "i", label: "mark the others instead", detail: "of \(rows)", wishes: [.mark(.others)]),
    ]
    open(
      MenuPane(
        marked.isEmpty
          ? keys.line(.noneSelected)
          : "\(NumberText.grouped(marked.count)) marked of \(namespace)", entries))
    return []
  }

  /// A condition that names more would be no query that one reads.
  private static let mostInCondition = 1_000

  /// Marks rows of the answer in one go.
  mutating func mark(_ which: MarkWish) -> [Effect] {
    guard let table = tab.results.table else { return [] }
    let namespace = table.answer.namespace
    switch which {
    case .nothing:
      marks[namespace] = []
      return []
    case .everything, .others: break
    }
    guard table.answer.pageCount <= Marks.most else {
      notice = .tooManyToSelect(limit: Marks.most)
      return []
    }
    if table.answer.stretch != nil {
      return requests.begin(
        .complete(table.answer), for: .select(which, in: table.answer.plan))
    }
    mark(which, of: table.answer)
    return []
  }

  mutating func mark(_ which: MarkWish, of answer: Answer) {
    let shown = Set(answer.rows.map { answer.store.id(of: $0) })
    let marked = marks[answer.namespace]
    marks[answer.namespace] =
      which == .everything ? marked.union(shown) : marked.symmetricDifference(shown)
  }
}

/// Which rows shall be marked.
package enum MarkWish: Sendable, Equatable {
  case nothing, everything
  /// Those of the answer that are not, instead of those that are.
  case others
}
