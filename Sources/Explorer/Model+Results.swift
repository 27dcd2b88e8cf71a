import InstaQL
import Notebooks
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
    case .hideColumn, .fitColumn, .freezeColumn, .wider, .narrower: return arrange(intent)
    case .order: return order(further: false)
    case .orderFurther: return order(further: true)
    case .facets: return showFacets()
    case .filterByCell, .excludeCell: return filterByCell(intent)
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

  /// Goes into what the cursor is on: all that a link leads to, or else the entity.
  private mutating func openChosen() -> [Effect] {
    guard let catalog, let (entity, namespace) = results.chosenEntity else {
      return complain("There is no row to go into")
    }
    if namespace == shownNamespace, let link = results.chosenLink {
      return goIn(Relations.plan(of: link, from: entity, in: catalog))
    }
    open(EntityPane(catalog.store.id(of: entity), in: namespace))
    return []
  }

  /// Has the values of the chosen column counted, and shows them when they are.
  private mutating func showFacets() -> [Effect] {
    guard let table = results.table, case .attribute(let attribute)? = results.chosenColumn?.source
    else { return complain("Only a column of values is counted, not a link") }
    open(FacetsPane(attribute.label))
    return [.countValues(attribute, table.answer)]
  }

  /// What one key does to the chosen column.
  private mutating func arrange(_ intent: Intent) -> [Effect] {
    guard let table = results.table, let column = results.chosenColumn else {
      return complain("There is no column here")
    }
    var settings = table.settings
    switch intent {
    case .hideColumn:
      guard table.columns.count > 1 else {
        return complain("The last column stays: c shows others")
      }
      settings.toggleHidden(column.label)
      notice = Notice(text: "\(column.label) is hidden: c brings it back")
    case .fitColumn:
      settings.widths[column.label] =
        settings.widths[column.label] == nil ? table.fullWidth(of: column) : nil
    case .freezeColumn: settings.toggleFrozen(column.label)
    case .wider: settings.widen(column.label, from: column.width, by: 1)
    case .narrower: settings.widen(column.label, from: column.width, by: -1)
    default: break
    }
    return arrange(settings)
  }

  /// Shows the columns in another way and remembers it for the namespace.
  mutating func arrange(_ settings: ColumnSettings) -> [Effect] {
    guard let namespace = shownNamespace else { return [] }
    columns[namespace] = settings
    results.arrange(settings, page: layout.resultRows)
    refreshOverlays()
    return [.keepColumns(settings, namespace: namespace)]
  }

  /// Orders by the chosen column: ascending, then descending, then not.
  private mutating func order(further: Bool) -> [Effect] {
    guard let column = results.chosenColumn, case .attribute = column.source else {
      return complain("Only a column of values orders the rows, not a link")
    }
    return changeQuery { $0.toggleOrder(AttributePath([column.label]), asFurtherKey: further) }
  }

  /// Offers the ways to filter by the chosen cell; `excludeCell` takes one of them at once.
  private mutating func filterByCell(_ intent: Intent) -> [Effect] {
    guard let catalog, let (entity, namespace) = results.chosenEntity,
      namespace == shownNamespace, let column = results.chosenColumn
    else { return complain("There is no cell to filter by") }
    switch CellFilter.menu(column.source, of: entity, in: catalog) {
    case .failure(let reason): return complain(reason.text)
    case .success(let filters):
      if intent == .excludeCell {
        guard let filter = filters.first(where: { $0.key == "!" }) else { return [] }
        return changeQuery { $0 = $0.filter(filter.condition) }
      }
      guard let plan = composer?.plan else { return [] }
      open(
        MenuPane(
          "Filter by \(column.label)",
          filters.map { filter in
            MenuPane.Entry(
              key: filter.key, label: filter.condition.text,
              wishes: [.change(plan.filter(filter.condition))])
          }))
      return []
    }
  }
}
