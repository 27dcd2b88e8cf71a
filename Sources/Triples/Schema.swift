/// All attributes of a store, by id and by name.
///
/// A namespace exists as long as an attribute refers to it. If two attributes have the same name,
/// the name refers to the last of them.
public struct Schema: Sendable {
  /// The namespaces in the order of their first occurrence.
  public private(set) var namespaces: [String] = []
  private var order: [AttributeID] = []
  private var byID: [AttributeID: Attribute] = [:]
  private var contents: [String: Contents] = [:]
  /// The namespaces that queries can name although ``namespaces`` does not list them: partitions of
  /// tables. Each has the attributes of the namespace that contains its rows, too.
  package fileprivate(set) var partitions: [String: String] = [:]

  /// The labels of earlier attributes and links, keyed by namespace; see ``rememberNames(of:)``. They
  /// do not affect equality.
  package private(set) var earlierLabels: [String: Set<String>] = [:]

  /// The attributes whose values files call `id`, keyed by namespace. They do not affect equality.
  private var fileIDs: [String: AttributeID] = [:]

  /// The namespaces whose files have no ids of entities. They do not affect equality.
  private var derivedIDs: Set<String> = []

  /// The attributes of a namespace by label, and its display label.
  private struct Contents: Equatable {
    var attributes: [String: AttributeID] = [:]
    var attributeOrder: [AttributeID] = []
    var reverseLinks: [String: AttributeID] = [:]
    var reverseOrder: [AttributeID] = []
    var label: String?
    var identity: AttributeID?

    var isEmpty: Bool { attributes.isEmpty && reverseLinks.isEmpty }
  }

  /// Creates a schema of attributes. If two attributes have the same name, the last one is used.
  public init(_ attributes: some Sequence<Attribute> = []) {
    for attribute in attributes { set(attribute) }
  }

  /// All attributes in order of insertion.
  public var attributes: [Attribute] { order.compactMap { byID[$0] } }

  /// Returns the attribute with this id; nil if there is none.
  public func attribute(_ id: AttributeID) -> Attribute? { byID[id] }

  /// Returns the attribute or forward link with this name; nil if there is none.
  public func attribute(_ namespace: String, _ label: String) -> Attribute? {
    contents[namespace]?.attributes[label].flatMap { byID[$0] }
  }

  /// Returns the link with this name; nil if there is none. A forward link takes precedence over a
  /// reverse link.
  public func link(_ namespace: String, _ label: String) -> Link? {
    guard let contents = contents[namespace] else { return nil }
    if let id = contents.attributes[label], let attribute = byID[id], attribute.valueType == .ref {
      return Link(attribute, .forward)
    }
    return contents.reverseLinks[label].flatMap { byID[$0] }.map { Link($0, .reverse) }
  }

  /// Returns the blob attributes of a namespace, including its id attribute unless that is
  /// internal.
  public func attributes(of namespace: String) -> [Attribute] {
    all(of: namespace).filter { $0.valueType == .blob && !$0.isInternal }
  }

  /// Returns the blob attributes of a namespace, including its id attribute even if that is
  /// internal.
  package func allAttributes(of namespace: String) -> [Attribute] {
    all(of: namespace).filter { $0.valueType == .blob }
  }

  /// Returns the attribute that makes entities members of a namespace; nil if the namespace has no
  /// such attribute.
  public func identity(of namespace: String) -> Attribute? {
    contents[namespace]?.identity.flatMap { byID[$0] }
  }

  /// Returns the label of the identity of a namespace: `id`, unless that is a column of the
  /// database.
  package func identityLabel(of namespace: String) -> String {
    identity(of: namespace)?.label ?? "id"
  }

  /// Returns the forward links of a namespace, then its reverse links. A reverse link with the same
  /// name as a forward link is omitted.
  public func links(of namespace: String) -> [Link] {
    let forward = all(of: namespace).filter { $0.valueType == .ref }.map { Link($0, .forward) }
    let reverse = (contents[namespace]?.reverseOrder ?? []).compactMap { byID[$0] }
      .filter { attribute in
        guard let label = attribute.reverse?.label else { return false }
        return self.attribute(namespace, label)?.valueType != .ref
          && contents[namespace]?.reverseLinks[label] == attribute.id
      }
    return forward + reverse.map { Link($0, .reverse) }
  }

  /// Returns the namespace that has the attributes of a namespace which queries can name; nil if
  /// there is no such namespace.
  package func namespace(queriedAs name: String) -> String? {
    contents[name] == nil ? partitions[name] : name
  }

  /// Returns the label of the attribute that displays an entity of a namespace; nil if it is not
  /// set.
  public func label(of namespace: String) -> String? { contents[namespace]?.label }

  /// Returns the attribute with the values that the namespace's file calls `id`. Nil if they are
  /// the ids of the entities, or if the entities are not from a file.
  package func fileID(of namespace: String) -> Attribute? {
    fileIDs[namespace].flatMap { byID[$0] }
  }

  /// Returns whether the entities of a namespace have ids only because their file has none.
  package func hasDerivedIDs(_ namespace: String) -> Bool { derivedIDs.contains(namespace) }

  private func all(of namespace: String) -> [Attribute] {
    (contents[namespace]?.attributeOrder ?? []).compactMap { byID[$0] }
  }
}

// Changing the schema.
extension Schema {
  /// Adds an attribute, or replaces the attribute with the same id.
  public mutating func set(_ attribute: Attribute) {
    let old = byID[attribute.id]
    if let old {
      forgetNames(of: old)
      if old.namespace != attribute.namespace {
        contents[old.namespace]?.attributeOrder.removeAll { $0 == attribute.id }
      }
    } else {
      order.append(attribute.id)
    }
    byID[attribute.id] = attribute
    enterNames(of: attribute)
    if let old { dropEmptyNamespaces(of: old) }
  }

  /// Removes an attribute; a namespace without attributes disappears.
  public mutating func remove(_ id: AttributeID) {
    guard let old = byID.removeValue(forKey: id) else { return }
    order.removeAll { $0 == id }
    forgetNames(of: old)
    dropEmptyNamespaces(of: old)
  }

  /// Sets the attribute that displays an entity of `namespace`; nil removes the setting.
  public mutating func setLabel(_ label: String?, of namespace: String) {
    contents[namespace]?.label = label
  }

  /// Sets the attribute with the values that the namespace's file calls `id`.
  mutating func setFileID(_ attribute: AttributeID, of namespace: String) {
    fileIDs[namespace] = attribute
  }

  /// Records that the file of `namespace` has no ids of entities.
  mutating func setHasDerivedIDs(_ namespace: String) { derivedIDs.insert(namespace) }

  /// Sets the namespaces that queries can name but that are not listed, with the namespaces that
  /// contain their rows.
  package mutating func setPartitions(_ partitions: [String: String]) {
    self.partitions = partitions
  }

  /// The maximum number of lost namespaces whose names are recorded, so that memory stays limited
  /// while a program creates and drops tables.
  private static let maxLostNamespaces = 1_000

  /// Records the names in an earlier schema of the same store, and those that it recorded unless
  /// there are too many.
  package mutating func rememberNames(of earlier: Schema) {
    let present = earlier.namespaces.count + earlier.partitions.count
    if earlier.earlierLabels.count <= present + Self.maxLostNamespaces {
      earlierLabels.merge(earlier.earlierLabels) { $0.union($1) }
    }
    for namespace in earlier.namespaces {
      let labels =
        earlier.attributes(of: namespace).map(\.label) + earlier.links(of: namespace).map(\.label)
      earlierLabels[namespace, default: []].formUnion(labels)
    }
    for partition in earlier.partitions.keys where earlierLabels[partition] == nil {
      earlierLabels[partition] = []
    }
  }

  private mutating func enterNames(of attribute: Attribute) {
    enter(attribute.namespace) { contents in
      contents.attributes[attribute.label] = attribute.id
      if attribute.isIdentity { contents.identity = attribute.id }
      if !contents.attributeOrder.contains(attribute.id) {
        contents.attributeOrder.append(attribute.id)
      }
    }
    guard attribute.valueType == .ref, let reverse = attribute.reverse else { return }
    enter(reverse.namespace) { contents in
      contents.reverseLinks[reverse.label] = attribute.id
      if !contents.reverseOrder.contains(attribute.id) {
        contents.reverseOrder.append(attribute.id)
      }
    }
  }

  private mutating func enter(_ namespace: String, _ change: (inout Contents) -> Void) {
    if contents[namespace] == nil { namespaces.append(namespace) }
    change(&contents[namespace, default: Contents()])
  }

  private mutating func forgetNames(of attribute: Attribute) {
    let (id, name) = (attribute.id, attribute.name)
    if contents[name.namespace]?.identity == id { contents[name.namespace]?.identity = nil }
    if contents[name.namespace]?.attributes[name.label] == id {
      contents[name.namespace]?.attributes[name.label] = nil
    }
    if byID[id]?.namespace != name.namespace {
      contents[name.namespace]?.attributeOrder.removeAll { $0 == id }
    }
    guard let reverse = attribute.reverse else { return }
    if contents[reverse.namespace]?.reverseLinks[reverse.label] == id {
      contents[reverse.namespace]?.reverseLinks[reverse.label] = nil
    }
    contents[reverse.namespace]?.reverseOrder.removeAll { $0 == id }
  }

  /// Removes the namespaces that existed only because of a replaced or removed attribute.
  private mutating func dropEmptyNamespaces(of old: Attribute) {
    for namespace in [old.namespace, old.reverse?.namespace].compactMap({ $0 })
    where contents[namespace]?.isEmpty == true {
      contents[namespace] = nil
      namespaces.removeAll { $0 == namespace }
    }
  }
}

extension Schema: Equatable {
  public static func == (a: Schema, b: Schema) -> Bool {
    a.order == b.order && a.byID == b.byID && a.contents == b.contents
      && a.partitions == b.partitions
  }
}
