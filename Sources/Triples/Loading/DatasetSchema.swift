/// The form of an attribute's values in CSV, which `schema.json` declares under `cells`.
package enum CSVCellForm: String, Sendable {
  /// Each cell contains JSON, so that nulls differ from missing values, and numbers from texts.
  case json
  /// An empty cell is a null, and no value is missing.
  case emptyIsNull
}

/// The contents of `schema.json`: types, keys and links of the files in its folder.
struct DatasetSchema {
  struct Entity {
    var name: String
    /// The attribute that identifies an entity in links.
    var key: String?
    /// The attribute that is displayed as an entity's label.
    var label: String?
    var attributes: [Attribute]
    /// The CSV forms of the attributes that are not written as plain cells, keyed by label.
    var cells: [String: CSVCellForm] = [:]
  }

  /// The name of the file that contains the schema; empty if there is none.
  private(set) var file = ""
  var entities: [Entity] = []
  /// The links, each as the attribute of its forward direction.
  var links: [Attribute] = []
  /// Whether links may be broken references, as in backups.
  var allowsDanglingLinks = false
  /// Whether the types of attributes that the schema lacks are inferred from their values.
  var infersTypes = true
  /// Whether each row is an entity within an object that also has its creation time, as in backups.
  var wrapsEntities = false

  init() {}

  /// Parses `{"entities": …, "links": …}`. With `"danglingLinks": true`, links may be broken
  /// references.
  init(_ json: Value, file: String) throws(DatasetError) {
    self.file = file
    let root = try SchemaPart(json, path: "the schema", file: file)
    for (name, part) in try root.parts("entities") {
      try entities.append(Self.entity(name, part))
    }
    for (name, part) in try root.parts("links") {
      try links.append(link(name, part))
    }
    allowsDanglingLinks = try root.flag("danglingLinks") ?? false
  }

  private static func entity(_ name: String, _ part: SchemaPart) throws(DatasetError) -> Entity {
    var entity = Entity(
      name: name, key: try part.text("key"), label: try part.text("label"), attributes: [])
    for (label, part) in try part.parts("attrs") where label != "id" {
      try entity.attributes.append(attribute(name, label, part))
      guard let word = try part.text("cells") else { continue }
      guard let form = CSVCellForm(rawValue: word) else {
        throw part.fault("'cells' cannot be '\(word)'; use json or emptyIsNull")
      }
      entity.cells[label] = form
    }
    if let key = entity.key, !entity.attributes.contains(where: { $0.label == key }) {
      entity.attributes.insert(
        .derived(name, key, isUnique: true, isIndexed: true, isRequired: true), at: 0)
    }
    return entity
  }

  private static func attribute(
    _ namespace: String, _ label: String, _ part: SchemaPart
  ) throws(DatasetError) -> Attribute {
    let config = try part.part("config")
    let type = try part.text("valueType") ?? "any"
    guard type == "any" || type == "json" || CheckedType(rawValue: type) != nil else {
      throw part.fault(
        "'valueType' cannot be '\(type)'; use string, number, boolean, date or any")
    }
    return .derived(
      namespace, label, isUnique: try config?.flag("unique") ?? false,
      isIndexed: try config?.flag("indexed") ?? false,
      isRequired: try part.flag("required") ?? false, checkedType: CheckedType(rawValue: type))
  }

  private func link(_ name: String, _ part: SchemaPart) throws(DatasetError) -> Attribute {
    guard let forward = try part.part("forward"), let reverse = try part.part("reverse") else {
      throw part.fault("the link must have 'forward' and 'reverse'")
    }
    let (from, to) = (try end(forward), try end(reverse))
    if entities.contains(where: { entity in
      entity.name == from.namespace && entity.attributes.contains { $0.label == from.label }
    }) {
      throw forward.fault(
        "the link cannot be named '\(from.label)', because \(from.namespace) has an attribute with this name"
      )
    }
    var attribute = Attribute.derived(from.namespace, from.label)
    attribute.valueType = .ref
    attribute.reverse = Attribute.Name(
      id: DerivedID("\(from.namespace).\(from.label)/reverse").text, namespace: to.namespace,
      label: to.label)
    attribute.cardinality = try forward.cardinality
    attribute.isUnique = try reverse.cardinality == .one
    attribute.isRequired = try forward.flag("required") ?? false
    attribute.onDelete = try forward.deletion
    attribute.onDeleteReverse = try reverse.deletion
    return attribute
  }

  private func end(
    _ part: SchemaPart
  ) throws(DatasetError) -> (namespace: String, label: String) {
    guard let namespace = try part.text("on"), let label = try part.text("label") else {
      throw part.fault("each end of a link must have 'on' and 'label'")
    }
    return (namespace, label)
  }
}

extension Attribute {
  /// Creates an attribute whose ids are derived from its name.
  static func derived(
    _ namespace: String, _ label: String, isUnique: Bool = false, isIndexed: Bool = false,
    isRequired: Bool = false, checkedType: CheckedType? = nil
  ) -> Attribute {
    var attribute = Attribute(
      id: AttributeID(DerivedID("\(namespace).\(label)").text), namespace: namespace, label: label)
    attribute.isUnique = isUnique
    attribute.isIndexed = isIndexed
    attribute.isRequired = isRequired
    attribute.checkedType = checkedType
    attribute.catalog = namespace.hasPrefix("$") ? .system : .user
    attribute.name.id = DerivedID("\(namespace).\(label)/forward").text
    return attribute
  }
}
