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
    let choices = catalog.fewValues(of: attribute).map { other in
      (value: other, text: CellText(other, of: attribute).text)
    }
    guard !choices.isEmpty else { return nil }
    let entries = Self.keyed(choices, areNumbers: attribute.checkedType == .number).map { choice in
      MenuPane.Entry(
        key: choice.key, label: TextWidth.truncated(choice.text, to: Self.maxChoiceWidth),
        detail: choice.value == value ? "now" : "",
        actions: choice.value == value ? [] : [set(choice.value)])
    }
    var rest = [
      MenuPane.Entry(
        key: nil, label: "another value …", detail: "type it", actions: [.type(target, attribute)])
    ]
    if !attribute.isRequired, value != nil, value != .null {
      rest.append(MenuPane.Entry(key: nil, label: "no value", actions: [set(.null)]))
    }
    var menu = MenuPane("Edit \(attribute.label)", entries + rest, at: cellCorner)
    // A typed value must not select an entry with its letters, so no entry has a letter as its key.
    menu.typedLine = .value(target, attribute)
    open(menu)
    return []
  }

  private static let maxChoiceWidth = 40

  /// Returns values with the keys that select them, which are their positions.
  ///
  /// Values that begin with a digit have no keys, because a digit begins a typed value.
  private static func keyed(
    _ choices: [(value: Value, text: String)], areNumbers: Bool
  ) -> [(key: Character?, value: Value, text: String)] {
    guard areNumbers || choices.contains(where: { $0.text.first?.isNumber == true }) else {
      return choices.enumerated().map { place, choice in
        (MenuPane.Entry.key(ofPlace: place), choice.value, choice.text)
      }
    }
    return choices.sorted { ($0.text.count, $0.text) < ($1.text.count, $1.text) }
      .map { (nil, $0.value, $0.text) }
  }

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
