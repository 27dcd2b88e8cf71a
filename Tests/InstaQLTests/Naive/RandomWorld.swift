import DataSourcesTesting
import InstaQL
import Triples
import TestSupport

extension SeededGenerator {
  mutating func uuid() -> String { EntityID(high: next(), low: next()).text }
}

/// Generates random schemas, data and queries.
struct RandomWorld {
  var random: SeededGenerator
  private(set) var world = NaiveWorld()
  private let namespaces = ["people", "tasks", "tags"]
  private var ids: [String: [String]] = [:]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    makeSchema()
    makeFacts()
  }

  // MARK: Facts

  private mutating func makeSchema() {
    for namespace in namespaces {
      add(namespace, "id", checked: nil, cardinality: .one, isUnique: true)
      for label in ["a", "b", "c", "d"] {
        let checked = random.pick([nil, nil, .string, .number, .boolean, .date] as [CheckedType?])
        add(
          namespace, label, checked: checked, cardinality: random.oneIn(6) ? .many : .one,
          isUnique: false)
      }
    }
    for (place, label) in ["x", "y", "z", "w"].enumerated() {
      let source = random.pick(namespaces)
      let target = random.oneIn(3) ? source : random.pick(namespaces)
      world.attributes.append(
        Attribute(
          id: AttributeID(random.uuid()), namespace: source, label: label,
          reverse: Attribute.Name(namespace: target, label: label + "Of"), valueType: .ref,
          cardinality: place % 2 == 0 ? .one : .many
        ).with { $0.isUnique = random.oneIn(5) })
    }
  }

  private mutating func add(
    _ namespace: String, _ label: String, checked: CheckedType?,
    cardinality: Attribute.Cardinality, isUnique: Bool
  ) {
    world.attributes.append(
      Attribute(
        id: AttributeID(random.uuid()), namespace: namespace, label: label, cardinality: cardinality
      ).with {
        $0.isUnique = isUnique
        $0.isIndexed = random.oneIn(2)
        $0.checkedType = checked
      })
  }

  private mutating func makeFacts() {
    for namespace in namespaces {
      ids[namespace] = (0..<Int.random(in: 0...18, using: &random)).map { _ in random.uuid() }
    }
    if let shared = ids["people"]?.first { ids["tasks"]?.append(shared) }
    for namespace in namespaces {
      for id in ids[namespace] ?? [] { makeEntity(id, namespace) }
    }
  }

  private mutating func makeEntity(_ id: String, _ namespace: String) {
    let time = Int64.random(in: 1...12, using: &random)
    let isOrphan = random.oneIn(15)
    for attribute in world.attributes where attribute.namespace == namespace {
      if attribute.label == "id" {
        if !isOrphan { world.insert(id, attribute.id, .text(id), time) }
      } else {
        let count =
          attribute.cardinality == .one
          ? (random.oneIn(4) ? 0 : 1) : Int.random(in: 0...3, using: &random)
        for _ in 0..<count {
          guard let value = value(of: attribute) else { continue }
          world.insert(id, attribute.id, value, time + Int64.random(in: 0...3, using: &random))
        }
      }
    }
  }

  /// Changes or adds one fact, in the reference and in a store.
  mutating func change(_ store: inout TripleStore) {
    let attribute = random.pick(world.attributes)
    guard let id = ids[attribute.namespace]?.randomElement(using: &random) else { return }
    let isMembership = attribute.label == "id"
    guard let value = isMembership ? .text(id) : value(of: attribute) else { return }
    let time = Int64.random(in: 1...12, using: &random)
    world.insert(id, attribute.id, value, time)
    let entity = store.makeEntity(EntityID(id), in: attribute.namespace)
    store.insert(value, of: entity, attribute.id, at: time)
  }

  /// Random steps: values set, added and removed, entities created, deleted and created again.
  mutating func transaction(in store: TripleStore) -> Transaction {
    var steps: [TransactionStep] = []
    while steps.isEmpty {
      for _ in 0..<Int.random(in: 1...4, using: &random) { steps += self.steps(in: store) }
    }
    return Transaction(steps)
  }

  private mutating func steps(in store: TripleStore) -> [TransactionStep] {
    let namespace = random.pick(namespaces)
    if random.oneIn(6) {
      let id = random.uuid()
      ids[namespace, default: []].append(id)
      return made(id, namespace)
    }
    guard let id = ids[namespace]?.randomElement(using: &random) else { return [] }
    let entity = EntityReference.id(EntityID(id))
    if random.oneIn(10) {
      let deletion = TransactionStep.deleteEntity(
        entity, namespace: random.oneIn(3) ? nil : namespace)
      return random.oneIn(2) ? [deletion] : [deletion] + made(id, namespace)
    }
    let attribute = random.pick(world.attributes.filter { $0.namespace == namespace })
    if random.oneIn(4), let handle = store.handle(of: EntityID(id)),
      let value = store.values(handle, attribute.id).randomElement(using: &random)
    {
      return [.retractTriple(entity, attribute.id, value)]
    }
    let isMembership = attribute.label == "id"
    guard let value = isMembership ? .text(id) : value(of: attribute) else { return [] }
    return [.addTriple(entity, attribute.id, value)]
  }

  private mutating func made(_ id: String, _ namespace: String) -> [TransactionStep] {
    var steps: [TransactionStep] = []
    for attribute in world.attributes where attribute.namespace == namespace {
      if attribute.label != "id", random.oneIn(3) { continue }
      guard let value = attribute.label == "id" ? .text(id) : value(of: attribute) else { continue }
      steps.append(.addTriple(.id(EntityID(id)), attribute.id, value))
    }
    return steps
  }

  private mutating func value(of attribute: Attribute) -> Value? {
    if attribute.valueType == .ref {
      let targets = ids[attribute.reverse?.namespace ?? ""] ?? []
      return targets.isEmpty ? nil : .text(random.pick(targets))
    }
    if random.oneIn(6) { return .null }
    switch attribute.checkedType {
    case .string: return random.pick(Self.texts)
    case .number: return random.pick(Self.numbers)
    case .boolean: return random.pick([true, false])
    case .date: return random.pick(Self.dates)
    case nil:
      return random.pick(
        Self.texts + Self.numbers + Self.dates + [true, false, ["x", 1], ["k": 1]])
    }
  }

  static let texts: [Value] = [
    "", "a", "A", "b", "ana", "Ana", "ána", "Émile", "emil", "10", "9", "1e1", "a_b", "a%b", "a\\b",
    "ab\nc", "ßs", "ΣΑΣ", "σας", "😀x", "\u{ff5e}", "true",
  ]
  static let numbers: [Value] = [0, 1, 2, 10, -1, 1.0, 0.5, 1e21, 9_007_199_254_740_993, -0.0]
  static let dates: [Value] = [
    "2025-01-10", "2025-01-10T00:00:00Z", 1_736_467_200_000, "2025-03-01", "1/10/2025", "soon", 0,
  ]

  // MARK: Queries

  mutating func plan() -> QueryPlan {
    let namespace = random.oneIn(25) ? "nobody" : random.pick(namespaces)
    var plan = form(namespace, namespace, depth: 0)
    switch random.next() % 6 {
    case 0: plan.page.limit = Int.random(in: 1...6, using: &random)
    case 1:
      plan.page.limit = Int.random(in: 1...6, using: &random)
      plan.page.offset = Int.random(in: 0...6, using: &random)
    case 2: plan.page.first = Int.random(in: 1...6, using: &random)
    case 3: plan.page.last = Int.random(in: 1...6, using: &random)
    default: break
    }
    return plan
  }

  private mutating func form(_ label: String, _ namespace: String, depth: Int) -> QueryPlan {
    var plan = QueryPlan(label)
    if !random.oneIn(4) { plan.condition = condition(namespace, depth: 0) }
    if random.oneIn(4), case let parts = (0..<3).map({ _ in leaf(namespace) }) {
      plan.condition = .sharing(parts)
    }
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) {
      let path = random.oneIn(4) ? path(namespace) : AttributePath(random.pick(Self.orders))
      plan.order.append(OrderKey(path, random.pick(OrderKey.Direction.allCases)))
    }
    if random.oneIn(4) { plan.fields = [random.pick(["a", "b", "zz"]), "c"] }
    for link in links(of: namespace) where depth < 2 && random.oneIn(3) {
      var nested = form(link.label, link.target, depth: depth + 1)
      if random.oneIn(3) { nested.page.limit = Int.random(in: 1...3, using: &random) }
      plan.setRelation(link.label, nested)
    }
    return plan
  }

  private static let orders = ["a", "b", "c", "d", "serverCreatedAt", "nope", "id"]

  private func links(of namespace: String) -> [Link] {
    world.attributes.filter { $0.valueType == .ref }.flatMap { attribute -> [Link] in
      var links: [Link] = []
      if attribute.namespace == namespace { links.append(Link(attribute, .forward)) }
      if attribute.reverse?.namespace == namespace { links.append(Link(attribute, .reverse)) }
      return links
    }
  }

  private mutating func condition(_ namespace: String, depth: Int) -> ConditionNode {
    guard depth < 3, !random.oneIn(3) else { return leaf(namespace) }
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      condition(namespace, depth: depth + 1)
    }
    switch random.next() % 7 {
    case 0, 1: return .all(parts)
    case 2, 3: return .any(parts)
    case 4: return .not(condition(namespace, depth: depth + 1))
    case 5: return parts.isEmpty ? .all([]) : .sharing(parts)
    default:
      guard let link = links(of: namespace).randomElement(using: &random) else {
        return leaf(namespace)
      }
      let quantifier = random.pick(Quantifier.allCases)
      let inner = condition(link.target, depth: depth + 1)
      switch (quantifier, inner) {
      case (.none, .compare), (.none, .isIn):
        return .linkCount(
          AttributePath(link.label), depth == 0 ? .less : .greaterOrEqual, depth + 1)
      case (.every, .compare(_, let comparison, _)) where !comparison.isPattern:
        return .linkCount(AttributePath(link.label), comparison, depth)
      default: return .quantified(quantifier, AttributePath(link.label), inner)
      }
    }
  }

  private mutating func path(_ namespace: String) -> AttributePath {
    var labels: [String] = []
    var current = namespace
    while labels.count < 3, random.oneIn(2),
      let link = links(of: current).randomElement(using: &random)
    {
      labels.append(link.label)
      current = link.target
    }
    if random.oneIn(8), let link = links(of: current).randomElement(using: &random) {
      labels.append(link.label)
    } else {
      labels.append(random.pick(["a", "b", "c", "d", "id"]))
    }
    if random.oneIn(60) { labels[labels.count - 1] = "nope" }
    return AttributePath(labels)
  }

  private mutating func leaf(_ namespace: String) -> ConditionNode {
    let path = path(namespace)
    switch random.next() % 10 {
    case 0: return .isNull(path, random.oneIn(2))
    case 1: return .isIn(path, (0..<3).map { _ in operand() } + (random.oneIn(3) ? [.null] : []))
    case 2 where !path.isOwn || path.label != "id":
      return .compareFields(
        AttributePath(random.pick(["a", "b"])),
        random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
        AttributePath(random.pick(["b", "c", "d"])))
    case 3:
      return .idStartsWith(
        path.links.map { $0 }, String(random.pick(ids.values.flatMap { $0 } + ["00"]).prefix(1)))
    default:
      let comparison = random.pick(Comparison.allCases)
      if comparison.isPattern {
        return .compare(
          path, comparison, .text(random.pick(["%a%", "_", "a\\_b", "%", "A%", "%Σ", "1%", ""])))
      }
      return .compare(path, comparison, operand())
    }
  }

  private mutating func operand() -> Value {
    let all = ids.values.flatMap { $0 }.sorted()
    if random.oneIn(5), !all.isEmpty { return .text(random.pick(all)) }
    return random.pick(Self.texts + Self.numbers + Self.dates + [true, false])
  }
}
