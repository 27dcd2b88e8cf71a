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
    if attribute.checkedType == .boolean {
      return set(attribute, to: .bool(value != .bool(true)), of: target)
    }
    guard let menu = valueMenu(of: attribute, target, now: value, in: catalog) else { return nil }
    open(menu)
    return []
  }

  /// Returns a menu of the values that an attribute can have; nil if the user has to type the value.
  ///
  /// - Parameters:
  ///   - target: The row to edit; nil for all selected rows.
  ///   - value: The present value of the row.
  func valueMenu(
    of attribute: Attribute, _ target: EditTarget?, now value: Value? = nil, in catalog: Catalog
  ) -> MenuPane? {
    let isBoolean = attribute.checkedType == .boolean
    var values = isBoolean ? [.bool(true), .bool(false)] : catalog.fewValues(of: attribute)
    guard !values.isEmpty else { return nil }
    if attribute.checkedType == .number {
      func size(_ value: Value) -> Double { value.number(of: attribute) ?? .infinity }
      values.sort { size($0) < size($1) }
    }
    let decimals = NumberText.decimals(of: values).whole
    let choices = values.map {
      (value: $0, text: CellText($0, of: attribute, .long, decimals).text)
    }
    var entries = Self.keyed(choices, areNumbers: attribute.checkedType == .number).map { choice in
      let isPresent = choice.value == value
      return MenuPane.Entry(
        key: choice.key, label: TextWidth.truncated(choice.text, to: Self.maxChoiceWidth),
        detail: isPresent ? "now" : "",
        actions: isPresent ? [] : [.set(attribute, to: choice.value, of: target)])
    }
    if !isBoolean {
      entries.append(
        MenuPane.Entry(
          key: nil, label: "another value …", detail: "type it", actions: [.type(target, attribute)]
        ))
    }
    if !attribute.isRequired, target == nil || value != nil && value != .null {
      entries.append(
        MenuPane.Entry(
          key: nil, label: "no value", actions: [.set(attribute, to: .null, of: target)]))
    }
    var menu = MenuPane(
      purpose(of: attribute, target).title, entries, at: target == nil ? nil : cellCorner)
    // A typed value must not select an entry with its letters, so no entry has a letter as its key.
    menu.typedLine = .value(target, attribute)
    return menu
  }

  /// Returns the purpose of a prompt for a value of a row; of all selected rows without a target.
  func purpose(of attribute: Attribute, _ target: EditTarget?) -> PromptPane.Purpose {
    target.map { .value($0, attribute) }
      ?? .valueOfSelected(attribute, rows: markedEntities.count)
  }

  private static let maxChoiceWidth = 40

  /// Returns values with the keys that select them, which are their positions.
  ///
  /// Numbers and values that begin with a digit have no keys, because a digit begins a typed value.
  private static func keyed(
    _ choices: [(value: Value, text: String)], areNumbers: Bool
  ) -> [(key: Character?, value: Value, text: String)] {
    if areNumbers { return choices.map { (nil, $0.value, $0.text) } }
    guard choices.contains(where: { $0.text.first?.isNumber == true }) else {
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
