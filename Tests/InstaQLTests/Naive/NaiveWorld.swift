import Triples

/// Facts in plain dictionaries, as a slow but clear reference implementation.
struct NaiveWorld {
  var attributes: [Attribute] = []
  /// All values with their times in order of arrival, by entity and attribute.
  private(set) var facts: [String: [AttributeID: [(value: Value, time: Int64)]]] = [:]
  private(set) var triples: [(entity: String, attribute: AttributeID, value: Value, time: Int64)] =
    []

  mutating func insert(_ entity: String, _ attribute: AttributeID, _ value: Value, _ time: Int64) {
    triples.append((entity, attribute, value, time))
    let cardinality = attributes.first { $0.id == attribute }?.cardinality ?? .one
    var values = facts[entity]?[attribute] ?? []
    if cardinality == .one {
      values = [(value, values.first?.time ?? time)]
    } else if !values.contains(where: { $0.value == value }) {
      values.append((value, time))
    }
    facts[entity, default: [:]][attribute] = values
  }

  /// The attribute or forward link of that name; the last one of several.
  func attribute(_ namespace: String, _ label: String) -> Attribute? {
    attributes.last { $0.namespace == namespace && $0.label == label }
  }

  /// The link of that name; forward links take precedence.
  func link(_ namespace: String, _ label: String) -> Link? {
    if let own = attribute(namespace, label), own.valueType == .ref { return Link(own, .forward) }
    return attributes.last { $0.reverse?.namespace == namespace && $0.reverse?.label == label }
      .map { Link($0, .reverse) }
  }

  func values(_ entity: String, _ attribute: AttributeID) -> [Value] {
    facts[entity]?[attribute]?.map(\.value) ?? []
  }

  func created(_ entity: String, in namespace: String) -> Int64 {
    attribute(namespace, "id").flatMap { facts[entity]?[$0.id]?.first?.time } ?? 0
  }

  func contains(_ entity: String, in namespace: String) -> Bool {
    attribute(namespace, "id").map { !values(entity, $0.id).isEmpty } ?? false
  }

  func entities(of namespace: String) -> [String] {
    facts.keys.filter { contains($0, in: namespace) }
  }

  func linked(_ entity: String, _ link: Link) -> [String] {
    switch link.direction {
    case .forward: return values(entity, link.attribute.id).compactMap(Self.text)
    case .reverse:
      return facts.keys.filter { values($0, link.attribute.id).contains(.text(entity)) }
    }
  }

  static func text(_ value: Value) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// The same facts in a store.
  func store() -> TripleStore {
    var store = TripleStore()
    for attribute in attributes { store.addAttribute(attribute) }
    let namespaces = Dictionary(uniqueKeysWithValues: attributes.map { ($0.id, $0.namespace) })
    for triple in triples {
      let entity = store.makeEntity(
        EntityID(triple.entity), in: namespaces[triple.attribute] ?? "")
      store.insert(triple.value, of: entity, triple.attribute, at: triple.time)
    }
    return store
  }
}
