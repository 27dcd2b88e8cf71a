import InstaQL
import TerminalUI
import Triples

// What the keys of the results pane do to the query.
extension Model {
  mutating func performInResults(_ intent: Intent) -> [Effect] {
    if results.handle(intent, page: layout.resultRows) { return [] }
    switch intent {
    case .open: return openChosen()
    case .expand: return complain(results.expand(page: layout.resultRows))
    case .fold: return complain(results.fold(page: layout.resultRows))
    case .order: return order(further: false)
    case .orderFurther: return order(further: true)
    case .filterByCell: return filterByCell(keeping: true)
    case .excludeCell: return filterByCell(keeping: false)
    case .copyCell: return copyCell()
    default:
      return complain(
        results.table == nil
          ? "The answer is still to come"
          : "This does nothing in \(listening.title): ? shows what does")
    }
  }

  private mutating func complain(_ reason: String?) -> [Effect] {
    notice = reason.map { Notice(text: $0) }
    return []
  }

  /// Goes into what the cursor is on: the entities that a link leads to, or the one of an open relation.
  private mutating func openChosen() -> [Effect] {
    guard let catalog, let (entity, namespace) = results.chosenEntity else {
      return complain("There is no row to go into")
    }
    let id = catalog.store.id(of: entity)
    guard namespace == shownNamespace else {
      return goIn(QueryPlan(namespace, condition: .compare("id", .equal, .text(id.text))))
    }
    guard let link = results.chosenLink else {
      return complain("Go to a column with → or ⇉ first: enter follows it, > opens it in place")
    }
    return goIn(Relations.plan(of: link, from: entity, in: catalog))
  }

  /// Orders by the chosen column: ascending, then descending, then not.
  private mutating func order(further: Bool) -> [Effect] {
    guard let column = results.chosenColumn, case .attribute = column.source else {
      return complain("Only a column of values orders the rows, not a link")
    }
    return changeQuery { $0.toggleOrder(AttributePath([column.label]), asFurtherKey: further) }
  }

  /// Keeps or leaves out the rows that have the value of the cell.
  private mutating func filterByCell(keeping: Bool) -> [Effect] {
    guard let catalog, let (entity, namespace) = results.chosenEntity,
      namespace == shownNamespace, let column = results.chosenColumn
    else { return complain("There is no cell to filter by") }
    switch column.source {
    case .attribute(let attribute):
      let value = catalog.store.value(entity, attribute.id) ?? .null
      if let reason = value.whyNotCompared { return complain(reason) }
      return changeQuery {
        $0 = $0.filter(.cell(AttributePath([attribute.label]), value, keeping: keeping))
      }
    case .link(let link):
      let targets = catalog.store.targets(entity, link)
      guard let target = targets.first, targets.count == 1 else {
        return complain("Only a link to one entity filters: this one leads to \(targets.count)")
      }
      let id = Value.text(catalog.store.id(of: target).text)
      return changeQuery {
        $0 = $0.filter(.cell(AttributePath([link.label, "id"]), id, keeping: keeping))
      }
    }
  }

  private mutating func copyCell() -> [Effect] {
    guard let catalog, let (entity, namespace) = results.chosenEntity,
      namespace == shownNamespace, let column = results.chosenColumn
    else { return complain("There is no cell to copy") }
    let text: String
    switch column.source {
    case .attribute(let attribute):
      let value = catalog.store.value(entity, attribute.id)
      if case .text(let plain)? = value {
        text = plain
      } else {
        text = JSONWriter.text(value ?? .null)
      }
    case .link(let link):
      text = catalog.store.targets(entity, link).map { catalog.store.id(of: $0).text }
        .joined(separator: "\n")
    }
    return [.copy(text)]
  }
}

extension ConditionNode {
  /// The condition that a cell's value makes: the same value, or any other.
  fileprivate static func cell(
    _ path: AttributePath, _ value: Value, keeping: Bool
  ) -> ConditionNode {
    value == .null ? .isNull(path, keeping) : .compare(path, keeping ? .equal : .notEqual, value)
  }
}

extension Value {
  /// Why a filter cannot compare with this value.
  fileprivate var whyNotCompared: String? {
    switch self {
    case .array, .object: "Lists and objects are not compared: no filter finds them by their value"
    case .text(let text) where text.utf8.count > TextField.longestText:
      "This text is too long to be filtered by"
    case .null, .bool, .integer, .double, .text: nil
    }
  }
}
