import InstaQL
import Triples

/// Writes the triples that a client needs to compute an answer with its own query engine.
///
/// For each entity of the answer, it writes the entity's values and the links that the query
/// includes. For each entity with an id triple in the output, it also writes the values and links
/// that conditions and sort keys read, because the client evaluates these again.
///
/// Clients treat every entity with an id triple as a possible row. So entities on the path of a
/// condition are written without an id triple. An exception is a condition that tests whether a
/// value is missing, because clients test it only on entities with an id triple.
struct JoinRowsWriter: ~Copyable {
  private let store: TripleStore
  private var output = JSONOutput(capacity: 4096)
  private var isFirst = true
  /// For each attribute, by its column, the entities whose values are already written.
  private var values: [Int: RowSet] = [:]
  /// For each attribute, by its column, the links that are already written. The upper half of each
  /// number is the source's row, the lower half the target's row.
  private var links: [Int: Set<UInt64>] = [:]
  /// For each namespace, the entities that have an id triple in the output.
  private var members: [String: RowSet] = [:]
  private var levels: [Level] = []
  private let maxBytes: Int

  /// One level of the query: the query itself, or a nested relation.
  private struct Level {
    let plan: QueryPlan
    let namespace: String
    /// The attribute paths that conditions and sort keys read.
    let paths: Set<AttributePath>
    /// The attribute paths in conditions that can also be true if the value is missing.
    let openPaths: Set<AttributePath>
    var rowsWithEvidence = RowSet()
  }

  private init(_ store: TripleStore, maxBytes: Int) {
    self.store = store
    self.maxBytes = maxBytes
  }

  /// Writes the nodes of a result as JSON, for `result` or `instaql-result`.
  ///
  /// - Throws: An error of the query engine, for example if the result exceeds the limit.
  static func text(
    _ answers: [Answer], maxBytes: Int = 128 << 20
  ) throws(QueryError) -> String {
    guard let store = answers.first?.store else { return empty }
    var writer = JoinRowsWriter(store, maxBytes: maxBytes)
    writer.output.append("[{\"data\":{\"datalog-result\":{\"join-rows\":[[")
    for answer in answers where !answer.plan.isCount {
      try writer.add(answer.plan, of: answer.namespace, RowSet(answer.rows))
    }
    try writer.writeEvidence()
    writer.output.append("]]}")
    writer.writePages(answers)
    writer.writeCounts(answers)
    writer.output.append("},\"child-nodes\":[]}]")
    return writer.output.text
  }

  private static let empty =
    #"[{"data":{"datalog-result":{"join-rows":[[]]},"aggregate":{}},"child-nodes":[]}]"#

  // MARK: Entities of the answer

  /// Writes the entities of one level of the query. Then it writes the entities of the level's
  /// relations, recursively.
  private mutating func add(
    _ plan: QueryPlan, of namespace: String, _ rows: RowSet
  ) throws(QueryError) {
    levels.append(
      Level(
        plan: plan, namespace: namespace, paths: Self.paths(of: plan),
        openPaths: plan.condition?.openPaths ?? []))
    for attribute in fields(plan, namespace) { try write(attribute, of: rows) }
    members[namespace, default: RowSet()].formUnion(rows)
    for relation in plan.relations {
      guard let link = store.schema.link(namespace, relation.label) else { continue }
      var inner = relation.plan
      inner.namespace = link.target
      let reached = self.reached(along: link, from: rows)
      let prepared = try QueryEngine.prepare(inner, store.schema)
      let matches = try QueryEngine.matches(prepared, among: reached, in: store)
      try write(link, from: rows, to: matches)
      try add(inner, of: link.target, matches)
    }
  }

  /// Returns the attributes to write. They always include the id, even if it is internal, and a
  /// database's own column `id`, which is part of every object.
  private func fields(_ plan: QueryPlan, _ namespace: String) -> [Attribute] {
    let all = store.schema.allAttributes(of: namespace)
    guard let wanted = plan.fields else { return all }
    let shown = store.schema.shownID(of: namespace)
    return all.filter { $0.isIdentity || $0.id == shown?.id || wanted.contains($0.label) }
  }

  private static func paths(of plan: QueryPlan) -> Set<AttributePath> {
    var paths: Set<AttributePath> = []
    plan.condition?.forEachPath { paths.insert($0) }
    for key in plan.order where !key.isCreation { paths.insert(key.path) }
    return paths
  }

  // MARK: Values that conditions read

  /// Writes the values and links that conditions and sort keys read, for each entity in `members`.
  /// Following a path can add members, so this is repeated until no new ones are added.
  private mutating func writeEvidence() throws(QueryError) {
    var isDone = false
    while !isDone {
      isDone = true
      for place in levels.indices {
        let level = levels[place]
        let new = (members[level.namespace] ?? RowSet()).subtracting(level.rowsWithEvidence)
        if new.isEmpty { continue }
        isDone = false
        levels[place].rowsWithEvidence.formUnion(new)
        for path in level.paths.sorted(by: { $0.dotted < $1.dotted }) {
          let isOpen = level.openPaths.contains(path)
          try follow(path, of: level.namespace, from: new, isOpen: isOpen)
        }
      }
    }
  }

  private mutating func follow(
    _ path: AttributePath, of namespace: String, from rows: RowSet, isOpen: Bool
  ) throws(QueryError) {
    var namespace = namespace
    var rows = rows
    for label in path.links {
      guard let link = store.schema.link(namespace, label) else { return }
      try write(link, from: rows, to: nil)
      rows = reached(along: link, from: rows)
      namespace = link.target
      if isOpen, let identity = store.schema.identity(of: namespace) {
        try write(identity, of: rows)
        members[namespace, default: RowSet()].formUnion(rows)
      }
    }
    if let attribute = store.schema.attribute(namespace, path.label), attribute.valueType == .blob {
      try write(attribute, of: rows)
      if attribute.isIdentity {
        members[namespace, default: RowSet()].formUnion(rows)
      }
    } else if let link = store.schema.link(namespace, path.label) {
      try write(link, from: rows, to: nil)
    }
  }

  private func reached(along link: Link, from rows: RowSet) -> RowSet {
    switch link.direction {
    case .forward: store.targets(link.attribute.id, of: rows)
    case .reverse: store.sources(link.attribute.id, pointingTo: rows)
    }
  }

  // MARK: Triples

  private mutating func write(
    _ attribute: Attribute, of rows: RowSet
  ) throws(QueryError) {
    guard let column = store.column(of: attribute.id) else { return }
    let new = rows.subtracting(values[column] ?? RowSet())
    values[column, default: RowSet()].formUnion(new)
    for entity in new {
      try checkSize()
      if attribute.cardinality == .many {
        for value in store.values(entity, attribute.id) {
          begin(entity, attribute)
          output.write(value)
          end(entity, attribute)
        }
        continue
      }
      // If no triples follow, the beginning of the list is removed from the output again.
      let start = output.count
      let wasFirst = isFirst
      begin(entity, attribute)
      if store.write(entity, column: column, into: &output) {
        end(entity, attribute)
      } else {
        output.removeLast(output.count - start)
        isFirst = wasFirst
      }
    }
    try checkSize()
  }

  /// Writes the links of these entities. If `matches` is not nil, writes only links to entities in
  /// `matches`.
  private mutating func write(
    _ link: Link, from rows: RowSet, to matches: RowSet?
  ) throws(QueryError) {
    guard let column = store.column(of: link.attribute.id) else { return }
    for near in rows {
      for far in store.targets(near, link) where matches?.contains(far) != false {
        let (source, target) = link.direction == .forward ? (near, far) : (far, near)
        let key = UInt64(source.row) << 32 | UInt64(target.row)
        guard links[column, default: []].insert(key).inserted else { continue }
        begin(source, link.attribute)
        store.writeID(target, into: &output)
        end(source, link.attribute)
      }
      try checkSize()
    }
  }

  private mutating func begin(_ entity: EntityHandle, _ attribute: Attribute) {
    output.append(isFirst ? "[" : ",[")
    isFirst = false
    store.writeID(entity, into: &output)
    output.append(",")
    output.write(attribute.id.text)
    output.append(",")
  }

  private mutating func end(_ entity: EntityHandle, _ attribute: Attribute) {
    output.append(",")
    output.write(store.createdAt(entity, attribute.id) ?? 0)
    output.append("]")
  }

  private func checkSize() throws(QueryError) {
    if output.count > maxBytes {
      throw QueryEngine.tooLarge
    }
  }

  // MARK: Pages

  private mutating func writePages(_ answers: [Answer]) {
    var pages: [String: PageInfo] = [:]
    for answer in answers { pages[answer.namespace] = answer.pageInfo }
    if pages.isEmpty { return }
    output.append(",\"page-info\":")
    output.write(MessageCoding.json(pages))
  }

  private mutating func writeCounts(_ answers: [Answer]) {
    var counts: [String: Int] = [:]
    for answer in answers { counts[answer.namespace] = answer.count }
    output.append(",\"aggregate\":")
    output.write(MessageCoding.json(counts))
  }
}

extension ConditionNode {
  /// The attribute paths in comparisons that can also be true if the value is missing, such as
  /// `!=`.
  fileprivate var openPaths: Set<AttributePath> {
    switch self {
    case .compare(_, .notEqual, _), .isNull, .quantified(.none, _, _),
      .quantified(.every, _, _), .not, .compareFields, .linkCount:
      return allPaths
    case .compare, .isIn, .idStartsWith: return []
    case .all(let parts), .any(let parts), .together(let parts):
      return parts.reduce(into: []) { $0.formUnion($1.openPaths) }
    case .quantified(.some, let link, let inner):
      return Set(inner.openPaths.map { $0.prefixed(by: link) })
    }
  }

  private var allPaths: Set<AttributePath> {
    var paths: Set<AttributePath> = []
    forEachPath { paths.insert($0) }
    return paths
  }
}
