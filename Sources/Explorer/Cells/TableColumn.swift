import InstaQL
import TerminalUI
import Triples

/// A column of a result table: an attribute of the entities, or one of their links.
struct TableColumn: Sendable, Hashable {
  enum Source: Sendable, Hashable {
    case attribute(Attribute)
    case link(Link)

    var label: String {
      switch self {
      case .attribute(let attribute): attribute.label
      case .link(let link): link.label
      }
    }

    var isLink: Bool { if case .link = self { true } else { false } }
  }

  /// What stays the same however wide the column is. One reference: columns are handed around for each
  /// cell that is drawn.
  private final class Origin: Sendable, Hashable {
    let source: Source
    let nested: QueryPlan?
    let isNested: Bool

    init(_ source: Source, _ nested: QueryPlan?, isNested: Bool) {
      (self.source, self.nested, self.isNested) = (source, nested, isNested)
    }

    static func == (a: Origin, b: Origin) -> Bool {
      a === b || a.source == b.source && a.nested == b.nested && a.isNested == b.isNested
    }

    func hash(into hasher: inout Hasher) { hasher.combine(source) }
  }

  private let origin: Origin
  var source: Source { origin.source }
  /// What the query asks of the entities at a link; nil where it does not follow it.
  private var nested: QueryPlan? { origin.nested }
  /// Whether the query asks for what the link leads to.
  private var isNested: Bool { origin.isNested }
  /// In terminal columns, without the gap to the next one.
  private(set) var width = 0
  /// Numbers stand on the right, their title too.
  private(set) var isRightAligned = false
  /// The same for all numbers, so that their digits stand beneath each other.
  private var grouping = NumberText.Grouping.long

  init(source: Source, nested: QueryPlan? = nil) {
    // A relation of which nothing is asked but that it comes along is shown as any other link.
    origin = Origin(
      source, nested.flatMap { $0.isPlain ? nil : $0 }, isNested: nested != nil)
  }

  var label: String { source.label }

  /// The attribute that the column shows, be it from its other end.
  var attribute: Attribute {
    switch source {
    case .attribute(let attribute): attribute
    case .link(let link): link.attribute
    }
  }

  /// The columns of a namespace: its label first, then its attributes, its key as the last of them,
  /// then its links.
  ///
  /// The id, and the key of a database that a link says better, are left out unless they were asked for
  /// by name in `fields`, or there is nothing else.
  /// Links that the plan nests are shown even where `fields` leave out the others.
  static func all(of plan: QueryPlan, in catalog: Catalog) -> [TableColumn] {
    let namespace = plan.namespace
    let fields = plan.fields
    let label = catalog.labelAttribute(of: namespace)
    var attributes = catalog.schema.attributes(of: namespace).filter { $0.valueType == .blob }
    if let index = attributes.firstIndex(where: { $0.id == label?.id }) {
      attributes.insert(attributes.remove(at: index), at: 0)
    }
    if let index = attributes.dropFirst().firstIndex(where: { $0.label == keyLabel }) {
      attributes.append(attributes.remove(at: index))
    }
    if let fields {
      let named = fields.compactMap { name in attributes.first { $0.label == name } }
      attributes = named.isEmpty ? attributes.filter { $0.label == "id" } : named
    } else if attributes.count > 1 {
      attributes.removeAll { $0.label == "id" || $0.keyOf != nil }
    }
    let links = catalog.schema.links(of: namespace).filter {
      fields == nil || plan.relation($0.label) != nil
    }
    return attributes.map { TableColumn(source: .attribute($0)) }
      + links.map { TableColumn(source: .link($0), nested: plan.relation($0.label)) }
  }

  /// What orders the rows by the column: its value, or what a link leads to by its label; nil where that
  /// has none.
  func orderPath(in catalog: Catalog) -> AttributePath? {
    switch source {
    case .attribute: AttributePath([label])
    case .link(let link):
      catalog.labelAttribute(of: link.target).map { AttributePath([label, $0.label]) }
    }
  }

  /// Whether rows in that order are in that of the column.
  func isOrdered(by path: AttributePath) -> Bool {
    path.labels.first == label && path.labels.count <= (source.isLink ? 2 : 1)
  }

  /// Takes the width that it needs to show some entities, and the side on which their values stand.
  mutating func fit(_ entities: [EntityHandle], in catalog: Catalog) {
    // The title needs room for the sign of an order as well.
    width = TextWidth.columns(of: label) + 2
    isRightAligned = false
    grouping = hasLongNumbers(entities, catalog) ? .all : .long
    for entity in entities {
      let cell = cell(of: entity, in: catalog)
      width = min(Self.widest, max(width, TextWidth.columns(of: cell.text)))
      if cell.isRightAligned { isRightAligned = true }
    }
  }

  private func hasLongNumbers(_ entities: [EntityHandle], _ catalog: Catalog) -> Bool {
    guard case .attribute(let attribute) = source, (attribute.checkedType ?? .number) == .number
    else { return false }
    return entities.contains {
      switch catalog.store.value($0, attribute.id) {
      case .integer(let number)?: number.magnitude >= NumberText.leastGrouped
      case .double(let number)?: number.magnitude >= Double(NumberText.leastGrouped)
      case .null?, .bool?, .text?, .array?, .object?, nil: false
      }
    }
  }

  /// Keeps at least the width that it had before.
  mutating func widen(to columns: Int) {
    width = max(width, columns)
  }

  mutating func setWidth(_ columns: Int) {
    width = columns
  }

  private static let widest = 32
  /// What an attribute is called that only names its entity to other files.
  private static let keyLabel = "key"

  /// What the column shows of one entity.
  func cell(of entity: EntityHandle, in catalog: Catalog) -> CellText {
    switch source {
    case .attribute(let attribute):
      CellText(catalog.store.value(entity, attribute.id), of: attribute, grouping)
    case .link(let link): linkCell(of: entity, link: link, in: catalog)
    }
  }

  /// One linked entity by its label, several by their number and the first few labels; those, and by
  /// those fields, that the query asks for.
  private func linkCell(of entity: EntityHandle, link: Link, in catalog: Catalog) -> CellText {
    guard catalog.snapshot.served == nil || nested != nil || isNested else {
      return besideCell(of: entity, link: link, in: catalog)
    }
    let targets = targets(of: entity, link, in: catalog)
    if nested?.isCount == true {
      return CellText(
        text: NumberText.grouped(targets.count), role: .number, isRightAligned: true)
    }
    if targets.isEmpty, let key = catalog.deadKey(of: entity, link) { return key }
    return linkCell(
      targets, link, count: NumberText.grouped(targets.count), in: catalog)
  }

  /// The same of a store elsewhere that the query does not ask for it: what was asked beside it, and
  /// nothing that looks like none while that is not there.
  private func besideCell(
    of entity: EntityHandle, link: Link, in catalog: Catalog
  ) -> CellText {
    guard let (targets, told) = catalog.linkedEntities(of: entity, link) else {
      return CellText(text: "…", role: .dim)
    }
    if targets.isEmpty, let key = catalog.deadKey(of: entity, link) { return key }
    return linkCell(
      targets, link, count: catalog.text(ofLinkCount: targets.count), in: told)
  }

  private func linkCell(
    _ targets: [EntityHandle], _ link: Link, count: String, in catalog: Catalog
  ) -> CellText {
    guard let first = targets.first else { return .missing }
    if link.cardinality == .one {
      return CellText(text: name(of: first, link, in: catalog) + " →", role: .link)
    }
    let labels = targets.prefix(Self.labelsShown).map { name(of: $0, link, in: catalog) }
    let rest = targets.count > Self.labelsShown ? ", …" : ""
    let text = "⇉ \(count) " + labels.joined(separator: ", ") + rest
    return CellText(text: text, role: .link)
  }

  private static let labelsShown = 3

  private func targets(
    of entity: EntityHandle, _ link: Link, in catalog: Catalog
  ) -> [EntityHandle] {
    guard let nested else { return catalog.store.targets(entity, link) }
    return Relations.entities(of: link, from: entity, asked: nested, in: catalog)
  }

  /// The fields that the query names, else the label of the namespace.
  private func name(of entity: EntityHandle, _ link: Link, in catalog: Catalog) -> String {
    let fields = (nested?.fields ?? []).compactMap { catalog.schema.attribute(link.target, $0) }
    if fields.isEmpty { return catalog.label(of: entity, in: link.target) }
    return fields.map { CellText(catalog.store.value(entity, $0.id), of: $0).text }
      .joined(separator: " · ")
  }
}
