import Triples
import Widgets

/// The values of a new entity that the user is entering, with all fields of its namespace.
///
/// The label attribute comes first, then required fields, then the others.
struct EntityDraft: Sendable, Equatable {
  /// An attribute or link and its value in the new entity.
  struct Field: Sendable, Equatable {
    let source: ColumnSource
    /// The text typed for an attribute.
    var text = TextField()
    /// The targets of a link.
    var linked: [Linked] = []
    /// The error message for the field's current value; nil if the value is valid.
    var complaint: String?

    var label: String { source.label }
    var attribute: Attribute? { source.attribute }
    var link: Link? { source.link }

    var isRequired: Bool {
      link.map { $0.direction == .forward && $0.attribute.isRequired } ?? attribute?.isRequired
        ?? false
    }

    var isEmpty: Bool { text.text.isBlank && linked.isEmpty }
  }

  /// An entity selected as the target of a link, with its label.
  struct Linked: Sendable, Equatable {
    let entity: EntityID
    let name: String
  }

  let namespace: String
  private(set) var fields: [Field]
  /// The attribute whose value is the label of the entity.
  private let labelAttribute: Attribute?
  /// The attributes that default to a slug of the label, such as `plant-a-hedge`.
  private let slugAttributes: Set<AttributeID>
  /// The key of the row if its values are UUIDs; nil for any other key.
  private let uuidKey: AttributeID?

  init(of namespace: String, in catalog: Catalog) {
    self.namespace = namespace
    let labelAttribute = catalog.schema.labelAttribute(of: namespace)
    self.labelAttribute = labelAttribute
    slugAttributes = Set(
      catalog.schema.attributes(of: namespace)
        .filter { $0.id != labelAttribute?.id && Self.isSlug($0, in: catalog) }.map(\.id))
    uuidKey = Self.uuidKey(of: namespace, in: catalog)
    let values = catalog.schema.attributes(of: namespace)
      .filter { $0.valueType == .blob && !$0.isIdentity && $0.readOnlyReason(of: nil) == nil }
      .map { Field(source: .attribute($0)) }
    let links = catalog.schema.links(of: namespace).map { Field(source: .link($0)) }
    let first = values.filter { $0.label == labelAttribute?.label }
    let rest = values.filter { $0.label != labelAttribute?.label } + links
    fields = first + rest.filter(\.isRequired) + rest.filter { !$0.isRequired }
  }

  /// Whether no field was filled in.
  var isEmpty: Bool { fields.allSatisfy(\.isEmpty) }

  /// The first field that is invalid, or required but missing.
  var firstTrouble: Int? {
    fields.indices.first { fields[$0].complaint != nil || isMissing(fields[$0]) }
  }

  /// Returns whether the field is required and empty, and has no default value.
  func isMissing(_ field: Field) -> Bool {
    field.isRequired && field.isEmpty && proposal(for: field) == nil && !getsUUID(field)
  }

  /// Returns whether the field is an empty key that defaults to a new UUID.
  func getsUUID(_ field: Field) -> Bool {
    field.isEmpty && uuidKey != nil && field.attribute?.id == uuidKey
  }

  /// Returns the default value of a key or slug: a slug of the entity's label. Nil for other fields.
  func proposal(for field: Field) -> String? {
    guard let attribute = field.attribute, slugAttributes.contains(attribute.id) else { return nil }
    let words = Self.words(of: fields.first?.typed ?? "")
    return words.isEmpty ? nil : words
  }

  /// Returns a slug of a text: its letters and digits in lowercase, with hyphens between the words.
  private static func words(of name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  /// Returns whether an attribute is called a key or slug, and its existing values look like slugs.
  private static func isSlug(_ attribute: Attribute, in catalog: Catalog) -> Bool {
    slugLabels.contains(attribute.label.lowercased()) && isUniqueText(attribute)
      && catalog.texts(of: attribute).allSatisfy { $0 == words(of: $0) }
  }

  /// Returns the key of a table if its existing values are UUIDs; nil for any other key.
  private static func uuidKey(of namespace: String, in catalog: Catalog) -> AttributeID? {
    guard let key = catalog.keyAttributes(of: namespace).first, isUniqueText(key) else {
      return nil
    }
    return catalog.hasUUIDs(key) ? key.id : nil
  }

  private static func isUniqueText(_ attribute: Attribute) -> Bool {
    attribute.isRequired && attribute.isUnique && attribute.keyOf == nil
      && (attribute.checkedType ?? .string) == .string
  }

  private static let slugLabels: Set<String> = ["key", "slug"]

  // MARK: Filling in

  /// Edits the text of a field, and validates it if the edit had a result. Nil for a link.
  mutating func edit<Result>(
    _ place: Int, in catalog: Catalog?, _ change: (inout TextField) -> Result?
  ) -> Result? {
    guard fields.indices.contains(place), fields[place].attribute != nil else { return nil }
    let result = change(&fields[place].text)
    if result != nil, let catalog { check(place, in: catalog) }
    return result
  }

  /// Adds a target to the link at an index. The new target of a to-one link replaces the previous
  /// target.
  mutating func add(_ linked: Linked, at place: Int) {
    guard fields.indices.contains(place), let link = fields[place].link else { return }
    fields[place].linked.removeAll { link.cardinality == .one || $0.entity == linked.entity }
    fields[place].linked.append(linked)
    fields[place].complaint = nil
  }

  /// Removes the last target of the link at an index. Returns false if the link has no target.
  mutating func removeLast(at place: Int) -> Bool {
    fields.indices.contains(place) && fields[place].linked.popLast() != nil
  }

  /// Validates all fields. It is called when the data of the store has changed.
  mutating func check(in catalog: Catalog) {
    for place in fields.indices { check(place, in: catalog) }
  }

  private mutating func check(_ place: Int, in catalog: Catalog) {
    fields[place].complaint = nil
    guard let attribute = fields[place].attribute, let typed = value(of: fields[place]) else {
      return
    }
    switch TypedValue.read(typed, of: attribute) {
    case .failure(let refusal): fields[place].complaint = refusal.text
    case .success(let value):
      if value == .null, attribute.isRequired {
        fields[place].complaint = "\(attribute.label) is required and cannot be null"
      } else if catalog.isTaken(value, under: attribute) {
        fields[place].complaint = "Another row of \(namespace) has this \(attribute.label)"
      }
    }
  }

  /// Adds the message of a rejection to the field that it concerns.
  ///
  /// - Returns: The index of the field; nil if the rejection concerns none of the fields.
  mutating func mark(_ refusal: Rejection) -> Int? {
    guard let label = refusal.label, let place = fields.firstIndex(where: { $0.label == label })
    else { return nil }
    fields[place].complaint = refusal.text
    return place
  }

  // MARK: Creating

  /// Returns the transaction steps that create the entity with the given id, or the first error.
  func steps(_ id: EntityID, in catalog: Catalog) -> Result<[TransactionStep], Rejection> {
    guard let identity = catalog.schema.identity(of: namespace) else {
      return .failure(Rejection(.noIDs(in: namespace)))
    }
    var steps: [TransactionStep] = [.addTriple(.id(id), identity.id, .text(id.text))]
    for field in fields {
      if let link = field.link {
        steps += field.linked.map { link.step(from: id, to: $0.entity, adding: true) }
      }
      guard let attribute = field.attribute,
        let typed = getsUUID(field) ? id.text : value(of: field)
      else { continue }
      switch TypedValue.read(typed, of: attribute) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let value): steps.append(.addTriple(.id(id), attribute.id, value))
      }
    }
    return .success(steps)
  }

  /// Returns the text of a field or its default value; nil if it has none.
  private func value(of field: Field) -> String? { field.typed ?? proposal(for: field) }

  /// The entity's label in messages.
  var name: String {
    let typed = labelAttribute == nil ? nil : fields.first?.typed
    return typed.map { String($0.prefix(60)) } ?? "a row of \(namespace)"
  }
}

extension EntityDraft.Field {
  /// The text typed for a value; nil if it is empty.
  fileprivate var typed: String? { text.text.isBlank ? nil : text.text }
}
