import InstaQL
import Triples
import Widgets

/// A filter by the value of a cell, with the key that chooses the filter in a menu.
struct CellFilter: Equatable {
  let key: Character
  /// Another key that chooses the filter; nil if there is none.
  var otherKey: Character?
  let condition: ConditionNode

  func isChosen(by key: Character) -> Bool { key == self.key || key == otherKey }

  /// Whether the key begins a comparison with another value, which the user types.
  var isTyped: Bool { key == ">" || key == "<" || isPart }

  /// Whether the filter finds a part of a text.
  private var isPart: Bool { key == "~" }

  /// The condition as text, with its value selected. The wildcards around a part of a text are not
  /// selected.
  ///
  /// - Parameter prefix: The text before the condition.
  func field(after prefix: String) -> TextField {
    let edge = isPart ? Self.wildcardAndQuote : 0
    let text = prefix + condition.text
    var field = TextField(
      beforeCursor: String(text.dropLast(edge)), afterCursor: String(text.suffix(edge)))
    field.select(from: text.count - condition.operandLength + edge)
    return field
  }

  private static let wildcardAndQuote = 2

  /// Returns the filters that make sense for a cell's value, the most useful ones first.
  static func menu(
    _ source: ColumnSource, of entity: EntityHandle, in catalog: Catalog
  ) -> Result<[CellFilter], Rejection> {
    guard let link = source.link else {
      let value = source.value(of: entity, in: catalog.store) ?? .null
      if let reason = value.whyNotCompared { return .failure(Rejection(reason)) }
      return .success(menu(source.path, value, source.type))
    }
    guard let targets = catalog.targets(of: entity, link) else {
      return .failure(Rejection(.loadingLink(link.label)))
    }
    guard let target = targets.entities.first, targets.entities.count == 1 else {
      return .success(nullFilters(source.path))
    }
    let linked = targets.catalog
    let (found, value) = catalog.finding(target, from: entity, link, in: linked)
    var filters = [
      CellFilter(key: "=", condition: .compare(found, .equal, value)),
      CellFilter(key: "!", condition: .compare(found, .notEqual, value)),
    ]
    if let label = linked.schema.labelAttribute(of: link.target),
      case .text(let name)? = linked.store.value(target, label.id)
    {
      let label = AttributePath([link.label, label.label])
      let named = CellFilter(key: ".", condition: .compare(label, .equal, .text(name)))
      if !filters.contains(where: { $0.condition == named.condition }) { filters.append(named) }
    }
    return .success(filters + nullFilters(source.path))
  }

  /// Returns the filters that make sense for the value of a group or an aggregate.
  static func menu(_ cell: GroupCell, in schema: Schema) -> Result<[CellFilter], Rejection> {
    if let reason = cell.value.whyNotCompared { return .failure(Rejection(reason)) }
    guard case .entities(let namespace) = cell.kind else {
      return .success(menu(cell.path, cell.value, cell.kind.type))
    }
    if cell.value == .null { return .success(nullFilters(cell.path, "=", "!")) }
    let id = AttributePath(cell.path.labels + [schema.identityLabel(of: namespace)])
    return .success(
      [
        CellFilter(key: "=", condition: .compare(id, .equal, cell.value)),
        CellFilter(key: "!", condition: .compare(id, .notEqual, cell.value)),
      ] + nullFilters(cell.path))
  }

  /// Returns an `in` condition with the values that `entities` have in a column.
  ///
  /// Values that cannot be compared are omitted. Nil if no values remain, if they are too many for
  /// a list, or if targets of a link are not loaded.
  static func list(
    _ source: ColumnSource, of entities: [EntityHandle], in catalog: Catalog
  ) -> ConditionNode? {
    var path = source.path
    var values = entities.compactMap { source.value(of: $0, in: catalog.store) }
    if let link = source.link {
      let linked = entities.compactMap { entity in
        catalog.targets(of: entity, link).map { (entity, $0.entities, $0.catalog) }
      }
      guard linked.count == entities.count else { return nil }
      let found = linked.flatMap { entity, targets, linked in
        targets.map { target in
          uniqueName(of: target, of: link, in: linked)
            ?? catalog.finding(target, from: entity, link, in: linked)
        }
      }
      // Rows with a key and rows without a key need different paths.
      guard let first = found.first?.path, found.allSatisfy({ $0.path == first }) else {
        return nil
      }
      path = first
      values = found.map(\.value)
    }
    values = values.filter { $0.whyNotCompared == nil }.uniqued
    guard !values.isEmpty, values.count <= maxListed else { return nil }
    return .isIn(path, values)
  }

  private static let maxListed = 100

  /// Returns the path from a link to the label of its targets, and the label of one target. Nil if
  /// the label is not unique.
  private static func uniqueName(
    of target: EntityHandle, of link: Link, in catalog: Catalog
  ) -> (path: AttributePath, value: Value)? {
    guard let attribute = catalog.schema.labelAttribute(of: link.target), attribute.isUnique,
      let name = catalog.store.value(target, attribute.id), name != .null
    else { return nil }
    return (AttributePath([link.label, attribute.label]), name)
  }

  private static func menu(
    _ path: AttributePath, _ value: Value, _ type: CheckedType?
  ) -> [CellFilter] {
    var filters: [CellFilter] = []
    func add(_ key: Character, _ condition: ConditionNode) {
      filters.append(CellFilter(key: key, condition: condition))
    }
    // In a cell without a value, the keys of the value find the cells without and with one.
    if value == .null { return nullFilters(path, "=", "!") }
    add("=", .compare(path, .equal, value))
    add("!", .compare(path, .notEqual, value))
    if value.isOrdered {
      add(">", .compare(path, .greater, value))
      add("<", .compare(path, .less, value))
    }
    // Dates are compared as instants and do not match patterns.
    if case .text(let text) = value, type != .date {
      add(
        "~",
        .compare(
          path, .ilike, .text("%" + WhereOperator.escapingWildcards(String(text.prefix(80))) + "%"))
      )
    }
    return filters + nullFilters(path)
  }

  /// Returns the filters that are the same in all cells of a column.
  private static func nullFilters(
    _ path: AttributePath, _ without: Character? = nil, _ with: Character? = nil
  ) -> [CellFilter] {
    [
      CellFilter(key: "_", otherKey: without, condition: .isNull(path, true)),
      CellFilter(key: "*", otherKey: with, condition: .isNull(path, false)),
    ]
  }
}

extension Value {
  /// The reason why filters cannot compare cells with this value; nil if they can.
  fileprivate var whyNotCompared: Notice? {
    switch self {
    case .array, .object: .notFilterable
    case .text(let text) where text.utf8.count > TextField.maxTextBytes: .textTooLongToFilter
    case .null, .bool, .integer, .double, .text: nil
    }
  }

  /// Whether the value can be compared with `<` and `>`.
  fileprivate var isOrdered: Bool {
    switch self {
    case .integer, .double, .text: true
    case .null, .bool, .array, .object: false
    }
  }
}

extension ConditionNode {
  /// The number of characters after the comparison operator.
  fileprivate var operandLength: Int {
    let sign = QuerySpan.spans(of: text, isCondition: true).last { $0.kind == .comparison }
    guard let sign else { return 0 }
    let operand = String(decoding: text.utf8.dropFirst(sign.range.upperBound), as: UTF8.self)
    return operand.drop { $0 == " " }.count
  }
}
