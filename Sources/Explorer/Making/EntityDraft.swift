import TerminalUI
import Triples

/// A thing that is being made: all that its kind can have, each as far as it was typed or chosen.
///
/// What names it comes first, then what it must have, then the rest.
struct EntityDraft: Sendable, Equatable {
  /// An attribute or a link, and what the new thing has there.
  struct Field: Sendable, Equatable {
    enum Content: Sendable, Equatable {
      case value(Attribute, TextField)
      case link(Link, [Linked])
    }

    var content: Content
    /// What is wrong with it as it stands.
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

  /// An entity that a link shall lead to, with the name by which it was chosen.
  struct Linked: Sendable, Equatable {
    let entity: EntityID
    let name: String
  }

  let namespace: String
  private(set) var fields: [Field]
  /// The attribute that names the new thing.
  private let naming: Attribute?
  /// The attributes whose values can be made of the name.
  private let madeOfName: Set<AttributeID>

  init(of namespace: String, in catalog: Catalog) {
    self.namespace = namespace
    let naming = catalog.labelAttribute(of: namespace)
    self.naming = naming
    madeOfName = Set(
      catalog.schema.attributes(of: namespace)
        .filter { $0.id != naming?.id && Self.isMadeOfName($0, in: catalog) }.map(\.id))
    let values = catalog.schema.attributes(of: namespace)
      .filter { $0.valueType == .blob && !$0.isIdentity }
      .map { Field(content: .value($0, TextField())) }
    let links = catalog.schema.links(of: namespace).map { Field(content: .link($0, [])) }
    let first = values.filter { $0.label == naming?.label }
    let rest = values.filter { $0.label != naming?.label } + links
    fields = first + rest.filter(\.isRequired) + rest.filter { !$0.isRequired }
  }

  /// Whether nothing was typed or chosen yet.
  var isEmpty: Bool { fields.allSatisfy(\.isEmpty) }

  /// The first field that keeps the thing from being made.
  var firstTrouble: Int? {
    fields.indices.first { fields[$0].complaint != nil || isMissing(fields[$0]) }
  }

  /// Whether it must be there and is not, nor is made of the name.
  func isMissing(_ field: Field) -> Bool {
    field.isRequired && field.isEmpty && proposal(for: field) == nil
  }

  /// What is taken when nothing is typed: a text by which each entity must be known apart is made of
  /// the name.
  func proposal(for field: Field) -> String? {
    guard case .value(let attribute, _) = field.content, madeOfName.contains(attribute.id) else {
      return nil
    }
    let words = Self.words(of: fields.first?.typed ?? "")
    return words.isEmpty ? nil : words
  }

  /// Letters and digits with lines between the words.
  private static func words(of name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  /// Whether the values of an attribute are such as can be made of a name: no addresses, and in the
  /// entities that there are nothing but words with lines between.
  private static func isMadeOfName(_ attribute: Attribute, in catalog: Catalog) -> Bool {
    guard attribute.isRequired, attribute.isUnique, (attribute.checkedType ?? .string) == .string,
      !addresses.contains(where: attribute.label.lowercased().contains)
    else { return false }
    let known = catalog.store.rows(of: attribute.namespace).handles.prefix(mostLookedAt)
    return known.allSatisfy { entity in
      guard case .text(let text)? = catalog.store.value(entity, attribute.id) else { return true }
      return text == words(of: text)
    }
  }

  private static let mostLookedAt = 50
  private static let addresses = ["mail", "phone", "url", "website", "domain"]

  // MARK: Filling in

  /// Edits the text of a field; false where there is none, or when the key is none of an editor's.
  mutating func handle(_ key: Key, at place: Int, in catalog: Catalog) -> Outcome? {
    guard fields.indices.contains(place),
      case .value(let attribute, var text) = fields[place].content,
      let typed = text.handle(key)
    else { return nil }
    fields[place].content = .value(attribute, text)
    check(place, in: catalog)
    return typed
  }

  /// The line of a field, to move about in without changing what is typed; nil where none is typed.
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

  mutating func paste(_ text: String, at place: Int, in catalog: Catalog) -> Outcome? {
    guard fields.indices.contains(place),
      case .value(let attribute, var field) = fields[place].content
    else { return nil }
    let outcome = field.paste(text)
    fields[place].content = .value(attribute, field)
    check(place, in: catalog)
    return outcome
  }

  /// Lets a link lead to one more entity; a link to one leads to this one now.
  mutating func add(_ linked: Linked, at place: Int) {
    guard fields.indices.contains(place), case .link(let link, let before) = fields[place].content
    else { return }
    let others = link.cardinality == .one ? [] : before.filter { $0.entity != linked.entity }
    fields[place].content = .link(link, others + [linked])
    fields[place].complaint = nil
  }

  /// Takes back the last entity that a link was led to; false where there is none.
  mutating func removeLast(at place: Int) -> Bool {
    guard fields.indices.contains(place), case .link(let link, let linked) = fields[place].content,
      !linked.isEmpty
    else { return false }
    fields[place].content = .link(link, linked.dropLast())
    return true
  }

  /// Says of each field what is wrong with it, after the store's data have changed.
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
        fields[place].complaint = "\(attribute.label) is required: null will not do"
      } else if catalog.isTaken(value, under: attribute) {
        fields[place].complaint = "Another of \(namespace) has this \(attribute.label)"
      }
    }
  }

  /// Puts what the store said beside the field that it is about.
  /// - Returns: The field; nil when it is about none of them.
  mutating func complain(_ refusal: Rejection) -> Int? {
    guard let label = refusal.label, let place = fields.firstIndex(where: { $0.label == label })
    else { return nil }
    fields[place].complaint = refusal.text
    return place
  }

  // MARK: Making it

  /// What makes the thing under an id.
  func steps(_ id: EntityID, in catalog: Catalog) -> Result<[TransactionStep], Rejection> {
    guard let identity = catalog.schema.attribute(namespace, "id") else {
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

  /// How a sentence calls it.
  var name: String {
    let typed = naming == nil ? nil : fields.first?.typed
    return typed.map { String($0.prefix(60)) } ?? "a row of \(namespace)"
  }
}

extension EntityDraft.Field {
  /// The text of a value; nil while there is none.
  fileprivate var typed: String? {
    guard case .value(_, let field) = content, !isEmpty else { return nil }
    return field.text
  }
}
