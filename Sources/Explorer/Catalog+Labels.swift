import InstaQL
import Triples

// What entities are called.
extension Catalog {
  /// An entity in a few words: the value of its namespace's label, else what is unique to it, else what
  /// it joins, else its first values; its id only where nothing at all is known of it.
  func label(of entity: EntityHandle, in namespace: String) -> String {
    ownName(of: entity, in: namespace) ?? joinedName(of: entity, in: namespace)
      ?? numberedName(of: entity, in: namespace) ?? store.id(of: entity).text
  }

  /// A row of which its number alone is known.
  private func numberedName(of entity: EntityHandle, in namespace: String) -> String? {
    guard areRows(namespace) else { return nil }
    return store.id(of: entity).number(in: EntityID.high(of: namespace)).map {
      "\(namespace) \($0)"
    }
  }

  /// What an entity is called by a value of its own.
  private func ownName(of entity: EntityHandle, in namespace: String) -> String? {
    if let attribute = labelAttribute(of: namespace),
      case .text(let text)? = store.value(entity, attribute.id), !text.isEmpty
    {
      return text
    }
    for attribute in schema.attributes(of: namespace)
    where attribute.isUnique && attribute.valueType == .blob && attribute.label != "id" {
      switch store.value(entity, attribute.id) {
      case .integer(let number)?: return dated("\(attribute.ownLabel) \(number)", entity, namespace)
      case .text(let text)? where !text.isEmpty:
        return dated("\(attribute.ownLabel) \(text)", entity, namespace)
      default: break
      }
    }
    return nil
  }

  /// A key with the day that belongs to it, which says more to people.
  private func dated(_ key: String, _ entity: EntityHandle, _ namespace: String) -> String {
    guard let date = plainAttributes(of: namespace).first(where: { $0.checkedType == .date }),
      let value = store.value(entity, date.id), value != .null
    else { return key }
    return "\(key) · \(CellText(value, of: date).text.prefix(Self.dayColumns))"
  }

  private static let dayColumns = 10

  /// What an entity leads to and holds, as in `Order 7 · Pen`; nil when that is nothing.
  private func joinedName(of entity: EntityHandle, in namespace: String) -> String? {
    let ends = joiningLinks(of: namespace).lazy.compactMap { self.end(of: entity, $0) }
    var parts = Array(ends.prefix(Self.mostJoined))
    if parts.count < Self.leastJoined {
      let values = plainAttributes(of: namespace).lazy.compactMap { self.value(of: entity, $0) }
      parts += values.prefix(Self.leastJoined - parts.count)
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private static let mostJoined = 3
  private static let leastJoined = 2

  /// What a link of an entity leads to, else what the columns of its key say.
  private func end(of entity: EntityHandle, _ link: Link) -> String? {
    if let (targets, told) = targets(of: entity, link), let target = targets.first,
      let name = told.ownName(of: target, in: link.target)
    {
      return name
    }
    let keys = schema.attributes(of: link.reversed.target).filter {
      $0.keyOf == link.attribute.id
    }
    let values = keys.compactMap { store.value(entity, $0.id)?.wordInName }
    return values.isEmpty ? nil : "\(link.label) \(values.joined(separator: ", "))"
  }

  private func value(of entity: EntityHandle, _ attribute: Attribute) -> String? {
    store.value(entity, attribute.id)?.wordInName.map { "\(attribute.label) \($0)" }
  }

  /// The links by which an entity without a name of its own is called.
  func joiningLinks(of namespace: String) -> [Link] {
    schema.links(of: namespace).filter { $0.direction == .forward && $0.cardinality == .one }
  }

  /// The attributes by whose values it is called.
  func plainAttributes(of namespace: String) -> [Attribute] {
    schema.attributes(of: namespace).filter {
      $0.valueType == .blob && !$0.isIdentity && $0.keyOf == nil
    }
  }

  /// The attribute that names an entity of `namespace`.
  func labelAttribute(of namespace: String) -> Attribute? { schema.labelAttribute(of: namespace) }

  /// What is to be asked for, so that entities of `namespace` can be called by it.
  func naming(_ plan: QueryPlan, in namespace: String) -> QueryPlan {
    if let label = labelAttribute(of: namespace) { return plan.fields([label.label]) }
    let attributes = schema.attributes(of: namespace).filter { $0.valueType == .blob }
    let asked = attributes.filter(\.isUnique) + attributes.filter { !$0.isUnique }
    let labels = asked.isEmpty ? ["id"] : asked.prefix(Self.mostAsked).map(\.label)
    return joiningLinks(of: namespace).prefix(Self.mostJoined).reduce(plan.fields(labels)) {
      plan, link in
      plan.with(link.label) { $0.fields([labelAttribute(of: link.target)?.label ?? "id"]) }
    }
  }

  private static let mostAsked = 6
}

extension Schema {
  /// The attribute that names an entity of `namespace`: the one that the schema says, else the
  /// first text among the usual names, else the first unique text, else the first text that is no
  /// word which many have in common; nil where a key says more.
  func labelAttribute(of namespace: String) -> Attribute? {
    if let label = label(of: namespace), let named = attribute(namespace, label) {
      return named
    }
    let texts = attributes(of: namespace).filter {
      $0.valueType == .blob && $0.label != "id" && $0.keyOf == nil
        && ($0.checkedType ?? .string) == .string
    }
    for name in Self.usualLabels {
      if let attribute = texts.first(where: { $0.label.lowercased() == name }) { return attribute }
    }
    if let name = texts.first(where: { $0.isCalledAName }) { return name }
    if let unique = texts.first(where: \.isUnique) { return unique }
    if let telling = texts.first(where: { !Self.vagueLabels.contains($0.label.lowercased()) }) {
      return telling
    }
    let hasKey = attributes(of: namespace).contains {
      $0.isUnique && $0.valueType == .blob && !$0.isIdentity
    }
    return hasKey ? nil : texts.first
  }

  /// What says of which kind an entity is, or what was noted about it, and not which one it is.
  private static let vagueLabels: Set<String> = [
    "status", "state", "type", "kind", "category", "class", "group", "role", "level", "priority",
    "gender", "currency", "unit", "color", "colour", "locale", "language", "timezone", "note",
    "notes", "comment", "comments", "remark", "remarks", "description", "details", "about", "bio",
    "body", "content", "summary",
  ]

  private static let usualLabels = [
    "name", "title", "label", "fullname", "displayname", "handle", "username", "email", "text",
  ]
}

extension Attribute {
  /// What its column is called where it stands in a database.
  fileprivate var ownLabel: String { column?.name ?? label }

  /// Whether it is called after what it is of: `product_name`, `jobTitle`.
  fileprivate var isCalledAName: Bool {
    let label = label.lowercased()
    return label.hasSuffix("name") || label.hasSuffix("title")
  }
}

extension Value {
  /// A value as it can stand in a name; nil for what is long or nothing.
  fileprivate var wordInName: String? {
    switch self {
    case .integer(let number): String(number)
    case .double, .bool: JSONWriter.text(self)
    case .text(let text): text.isEmpty ? nil : String(text.prefix(Self.longestInName))
    case .null, .array, .object: nil
    }
  }

  private static let longestInName = 40
}
