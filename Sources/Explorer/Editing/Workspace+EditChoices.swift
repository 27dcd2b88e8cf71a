import TerminalUI
import Triples

// Edits values that are chosen instead of typed.
extension Workspace {
  /// Changes a value without typing: toggles a boolean, or opens a menu if the attribute has few
  /// values.
  ///
  /// Nil if the user has to type the value.
  mutating func editByChoice(
    _ target: EditTarget, _ attribute: Attribute, _ value: Value?, in catalog: Catalog
  ) -> [Effect]? {
    func set(_ value: Value) -> PaneAction {
      .send(
        [.addTriple(.id(target.entity), attribute.id, value)],
        ChangeSummary.updated(attribute.label))
    }
    if attribute.checkedType == .boolean { return perform(set(.bool(value != .bool(true)))) }
    let values = catalog.fewValues(of: attribute)
    guard !values.isEmpty else { return nil }
    let entries = values.enumerated().map { place, other in
      MenuPane.Entry(
        key: place < 9 ? Character("\(place + 1)") : nil,
        label: TextWidth.truncated(CellText(other, of: attribute).text, to: Self.maxChoiceWidth),
        detail: other == value ? "now" : "",
        actions: other == value ? [] : [set(other)])
    }
    var rest = [
      MenuPane.Entry(key: "e", label: "another value …", actions: [.type(target, attribute)])
    ]
    if !attribute.isRequired, value != nil, value != .null {
      rest.append(MenuPane.Entry(key: "n", label: "no value", actions: [set(.null)]))
    }
    open(MenuPane("Edit \(attribute.label)", entries + rest, at: cellCorner))
    return []
  }

  private static let maxChoiceWidth = 40

  /// The position below the cell at the cursor; nil if the cell is not visible.
  private var cellCorner: Position? {
    guard tab.overlays.isEmpty, tab.focus == .results, tab.results.form == .table else {
      return nil
    }
    return cellPlace.map { Position(row: $0.row + 1, column: $0.column) }
  }
}

extension Catalog {
  /// Returns the distinct values of an attribute if it has only a few; otherwise an empty array.
  ///
  /// Reads only a sample of the entities. Always returns an empty array for a partial store.
  func fewValues(of attribute: Attribute) -> [Value] {
    guard attribute.checkedType == .string || attribute.checkedType == .number,
      !attribute.isUnique, snapshot.served == nil
    else { return [] }
    let seen = store.sampledValues(of: attribute, in: attribute.namespace)
    let count = seen.reduce(0) { $0 + $1.count }
    guard (2...Self.maxValues).contains(seen.count), count >= seen.count * Self.minRowsPerValue,
      seen.allSatisfy({ ($0.value.textValue?.utf8.count ?? 0) <= Self.maxBytes })
    else { return [] }
    return seen.map(\.value)
  }

  private static let maxBytes = 40
  private static let maxValues = 9
  /// The minimum number of sampled rows per distinct value. With fewer rows, equal values could be
  /// a coincidence.
  private static let minRowsPerValue = 4
}
