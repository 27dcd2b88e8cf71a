import InstaQL
import LiveQueries
import Sync
import Triples

/// Converts a server's messages to answers.
extension ServedRows {
  init(_ result: QueryResult, to document: QueryDocument, schema: Schema, processed: Int?) {
    switch result {
    case .joinRows(let answer):
      self.init(
        answer.rows.map { Row($0.entity, $0.attribute, $0.value, createdAt: $0.createdAt) },
        processed: processed, served: ServedAnswer(answer.pages, answer.counts))
    case .tree(let tree):
      var reader = TreeReader(schema: schema)
      for plan in document.plans {
        reader.read(tree.data[plan.namespace] ?? .null, plan, in: plan.namespace)
      }
      self.init(
        reader.rows, processed: processed, served: ServedAnswer(tree.pages, tree.counts))
    case .written:
      // Only servers use answers that are encoded in advance. A client never receives such an
      // answer.
      self.init(processed: processed)
    }
  }
}

extension ServedAnswer {
  fileprivate init(_ pages: [String: PageInfo], _ counts: [String: Int]) {
    self.init(
      pages: pages.mapValues { page in
        Page(
          start: page.start.map(Edge.init), end: page.end.map(Edge.init), hasNext: page.hasNext,
          hasPrevious: page.hasPrevious)
      }, counts: counts)
  }
}

extension ServedAnswer.Edge {
  fileprivate init(_ cursor: Cursor) {
    self.init(
      entity: cursor.entity, attribute: cursor.attribute, value: cursor.value,
      createdAt: cursor.createdAt)
  }
}

/// Converts an answer of nested objects to triples.
///
/// Objects have no creation times, so the reader assigns increasing times in their order.
private struct TreeReader {
  let schema: Schema
  var rows: [ServedRows.Row] = []
  private var moments: [EntityID: Int64] = [:]
  private var seen: Set<ServedRows.Row> = []

  init(schema: Schema) {
    self.schema = schema
  }

  /// Reads objects.
  ///
  /// - Parameter objects: A list of objects, or one object for a to-one link.
  /// - Returns: The ids of the objects.
  @discardableResult
  mutating func read(_ objects: Value, _ plan: QueryPlan, in namespace: String) -> [EntityID] {
    switch objects {
    case .array(let objects): objects.compactMap { read(object: $0, plan, in: namespace) }
    case .object: [read(object: objects, plan, in: namespace)].compactMap(\.self)
    case .null, .bool, .integer, .double, .text: []
    }
  }

  private mutating func read(
    object: Value, _ plan: QueryPlan, in namespace: String
  ) -> EntityID? {
    guard case .object(let object) = object, let text = object["id"]?.textValue else { return nil }
    let id = EntityID(text)
    let moment = moments[id] ?? Int64(moments.count + 1)
    moments[id] = moment
    for member in object.members {
      if let link = schema.link(namespace, member.key) {
        let nested = plan.relation(member.key) ?? QueryPlan(member.key)
        var targets = read(member.value, nested, in: link.target)
        // If the query does not include a link, its target is only an id.
        if let target = member.value.textValue { targets = [EntityID(target)] }
        for target in targets {
          let (source, end) = link.direction == .forward ? (id, target) : (target, id)
          add(source, link.attribute.id, .text(end.text), at: moment)
        }
      } else if let attribute = schema.attribute(namespace, member.key) {
        add(id, attribute.id, member.value, at: moment)
      }
    }
    return id
  }

  private mutating func add(
    _ entity: EntityID, _ attribute: AttributeID, _ value: Value, at moment: Int64
  ) {
    let row = ServedRows.Row(entity, attribute, value, createdAt: moment)
    if seen.insert(row).inserted { rows.append(row) }
  }
}
