import InstaQL
import LiveQueries
import Triples

// Reads linked rows level by level.
extension PlanExecutor {
  /// Reads the linked rows of entities along the given links, level by level.
  mutating func follow(
    _ ways: IncludedLinks, from entities: [EntityHandle], in namespace: String
  ) throws {
    for (label, further) in ways.links.sorted(by: { $0.key < $1.key }) {
      guard let link = shape.schema.link(namespace, label) else { continue }
      let reached = try read(
        link, from: entities, Portion(all: further.maxRows, nested: further.nested, isAsked: true))
      if !further.links.isEmpty, !reached.isEmpty {
        try follow(further, from: reached, in: link.target)
      }
    }
  }

  /// The linked rows to read for each entity, along one link.
  struct Portion {
    var all = Int.max
    var withValues = Int.max
    /// The plan of the linked rows; nil if all linked rows are needed.
    var nested: QueryPlan?
    /// Whether the query itself includes the linked rows. Otherwise only the screen needs them.
    var isAsked = false
  }

  /// The maximum number of linked rows read per entity and link; nil reads all.
  private var maxLinkedRows: Int? {
    shape.limits.map { view.window == nil ? $0.linkedRows : $0.linkedRowsShown }
  }

  /// Reads the target rows of a link, starting from the given entities, in the order of creation.
  @discardableResult
  mutating func read(
    _ link: Link, from entities: [EntityHandle], _ portion: Portion
  ) throws -> [EntityHandle] {
    if portion.isAsked, shape.names.namespace(link.target) == nil {
      throw QueryError.notInSQL(
        path: "\(link.reversed.target).\(link.label)", reason: "the linked rows have no ids")
    }
    guard !entities.isEmpty, let near = shape.names.namespace(link.reversed.target),
      !near.ids.areByPosition,
      let far = shape.names.namespace(link.target),
      let reader = RowReader(far, in: answer.store, maxBytes: maxBytes, spelling: spelling)
    else { return [] }
    // Reading one row more than the limit shows whether rows are left out.
    let limit = maxLinkedRows.map { min(portion.all, $0 + 1) }
    let text = try link.sqlRows(
      shape.dialect, schema: shape.schema, names: shape.sql, nested: portion.nested, limit: limit,
      total: shape.limits.map { $0.rows + 1 }
    ) { reader.selected(of: $0) }
    let byLocator = self.byLocator(entities, near)
    let statement = try db.rows(
      of: SQLStatement(
        text: text.text, values: values(of: Array(byLocator.keys), near.ids) + text.values),
      isRepeated: true)
    let first = Int32(near.ids.locatorCount)
    var counts: [EntityHandle: Int] = [:]
    var reached = RowSet()
    var total = 0
    while try statement.step() {
      guard let from = byLocator[near.ids.locator(statement)] else { continue }
      total += 1
      if let limits = shape.limits, total > limits.rows {
        try recordCut(
          .linkedTogether(link.label, of: near.table.name, limit: limits.rows), limits.rows,
          link, portion)
        break
      }
      let count = counts[from, default: 0] + 1
      if count > portion.all { continue }
      if let maxLinkedRows, count > maxLinkedRows {
        try recordCut(
          .linked(link.label, of: near.table.name, limit: maxLinkedRows), maxLinkedRows, link,
          portion)
        continue
      }
      counts[from] = count
      let to = reader.readEntity(statement, first, into: &answer.store)
      if let key = reader.ids.key(statement, first) { answer.keys[to] = key }
      if count <= portion.withValues, answer.loaded[link.target]?.contains(to) != true {
        reader.readValues(of: to, statement, first, into: &answer.store)
        answer.loaded[link.target, default: RowSet()].insert(to)
      }
      reached.insert(to)
      let (source, target) = link.direction == .forward ? (from, to) : (to, from)
      answer.store.insert(
        target: target, of: source, link.attribute.id,
        at: answer.store.createdAt(source, in: link.attribute.namespace))
    }
    return reached.handles
  }

  private func byLocator(
    _ entities: [EntityHandle], _ near: DatabaseNames.Namespace
  ) -> [RowLocator: EntityHandle] {
    Dictionary(
      entities.compactMap { entity in locator(of: entity, near).map { ($0, entity) } },
      uniquingKeysWith: { $1 })
  }

  /// Records that linked rows were left out, so that the screen can say so.
  ///
  /// - Throws: `limit` if the answer must be complete.
  private mutating func recordCut(
    _ limit: AnswerLimit, _ count: Int, _ link: Link, _ portion: Portion
  ) throws {
    if portion.isAsked, view.window == nil { throw limit }
    answer.cutLinks["\(link.reversed.target).\(link.label)"] = count
  }

  /// Returns the locator of an entity's row; nil if the row was not read.
  func locator(
    of entity: EntityHandle, _ namespace: DatabaseNames.Namespace
  ) -> RowLocator? {
    if namespace.ids.number == nil { return answer.keys[entity].map { .key($0) } }
    return .number(answer.store.createdAt(entity, in: namespace.table.name))
  }
}
