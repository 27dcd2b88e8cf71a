import InstaQL
import Triples

// Labels of entities.
extension Catalog {
  /// Returns a short label for an entity; the id is used only if nothing else is known about the
  /// entity.
  ///
  /// The label is the first of these that exists: the value of the namespace's label attribute, a
  /// unique value, the labels of the entities that a join row connects, the entity's first values.
  ///
  /// - Parameter isWhole: Whether long keys and values are complete, as in a file, instead of cut
  ///   for the screen.
  func label(
    of entity: EntityHandle, in namespace: String, isWhole: Bool = false
  ) -> String {
    keyedName(of: entity, in: namespace, isWhole: isWhole)
      ?? joinedName(of: entity, in: namespace, isWhole: isWhole)
      ?? numberedName(of: entity, in: namespace) ?? store.id(of: entity).text
  }

  /// Returns the label of an entity without its key or id; nil if nothing else is known about the
  /// entity.
  func name(of entity: EntityHandle, in namespace: String) -> String? {
    ownName(of: entity, in: namespace)
      ?? joinedName(of: entity, in: namespace, isWhole: false)
  }

  /// Returns a label with the table name and the integer key of a row, such as `orders 5`. Nil if
  /// the row has no integer key.
  private func numberedName(of entity: EntityHandle, in namespace: String) -> String? {
    guard areRows(namespace) else { return nil }
    return store.id(of: entity).number(in: EntityID.high(of: namespace)).map {
      "\(namespace) \($0)"
    }
  }

  /// Returns a label made of the entity's own values. A database row also gets its key: `5 · Ann`.
  /// The key is omitted if it is a UUID or if the label attribute is unique.
  private func keyedName(
    of entity: EntityHandle, in namespace: String, isWhole: Bool
  ) -> String? {
    guard let (label, text) = labelText(of: entity, in: namespace) else {
      return uniqueName(of: entity, in: namespace)
    }
    guard !label.isUnique,
      let key = labelKey(of: entity, in: namespace, isWhole: isWhole)
    else { return text }
    return "\(key) · \(text)"
  }

  /// Returns a label made of the entity's own values, without labels of linked entities. Nil if no
  /// value is suitable.
  private func ownName(of entity: EntityHandle, in namespace: String) -> String? {
    labelText(of: entity, in: namespace)?.text ?? uniqueName(of: entity, in: namespace)
  }

  /// Returns the namespace's label attribute and the entity's value of it; nil if the entity has no
  /// such text.
  private func labelText(
    of entity: EntityHandle, in namespace: String
  ) -> (attribute: Attribute, text: String)? {
    guard let attribute = schema.labelAttribute(of: namespace),
      case .text(let text)? = store.value(entity, attribute.id), !text.isEmpty
    else { return nil }
    return (attribute, text)
  }

  /// Returns a label made of the entity's unique value, such as `number 7`; nil if it has none.
  private func uniqueName(of entity: EntityHandle, in namespace: String) -> String? {
    for attribute in schema.attributes(of: namespace)
    where attribute.isUnique && attribute.valueType == .blob && !attribute.isIdentity {
      switch store.value(entity, attribute.id) {
      case .integer(let number)?: return dated("\(attribute.ownLabel) \(number)", entity, namespace)
      case .text(let text)? where !text.isEmpty:
        return dated("\(attribute.ownLabel) \(text)", entity, namespace)
      default: break
      }
    }
    return nil
  }

  /// Returns a label that joins a key with the entity's date, or only the key if there is no date.
  private func dated(_ key: String, _ entity: EntityHandle, _ namespace: String) -> String {
    let date = schema.plainAttributes(of: namespace).first { $0.checkedType == .date }
    guard let date, let value = store.value(entity, date.id), value != .null else { return key }
    return "\(key) · \(CellText(value, of: date).text.prefix(Self.dayColumns))"
  }

  private static let dayColumns = 10

  /// Returns a label made from the labels of the linked entities, such as `Order 7 · Pen`. Nil if
  /// they have no labels.
  private func joinedName(
    of entity: EntityHandle, in namespace: String, isWhole: Bool
  ) -> String? {
    let maxLength = isWhole ? Int.max : Self.maxValueLength
    let ends = joiningLinks(of: namespace).lazy
      .compactMap { self.end(of: entity, $0, maxLength: maxLength) }
    var parts = Array(ends.prefix(Self.maxJoined))
    if parts.count < Self.minJoined {
      let values = schema.plainAttributes(of: namespace).lazy
        .compactMap { self.value(of: entity, $0, maxLength: maxLength) }
      parts += values.prefix(Self.minJoined - parts.count)
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private static let maxJoined = 3
  private static let minJoined = 2
  /// The maximum length of a value in a label on the screen, in characters.
  private static let maxValueLength = 40

  /// Returns the label of a link's target; the foreign key values if the target has no label.
  private func end(of entity: EntityHandle, _ link: Link, maxLength: Int) -> String? {
    if let targets = targets(of: entity, link), let target = targets.entities.first,
      let name = targets.catalog.ownName(of: target, in: link.target)
    {
      return name
    }
    let values = keyColumns(of: entity, link)
      .compactMap { $0.value.wordInName(maxLength: maxLength) }
    return values.isEmpty ? nil : "\(link.label) \(values.joined(separator: ", "))"
  }

  private func value(
    of entity: EntityHandle, _ attribute: Attribute, maxLength: Int
  ) -> String? {
    store.value(entity, attribute.id)?.wordInName(maxLength: maxLength)
      .map { "\(attribute.label) \($0)" }
  }

  /// Returns the to-one links from a namespace. Entities without a label attribute are labeled by
  /// the targets of these links.
  func joiningLinks(of namespace: String) -> [Link] {
    schema.links(of: namespace).filter { $0.direction == .forward && $0.cardinality == .one }
  }

  /// Returns the query, extended by the fields that `label(of:in:)` reads.
  func addingLabelFields(to plan: QueryPlan, in namespace: String) -> QueryPlan {
    if let label = schema.labelAttribute(of: namespace) {
      let key = label.isUnique ? nil : keyAttributes(of: namespace).first?.label
      return plan.fields([label.label] + [key].compactMap { $0 })
    }
    let attributes = schema.attributes(of: namespace)
    let asked = attributes.filter(\.isUnique) + attributes.filter { !$0.isUnique }
    let labels =
      asked.isEmpty
      ? [schema.identityLabel(of: namespace)] : asked.prefix(Self.maxQueried).map(\.label)
    return joiningLinks(of: namespace).prefix(Self.maxJoined).reduce(plan.fields(labels)) {
      plan, link in
      let label = schema.labelAttribute(of: link.target)?.label
      return plan.with(link.label) {
        $0.fields([label ?? schema.identityLabel(of: link.target)])
      }
    }
  }

  private static let maxQueried = 6

  /// Returns the message with the label of each known entity added after the entity's id.
  func addingLabels(toIDsIn message: String) -> String {
    message.replacing(Self.uuid) { match in
      let (id, _) = match.output
      return label(of: EntityID(id.lowercased())).map { "\(id) (\($0))" } ?? String(id)
    }
  }

  private static var uuid: Regex<(Substring, Substring)> {
    /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
  }

  static func entities(in message: String) -> [EntityID] {
    message.matches(of: uuid).map { EntityID($0.output.0.lowercased()) }
  }

  /// Returns the entity's label in the first namespace that contains it; nil if the entity is
  /// unknown.
  private func label(of id: EntityID) -> String? {
    guard let entity = store.handle(of: id) else { return nil }
    let identity = schema.attributes.first { $0.isIdentity && store.value(entity, $0.id) != nil }
    guard let identity else { return nil }
    let label = label(of: entity, in: identity.namespace)
    return label == id.text ? nil : label
  }
}

extension Schema {
  /// Returns the attribute whose value is the label of an entity in `namespace`. Nil if a key is a
  /// better label.
  ///
  /// It is the first of these that exists: the label attribute that the schema declares, a text
  /// with a name such as `title`, a unique text, a text that does not merely classify the entity.
  func labelAttribute(of namespace: String) -> Attribute? {
    if let label = label(of: namespace), let named = attribute(namespace, label) { return named }
    let texts = plainAttributes(of: namespace).filter {
      ($0.checkedType ?? .string) == .string && $0.exactForm != .json
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

  /// Returns the attributes whose values can be part of a label: no links, ids or foreign keys.
  fileprivate func plainAttributes(of namespace: String) -> [Attribute] {
    attributes(of: namespace).filter {
      $0.valueType == .blob && !$0.isIdentity && $0.keyOf == nil
    }
  }

  /// Attribute names, such as `status` or `notes`, whose values do not identify an entity.
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
  /// The name of the attribute's database column; without a column, the attribute's label.
  var ownLabel: String { column?.name ?? label }

  /// Whether the attribute's name ends with `name` or `title`, such as `product_name` or
  /// `jobTitle`.
  fileprivate var isCalledAName: Bool {
    let label = label.lowercased()
    return label.hasSuffix("name") || label.hasSuffix("title")
  }
}

extension Value {
  /// Returns the value as text of at most `maxLength` characters. Nil for empty, null or nested
  /// values.
  func wordInName(maxLength: Int) -> String? {
    switch self {
    case .integer(let number): String(number)
    case .double, .bool: JSONWriter.text(self)
    case .text(let text): text.isEmpty ? nil : String(text.prefix(maxLength))
    case .null, .array, .object: nil
    }
  }
}
