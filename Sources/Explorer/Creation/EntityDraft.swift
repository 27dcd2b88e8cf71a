import TerminalUI
import Triples
import Widgets

/// The values of a new entity that the user is entering, with all fields of its namespace.
///
/// The label attribute comes first, then required fields, then the others.
struct EntityDraft: Sendable, Equatable {
  /// An attribute or link and its value in the new entity.
  struct Field: Sendable, Equatable {
    enum Content: Sendable, Equatable {
      case value(Attribute, TextField)
      case link(Link, [Linked])
    }

    var content: Content
    /// The error message for the field's current value; nil if the value is valid.
    var complaint: String?

    var label: String {
      switch content {
      case .value(let attribute, _): attribute.label
      case .link(let link, _): link.label
      }
    }

    var isRequired: Bool {
      switch content {
      case .value(let attribute, _): attribute.isRequired
      case .link(let link, _): link.direction == .forward && link.attribute.isRequired
      }
    }

    var isEmpty: Bool {
      switch content {
      case .value(_, let field): field.text.allSatisfy(\.isWhitespace)
      case .link(_, let linked): linked.isEmpty
      }
    }
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

  init(of namespace: String, in catalog: Catalog) {
    self.namespace = namespace
    let labelAttribute = catalog.labelAttribute(of: namespace)
    self.labelAttribute = labelAttribute
    slugAttributes = Set(
      catalog.schema.attributes(of: namespace)
        .filter { $0.id != labelAttribute?.id && Self.isSlug($0, in: catalog) }.map(\.id))
    let values = catalog.schema.attributes(of: namespace)
      .filter { $0.valueType == .blob && !$0.isIdentity }
      .map { Field(content: .value($0, TextField())) }
    let links = catalog.schema.links(of: namespace).map { Field(content: .link($0, [])) }
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
    field.isRequired && field.isEmpty && proposal(for: field) == nil
  }

  /// Returns the default value of a field: for a unique text, a slug of the entity's label. Nil for
  /// other fields.
  func proposal(for field: Field) -> String? {
    guard case .value(let attribute, _) = field.content, slugAttributes.contains(attribute.id)
    else { return nil }
    let words = Self.words(of: fields.first?.typed ?? "")
    return words.isEmpty ? nil : words
  }

  /// Returns a slug of a text: its letters and digits in lowercase, with hyphens between the words.
  private static func words(of name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  /// Returns whether the existing values of an attribute look like slugs.
  private static func isSlug(_ attribute: Attribute, in catalog: Catalog) -> Bool {
    guard attribute.isRequired, attribute.isUnique, (attribute.checkedType ?? .string) == .string,
      !addresses.contains(where: attribute.label.lowercased().contains)
    else { return false }
    let known = catalog.store.rows(of: attribute.namespace).handles.prefix(maxInspected)
    return known.allSatisfy { entity in
      guard case .text(let text)? = catalog.store.value(entity, attribute.id) else { return true }
      return text == words(of: text)
    }
  }

  private static let maxInspected = 50
  private static let addresses = ["mail", "phone", "url", "website", "domain"]

  // MARK: Filling in

  /// Edits the text of a field. Returns nil if the field has no text, or if the key does not edit
  /// text.
  mutating func handle(_ key: Key, at place: Int, in catalog: Catalog) -> InputResult? {
    guard fields.indices.contains(place),
      case .value(let attribute, var text) = fields[place].content,
      let typed = text.handle(key)
    else { return nil }
    fields[place].content = .value(attribute, text)
    check(place, in: catalog)
    return typed
  }

  /// The text field for the value at an index, including its cursor; nil for links.
  subscript(line place: Int) -> TextField? {
    get {
      guard fields.indices.contains(place), case .value(_, let text) = fields[place].content else {
        return nil
      }
      return text
    }
    set {
      guard let newValue, fields.indices.contains(place),
        case .value(let attribute, _) = fields[place].content
      else { return }
      fields[place].content = .value(attribute, newValue)
    }
  }

  mutating func paste(_ text: String, at place: Int, in catalog: Catalog) -> InputResult? {
    guard fields.indices.contains(place),
      case .value(let attribute, var field) = fields[place].content
    else { return nil }
    let outcome = field.paste(text)
    fields[place].content = .value(attribute, field)
    check(place, in: catalog)
    return outcome
  }

  /// Adds a target to the link at an index. The new target of a to-one link replaces the previous
  /// target.
  mutating func add(_ linked: Linked, at place: Int) {
    guard fields.indices.contains(place), case .link(let link, let before) = fields[place].content
    else { return }
    let others = link.cardinality == .one ? [] : before.filter { $0.entity != linked.entity }
    fields[place].content = .link(link, others + [linked])
    fields[place].complaint = nil
  }

  /// Removes the last target of the link at an index. Returns false if the link has no target.
  mutating func removeLast(at place: Int) -> Bool {
    guard fields.indices.contains(place), case .link(let link, let linked) = fields[place].content,
      !linked.isEmpty
    else { return false }
    fields[place].content = .link(link, linked.dropLast())
    return true
  }

  /// Validates all fields. It is called when the data of the store has changed.
  mutating func check(in catalog: Catalog) {
    for place in fields.indices { check(place, in: catalog) }
  }

  private mutating func check(_ place: Int, in catalog: Catalog) {
    fields[place].complaint = nil
    guard case .value(let attribute, let text) = fields[place].content else { return }
    let typed = fields[place].isEmpty ? proposal(for: fields[place]) : text.text
    guard let typed else { return }
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
      switch field.content {
      case .link(let link, let linked):
        steps += linked.map { link.step(from: id, to: $0.entity, adding: true) }
      case .value(let attribute, let text):
        guard let typed = field.isEmpty ? proposal(for: field) : text.text else { continue }
        switch TypedValue.read(typed, of: attribute) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let value): steps.append(.addTriple(.id(id), attribute.id, value))
        }
      }
    }
    return .success(steps)
  }

  /// The entity's label in messages.
  var name: String {
    let typed = labelAttribute == nil ? nil : fields.first?.typed
    return typed.map { String($0.prefix(60)) } ?? "a row of \(namespace)"
  }
}

extension EntityDraft.Field {
  /// The text typed for a value; nil if it is empty.
  fileprivate var typed: String? {
    guard case .value(_, let field) = content, !isEmpty else { return nil }
    return field.text
  }
}
