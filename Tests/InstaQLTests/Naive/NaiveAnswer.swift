import InstaQL
import Triples

/// An object of an answer with its relations.
struct NaiveObject: Equatable, CustomStringConvertible {
  var id: String
  var values: [String: Value]
  var relations: [String: [NaiveObject]]

  /// The object as JSON.
  var json: Value {
    let own = values.map { JSONObject.Member(key: $0.key, value: $0.value) }
    let below = relations.map {
      JSONObject.Member(key: $0.key, value: .array($0.value.map(\.json)))
    }
    return .object(JSONObject(own + below))
  }

  var description: String {
    let values = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let below = relations.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "{" + ([id.prefix(8) + ""] + values + below).joined(separator: ", ") + "}"
  }
}

/// The evaluation of a plan on plain dictionaries.
extension NaiveWorld {
  func answer(_ plan: QueryPlan) -> [NaiveObject] {
    let matches = entities(of: plan.namespace).filter {
      holds(plan.condition, $0, in: plan.namespace)
    }
    return page(plan, plan.namespace, sorted(plan, plan.namespace, matches)).map {
      object($0, plan, plan.namespace)
    }
  }

  func matches(_ plan: QueryPlan) -> Set<String> {
    Set(entities(of: plan.namespace).filter { holds(plan.condition, $0, in: plan.namespace) })
  }

  private func object(_ id: String, _ plan: QueryPlan, _ namespace: String) -> NaiveObject {
    var values: [String: Value] = [:]
    for attribute in attributes where attribute.namespace == namespace {
      guard attribute.valueType == .blob,
        self.attribute(namespace, attribute.label)?.id == attribute.id
      else { continue }
      let isWanted = plan.fields.map { $0.contains(attribute.label) } ?? true
      guard isWanted || attribute.label == "id" else { continue }
      if plan.relation(attribute.label) != nil { continue }
      values[attribute.label] = self.values(id, attribute.id).last
    }
    var relations: [String: [NaiveObject]] = [:]
    for relation in plan.relations {
      guard let link = link(namespace, relation.label) else {
        relations[relation.label] = []
        continue
      }
      let nested = relation.plan
      let ends = linked(id, link).filter {
        contains($0, in: link.target) && holds(nested.condition, $0, in: link.target)
      }
      relations[relation.label] =
        page(nested, link.target, sorted(nested, link.target, Array(Set(ends)))).map {
          object($0, nested, link.target)
        }
    }
    return NaiveObject(id: id, values: values, relations: relations)
  }

  // MARK: Order and page

  private func sorted(_ plan: QueryPlan, _ namespace: String, _ ids: [String]) -> [String] {
    let keys = plan.order.isEmpty ? [OrderKey(OrderKey.creation)] : plan.order
    return ids.sorted { a, b in
      for key in keys {
        let order = compare(a, b, key, namespace)
        if order != 0 { return (order < 0) == (key.direction == .ascending) }
      }
      if a == b { return false }
      return (EntityID(a) < EntityID(b)) == (keys.last?.direction == .ascending)
    }
  }

  private func compare(_ a: String, _ b: String, _ key: OrderKey, _ namespace: String) -> Int {
    if key.path == "id" { return creation(a, b, namespace) }
    var links: [Link] = []
    for label in key.path.links {
      guard let link = link(links.last?.target ?? namespace, label) else {
        return creation(a, b, namespace)
      }
      links.append(link)
    }
    guard let attribute = attribute(links.last?.target ?? namespace, key.path.label) else {
      return creation(a, b, namespace)
    }
    func best(_ id: String) -> Value? {
      var ends = [id]
      for link in links { ends = ends.flatMap { linked($0, link) } }
      let stored = ends.map { values($0, attribute.id).last }
      let inOrder = stored.sorted { compare($0, $1, attribute) < 0 }
      return (key.direction == .ascending ? inOrder.first : inOrder.last) ?? nil
    }
    return compare(best(a), best(b), attribute)
  }

  private func creation(_ a: String, _ b: String, _ namespace: String) -> Int {
    let (x, y) = (created(a, in: namespace), created(b, in: namespace))
    return x < y ? -1 : x > y ? 1 : 0
  }

  private func compare(_ a: Value?, _ b: Value?, _ attribute: Attribute) -> Int {
    if attribute.checkedType == .date {
      let x = a.flatMap(NaiveValue.instant)?.milliseconds
      let y = b.flatMap(NaiveValue.instant)?.milliseconds
      switch (x, y) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?): return x < y ? -1 : x > y ? 1 : 0
      }
    }
    func rank(_ value: Value?) -> Int {
      switch value {
      case nil, .null: 0
      case .bool: 1
      case .integer, .double: 2
      case .text: 3
      case .array, .object: 4
      }
    }
    if case .text(let x)? = a, case .text(let y)? = b {
      return attribute.checkedType == .string
        ? Collation.compare(x, y) : NaiveValue.codeUnits(x, y)
    }
    if rank(a) == rank(b), let a, let b, let x = NaiveValue.number(a), let y = NaiveValue.number(b)
    {
      return x < y ? -1 : x > y ? 1 : 0
    }
    return rank(a) - rank(b)
  }

  private func page(_ plan: QueryPlan, _ namespace: String, _ ids: [String]) -> [String] {
    var ids = ids[...]
    let page = plan.page
    if let after = page.after, let place = ids.firstIndex(of: after.entity.text) {
      ids = ids[(page.afterInclusive ? place : place + 1)...]
    }
    if let before = page.before, let place = ids.firstIndex(of: before.entity.text) {
      ids = ids[..<(page.beforeInclusive ? place + 1 : place)]
    }
    if let last = page.last { return Array(ids.dropLast(page.offset ?? 0).suffix(last)) }
    ids = ids.dropFirst(page.offset ?? 0)
    if let limit = page.limit ?? page.first { return Array(ids.prefix(limit)) }
    return Array(ids)
  }
}
