import Triples

/// The entities of a namespace as JSON objects with id, values and forward links.
struct EntityRows {
  struct Field {
    let label: String
    let attribute: AttributeID
    let column: Int
    /// Whether the attribute can have several values.
    let isList: Bool
    let isLink: Bool
    let checkedType: CheckedType?
  }

  let store: TripleStore
  let namespace: String
  let fields: [Field]

  init(_ namespace: String, of store: TripleStore) {
    self.store = store
    self.namespace = namespace
    fields = store.schema.allOwnAttributes(of: namespace).compactMap { attribute in
      guard !attribute.isIdentity, let column = store.column(of: attribute.id) else { return nil }
      return Field(
        label: attribute.label, attribute: attribute.id, column: column,
        isList: attribute.cardinality == .many, isLink: attribute.valueType == .ref,
        checkedType: attribute.checkedType)
    }
  }

  /// The entities in the order of creation, so that a reader that numbers them gets the same order.
  var entities: [EntityHandle] {
    store.rows(of: namespace).handles
      .map { (time: store.createdAt($0, in: namespace), handle: $0) }
      .sorted { ($0.time, $0.handle) < ($1.time, $1.handle) }
      .map(\.handle)
  }

  /// Writes an entity as one line.
  func write(_ entity: EntityHandle, into output: inout JSONOutput) {
    output.append(#"{"id":"#)
    store.writeID(entity, into: &output)
    for field in fields where store.holds(entity, column: field.column) {
      output.append(UInt8(ascii: ","))
      output.write(field.label)
      output.append(UInt8(ascii: ":"))
      if field.isList {
        writeList(store.values(entity, field.attribute), into: &output)
      } else {
        _ = store.write(entity, column: field.column, into: &output)
      }
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes an entity as a line of a backup, with its creation time and the line end.
  func writeWithTime(_ entity: EntityHandle, into output: inout JSONOutput) {
    output.append(#"{"entity":"#)
    write(entity, into: &output)
    output.append(#","createdAt":"#)
    output.write(store.createdAt(entity, in: namespace))
    output.append("}\n")
  }

  private func writeList(_ values: [Value], into output: inout JSONOutput) {
    output.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      output.write(value)
    }
    output.append(UInt8(ascii: "]"))
  }
}

extension Schema {
  /// Returns the attributes of a namespace, including its forward links, in their order.
  func allOwnAttributes(of namespace: String) -> [Attribute] {
    attributes.filter { $0.namespace == namespace }
  }

  /// The namespaces that have entities, that is, the namespaces with an attribute `id`.
  var entityNamespaces: [String] {
    namespaces.filter { identity(of: $0) != nil }
  }

  /// Returns the schema in the format of Instant's tools and of folders.
  ///
  /// - Parameter namesLabels: Whether to name the attribute that labels a namespace's entities.
  ///   Backups do not contain this name.
  func exported(namesLabels: Bool) -> JSONObject {
    var entities: [JSONObject.Member] = []
    for namespace in entityNamespaces {
      let attributes = allOwnAttributes(of: namespace)
        .filter { $0.valueType == .blob && !$0.isIdentity }
        .map { JSONObject.Member(key: $0.label, value: $0.exported) }
      var entity = JSONObject([.init(key: "attrs", value: .object(JSONObject(attributes)))])
      if namesLabels, let label = label(of: namespace) { entity["label"] = .text(label) }
      entities.append(.init(key: namespace, value: .object(entity)))
    }
    var links: [JSONObject.Member] = []
    let known = Set(entityNamespaces)
    for attribute in attributes where attribute.valueType == .ref {
      guard let reverse = attribute.reverse, known.contains(attribute.namespace),
        known.contains(reverse.namespace)
      else { continue }
      links.append(
        .init(
          key: "\(attribute.namespace).\(attribute.label)",
          value: attribute.exportedLink(to: reverse)))
    }
    return JSONObject([
      .init(key: "entities", value: .object(JSONObject(entities))),
      .init(key: "links", value: .object(JSONObject(links))),
    ])
  }
}

extension JSONObject {
  /// Declares the forms of cells in a schema that ``Schema/exported(namesLabels:)`` created.
  mutating func setCellForms(
    _ forms: [(label: String, form: CSVCellForm)], of namespace: String
  ) {
    guard !forms.isEmpty, var entities = self["entities"]?.object,
      var entity = entities[namespace]?.object, var attributes = entity["attrs"]?.object
    else { return }
    for (label, form) in forms {
      guard var attribute = attributes[label]?.object else { continue }
      attribute["cells"] = .text(form.rawValue)
      attributes[label] = .object(attribute)
    }
    entity["attrs"] = .object(attributes)
    entities[namespace] = .object(entity)
    self["entities"] = .object(entities)
  }
}

extension Attribute {
  fileprivate var exported: Value {
    var object = JSONObject([
      .init(key: "valueType", value: .text(checkedType?.rawValue ?? "any")),
      .init(key: "config", value: ["unique": .bool(isUnique), "indexed": .bool(hasIndex)]),
    ])
    if isRequired { object["required"] = true }
    return .object(object)
  }

  fileprivate func exportedLink(to reverse: Name) -> Value {
    var forward: [JSONObject.Member] = [
      .init(key: "on", value: .text(namespace)), .init(key: "label", value: .text(label)),
      .init(key: "has", value: .text(cardinality.rawValue)),
    ]
    if isRequired { forward.append(.init(key: "required", value: true)) }
    if let onDelete { forward.append(.init(key: "onDelete", value: .text(onDelete.rawValue))) }
    var back: [JSONObject.Member] = [
      .init(key: "on", value: .text(reverse.namespace)),
      .init(key: "label", value: .text(reverse.label)),
      .init(key: "has", value: .text(isUnique ? "one" : "many")),
    ]
    if let onDeleteReverse {
      back.append(.init(key: "onDelete", value: .text(onDeleteReverse.rawValue)))
    }
    return [
      "forward": .object(JSONObject(forward)), "reverse": .object(JSONObject(back)),
    ]
  }
}
