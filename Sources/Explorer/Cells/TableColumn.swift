import InstaQL
import Notebooks
import TerminalUI
import Triples

/// A column of a result table: an attribute of the entities, one of their links, a computed value, or
/// a value of groups.
struct TableColumn: Sendable, Hashable {
  /// The properties of a column that do not depend on its width.
  ///
  /// It is a class, since columns are copied for each cell.
  private final class Origin: Sendable, Hashable {
    let label: String
    let source: ColumnSource?
    let kind: Answer.ColumnKind
    let nested: QueryPlan?
    let isNested: Bool

    init(
      _ label: String, _ source: ColumnSource?, _ kind: Answer.ColumnKind,
      _ nested: QueryPlan? = nil, isNested: Bool = false
    ) {
      (self.label, self.source, self.kind) = (label, source, kind)
      (self.nested, self.isNested) = (nested, isNested)
    }

    static func == (a: Origin, b: Origin) -> Bool {
      a === b
        || a.label == b.label && a.source == b.source && a.kind == b.kind && a.nested == b.nested
          && a.isNested == b.isNested
    }

    func hash(into hasher: inout Hasher) { hasher.combine(label) }
  }

  private let origin: Origin
  /// What the column shows of entities; nil for a column of groups.
  var source: ColumnSource? { origin.source }
  /// The nested query for the column's link; nil if the main query does not include the link.
  private var nested: QueryPlan? { origin.nested }
  /// Whether the query includes the targets of the link.
  private var isNested: Bool { origin.isNested }
  /// The width for the title and for the cells measured so far.
  private(set) var fit = ColumnFit(title: 0, limit: 0)
  /// The digit grouping of all numbers in the column. The same grouping in all cells keeps their
  /// digits aligned.
  private(set) var grouping = NumberText.Grouping.long
  /// The rule for decimals: `few` or `equal` in a table on the screen, otherwise `all`.
  private(set) var decimals = NumberText.Decimals.all

  init(source: ColumnSource, nested: QueryPlan? = nil) {
    // A relation included without fields or clauses is shown like any other link.
    origin = Origin(
      source.label, source, source.kind, nested.flatMap { $0.isPlain ? nil : $0 },
      isNested: nested != nil)
  }

  /// Returns the columns of the groups or aggregate values of an answer; empty if it has entities.
  static func ofGroups(in answer: Answer) -> [TableColumn] {
    zip(answer.table?.columns ?? [], answer.columnKinds).map { TableColumn(label: $0, kind: $1) }
  }

  private init(label: String, kind: Answer.ColumnKind) { origin = Origin(label, nil, kind) }

  var label: String { origin.label }

  var link: Link? { source?.link }
  var isLink: Bool { link != nil }

  /// The width in terminal columns, without the gap to the next column.
  var width: Int { fit.width }

  /// The attribute that stores the column's values or links; nil for computed values.
  var attribute: Attribute? { source?.storedAttribute }

  /// Returns the columns of a namespace: its label, other attributes, its keys, then its links.
  ///
  /// Columns that `fields` name come first, in their order. The id, and a foreign key that a link
  /// represents, are omitted unless `fields` name them or there are no other columns. Links that
  /// the plan includes are shown even if `fields` omit them.
  static func all(of plan: QueryPlan, in catalog: Catalog) -> [TableColumn] {
    let namespace = plan.namespace
    let attributes = inColumnOrder(
      catalog.schema.attributes(of: namespace),
      label: catalog.schema.labelAttribute(of: namespace), catalog)
    let usual =
      attributes.count > 1
      ? attributes.filter { !$0.isIdentity && $0.keyOf == nil } : attributes
    let links = catalog.schema.links(of: namespace)
    let computed = plan.preparedColumns(of: namespace, in: catalog.schema)
    var named = plan.namedColumns.flatMap { column -> [TableColumn] in
      switch column {
      case .all: usual.map { TableColumn(source: .attribute($0)) }
      case .attribute(let name):
        attributes.filter { $0.label == name }.map { TableColumn(source: .attribute($0)) }
      case .computed(let name):
        computed.filter { $0.name == name }.map { TableColumn(source: .computed($0)) }
      case .relation(let relation):
        links.filter { $0.label == relation.label }.map {
          TableColumn(source: .link($0), nested: relation.plan)
        }
      }
    }
    if named.allSatisfy(\.isLink), !plan.selectsAll {
      named = attributes.filter(\.isIdentity).map { TableColumn(source: .attribute($0)) } + named
    }
    let placed = Set(named.filter(\.isLink).map(\.label))
    return named
      + links.filter {
        !placed.contains($0.label) && (plan.selectsAll || plan.relation($0.label) != nil)
      }.map { TableColumn(source: .link($0), nested: plan.relation($0.label)) }
  }

  /// Returns the path that sorts by the column: its attribute, the number of a link's targets, or
  /// the label of its only target. Nil if there is no such path.
  func orderPath(in catalog: Catalog) -> AttributePath? {
    switch source {
    case .attribute?: AttributePath([label])
    case .computed(let column)?: column.orderPath
    case .link(let link)? where link.cardinality == .many:
      OrderKey.count(of: AttributePath([label]))
    case nil: AttributePath(label)
    case .link(let link)?:
      catalog.schema.labelAttribute(of: link.target).map { AttributePath([label, $0.label]) }
    }
  }

  /// Returns whether a sort key with this path sorts by the column.
  func isOrdered(by path: AttributePath) -> Bool {
    switch source {
    case .computed(let column)?: path.dotted == label || path == column.computedPath
    case .attribute?, .link?:
      path.labels.first == label && path.labels.count <= (isLink ? 2 : 1)
    case nil: path.dotted == label
    }
  }

  /// Returns the arrow for the sort direction, and the rank among several sort keys. Empty if the
  /// rows are not sorted by the column.
  func sign(in order: [OrderKey]) -> String {
    guard let rank = order.firstIndex(where: { isOrdered(by: $0.path) }) else { return "" }
    return order[rank].sign + (order.count > 1 ? "\(rank + 1)" : "")
  }

  /// Returns the title with the arrow for the sort direction.
  func title(in order: [OrderKey], _ role: Role) -> CellText {
    CellText(
      text: sign(in: order) + label, role: role, isRightAligned: fit.isRightAligned)
  }

  /// Prepares the column for a table on the screen, before cells are measured.
  ///
  /// - Parameters:
  ///   - values: The values that determine the format of numbers.
  ///   - parts: Some of the values that the column averages; empty for other columns.
  mutating func begin(
    in order: [OrderKey], sample values: [Value], averaging parts: [Value] = []
  ) {
    // A column of groups always has room for the arrow.
    let mark = max(TextWidth.columns(of: sign(in: order)), source == nil ? 1 : 0)
    fit = ColumnFit(title: mark + TextWidth.columns(of: label), limit: maxWidth)
    groupDigits(of: values)
    decimals = NumberText.decimals(of: values, averaging: parts)
  }

  /// Groups the digits of all numbers in the column if those of one of `values` are grouped.
  mutating func groupDigits(of values: [Value]) {
    // A count is never a year.
    grouping = origin.kind == .counts || values.contains(where: NumberText.isLong) ? .all : .long
  }

  /// Adopts the width of the same column in an earlier answer to the same query.
  ///
  /// - Parameter isPart: Whether the answer contains only the rows in view. Its long numbers may
  ///   then be out of view, so the grouping is kept.
  mutating func adopt(_ before: TableColumn, isPart: Bool) {
    fit = before.fit
    if isPart, before.grouping == .all { grouping = .all }
    if case (.equal(let old), .equal(let new)) = (before.decimals, decimals) {
      decimals = .equal(max(old, new))
    }
  }

  /// A copy that shows all decimals and does not depend on the rows in view.
  var unfitted: TableColumn { TableColumn(origin: origin) }

  private init(origin: Origin) { self.origin = origin }

  /// Widens the column for a cell.
  mutating func grow(for cell: CellText) { fit.grow(for: cell.text, isNumber: cell.isRightAligned) }

  /// Returns the values of entities in the column; none if they cannot be numbers.
  func numbers(of entities: [EntityHandle], _ catalog: Catalog) -> [Value] {
    guard let source, !source.isLink, (source.type ?? .number) == .number else { return [] }
    return entities.compactMap { source.value(of: $0, in: catalog.store) }
  }

  /// Widens the column to at least a width.
  mutating func reserve(_ columns: Int) { fit.reserve(columns) }

  /// Applies the width that the user set for the column. Without one, the width fits the cells.
  mutating func obey(_ settings: ColumnSettings) {
    fit.fixed = settings.widths[label].map { min(max(Self.minWidth, $0), Self.maxUserWidth) }
  }

  /// The maximum width of the column, in terminal columns, unless the user sets another.
  private var maxWidth: Int {
    switch source {
    case .attribute?, .computed?: 32
    case .link?: 20
    case nil: 40
    }
  }

  func cell(of entity: EntityHandle, in catalog: Catalog) -> CellText {
    if let link { return linkCell(of: entity, link: link, in: catalog) }
    return cell(source?.value(of: entity, in: catalog.store), in: catalog)
  }

  /// Returns the cell of a value of the column: of an entity or a group.
  func cell(_ value: Value?, in catalog: Catalog) -> CellText {
    switch origin.kind {
    case .values(let attribute): return CellText(value, of: attribute, grouping, decimals)
    case .counts, .numbers: return CellText(value, of: nil, grouping, decimals)
    case .entities(let namespace):
      // The group of entities whose link has no target has no label.
      guard case .text(let id)? = value, let entity = catalog.store.handle(of: EntityID(id)) else {
        return .null
      }
      return CellText(text: catalog.label(of: entity, in: namespace), role: .link)
    }
  }

  /// Returns the cell in a file: the value as stored, or the whole labels of all targets, joined by
  /// semicolons.
  func exported(_ entity: EntityHandle, in catalog: Catalog) -> FlatTable.Cell {
    switch source {
    case .attribute(let attribute)?:
      return FlatTable.Cell(catalog.store.value(entity, attribute.id), of: attribute)
    case .computed?, nil:
      return FlatTable.Cell(source?.value(of: entity, in: catalog.store))
    case .link(let link)?:
      guard let targets = targets(of: entity, link, in: catalog) else { return .missing }
      if nested?.isCount == true { return .number(String(targets.entities.count)) }
      if targets.entities.isEmpty {
        return catalog.keyText(of: entity, link).map { .text($0) } ?? .missing
      }
      let labels = targets.entities.map { name(of: $0, link, in: targets.catalog, isWhole: true) }
      return .text((labels + (targets.isCut ? ["…"] : [])).joined(separator: "; "))
    }
  }

  /// Returns the cell of a link: the label of one target, or the count and the first labels of
  /// several.
  ///
  /// If the query includes the link, the query determines the targets and their fields.
  private func linkCell(of entity: EntityHandle, link: Link, in catalog: Catalog) -> CellText {
    guard let targets = targets(of: entity, link, in: catalog) else {
      return CellText(text: "…", role: .dim)
    }
    if nested?.isCount == true {
      return CellText(text: targets.countText, role: .number, isRightAligned: true)
    }
    guard let first = targets.entities.first else {
      return catalog.danglingReference(of: entity, link) ?? .missing
    }
    if link.cardinality == .one {
      let name = name(of: first, link, in: targets.catalog)
      return CellText(text: name + " →", role: .link, spoken: name)
    }
    let labels = targets.entities.prefix(Self.labelsShown).map {
      name(of: $0, link, in: targets.catalog)
    }
    let rest = targets.entities.count > Self.labelsShown ? ", …" : ""
    // The colon separates the count from a label that begins with a number.
    let spoken = "\(targets.countText): " + labels.joined(separator: ", ") + rest
    return CellText(text: "⇉ " + spoken, role: .link, spoken: spoken)
  }

  private static let labelsShown = 3

  /// Returns the targets that the query includes, or else those that a side query loads. Nil until
  /// the side query is answered, so that the cell does not look empty.
  private func targets(
    of entity: EntityHandle, _ link: Link, in catalog: Catalog
  ) -> LinkTargets? {
    guard !catalog.isServed || isNested else {
      return catalog.linkedEntities(of: entity, link)
    }
    let targets =
      nested.map { Relations.entities(of: link, from: entity, plan: $0, in: catalog) }
      ?? catalog.store.targets(entity, link)
    return LinkTargets(targets, in: catalog, of: link)
  }

  /// Returns the values of the selected fields; the label of the entity if the query selects none.
  ///
  /// - Parameter isWhole: Whether values are as stored and labels complete, as in a file.
  private func name(
    of entity: EntityHandle, _ link: Link, in catalog: Catalog, isWhole: Bool = false
  ) -> String {
    let fields = (nested?.fields ?? []).compactMap { catalog.schema.attribute(link.target, $0) }
    if fields.isEmpty { return catalog.label(of: entity, in: link.target, isWhole: isWhole) }
    return fields.map { field in
      let value = catalog.store.value(entity, field.id)
      return isWhole ? FlatTable.Cell(value, of: field).text : CellText(value, of: field).text
    }.joined(separator: " · ")
  }
}

extension [TableColumn] {
  /// Returns the links of these columns that the query does not include, so that their targets are
  /// loaded by side queries.
  func links(besides plan: QueryPlan) -> [Link] {
    compactMap(\.link).filter { plan.relation($0.label) == nil }
  }
}
