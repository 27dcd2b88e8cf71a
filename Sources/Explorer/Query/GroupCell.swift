import InstaQL
import Triples
import Widgets

/// The clause of a query to which the filter by a cell is added.
enum FilterClause: Equatable {
  /// The condition on the rows.
  case filter
  /// The condition on the groups.
  case having

  var purpose: PromptPane.Purpose { self == .filter ? .filter([]) : .having }
}

/// A cell in the table of groups.
struct GroupCell: Equatable {
  /// The clause that filters by the value: that of the rows for a group, that of the groups for an
  /// aggregate.
  let clause: FilterClause
  /// The path of the column in that clause.
  let path: AttributePath
  let value: Value
  let kind: Answer.ColumnKind
}

extension Answer.ColumnKind {
  /// The type of the values; nil if it is unknown.
  var type: CheckedType? {
    if case .values(let attribute) = self { attribute.checkedType } else { nil }
  }
}

extension ResultsPane {
  /// The cell of a group at the cursor; nil if there are no groups.
  var chosenGroupCell: GroupCell? {
    guard let answer = table?.answer, let rows = answer.table?.rows,
      rows.indices.contains(cursor.index), rows[cursor.index].indices.contains(column),
      let label = chosenColumn?.label
    else { return nil }
    let group = answer.groupPath(ofColumn: column)
    return GroupCell(
      clause: group == nil ? .having : .filter, path: group ?? AttributePath(label),
      value: rows[cursor.index][column], kind: answer.columnKinds[column])
  }
}
