/// The state of a namespace during the loading of its file.
struct NamespaceLoader {
  /// How the values of a label are loaded. The type is small and contains no references to count,
  /// because it is read for every value.
  struct Field {
    enum Kind {
      case identity
      case value
      case link(isMany: Bool, isUnique: Bool, target: Int)

      var isLink: Bool { if case .link = self { true } else { false } }
    }

    var kind: Kind
    var column: Int
    var checkedType: CheckedType?
    var isRequired = false
    /// The form of the values in CSV; nil for plain cells.
    var cells: CSVCellForm?
    /// Whether the type is inferred from the values.
    var isInferred = false
    /// The types of the values so far, as the raw value of ``SeenKinds``.
    var seen: UInt8 = 0
    /// The index of the last row with a value in this field.
    var row = -1
  }

  let name: String
  let number: Int
  /// Whether the schema declares the namespace.
  let isDeclared: Bool
  /// The hash of `NAME/`, to which a key is appended to derive an entity's id.
  let prefix: DerivedID
  private(set) var fields: [Field] = []
  private(set) var attributes: [Attribute] = []
  /// The hash seed of each field's label.
  private(set) var seeds: [UInt64] = []
  private var labels: [[UInt8]] = []
  private var places: [String: Int] = [:]
  /// The field that identifies an entity; nil until the loader finds such a field.
  var key: Int?
  var isKeyDeclared: Bool
  /// Whether several entities may have the same key, so that its uniqueness must be checked.
  var repeatsKey = false
  /// The field for values of `id` that are not UUIDs, if another field is the key; otherwise nil.
  var idField: Int?
  /// The field with the values that the file calls `id`; nil if there are none yet.
  private var fileID: Int?
  /// Whether the values that the file calls `id` are in several fields.
  private var isFileIDSplit = false
  /// Whether the file has the id of an entity, which is a UUID.
  var hasUUIDs = false
  private(set) var requiredCount = 0
  /// The target rows that an entity already links to, keyed by field. Contains only links that
  /// allow one entity per target.
  var taken: [Int: Set<UInt32>] = [:]
  var rowCount = 0
  /// The number of rows that are values instead of objects.
  var valueCount = 0

  init(_ name: String, number: Int, isDeclared: Bool, isKeyDeclared: Bool) {
    self.name = name
    self.number = number
    self.isDeclared = isDeclared
    self.isKeyDeclared = isKeyDeclared
    prefix = DerivedID(name + "/")
  }

  mutating func add(_ attribute: Attribute, _ field: Field) {
    places[attribute.label] = fields.count
    labels.append(Array(attribute.label.utf8))
    seeds.append(ContentHash.seed(of: attribute.label))
    fields.append(field)
    attributes.append(attribute)
    if field.isRequired { requiredCount += 1 }
  }

  func place(of label: String) -> Int? { places[label] }

  /// Records that a value that the file calls `id` is in a field.
  mutating func recordFileID(at place: Int) {
    guard fileID != place else { return }
    isFileIDSplit = isFileIDSplit || fileID != nil
    fileID = place
  }

  /// The attribute with all values that the file calls `id`; nil if these are the ids of entities.
  var attributeOfFileID: Attribute? {
    guard let fileID, !isFileIDSplit, case .value = fields[fileID].kind else { return nil }
    return attributes[fileID]
  }

  /// Returns the label of a field; empty for nil.
  func label(of place: Int?) -> String { place.map { attributes[$0].label } ?? "" }

  /// Adds another label for a field.
  mutating func add(alias: String, of place: Int) { places[alias] = place }

  /// Returns the index of the field with a label; nil if there is none. `guess` is the index to try
  /// first.
  @inline(__always)
  func place(of label: UnsafeBufferPointer<UInt8>, guess: Int) -> Int? {
    if guess < labels.count, Self.areEqual(labels[guess], label) { return guess }
    guard labels.count <= 24 else { return places[String(decoding: label, as: UTF8.self)] }
    for place in labels.indices where Self.areEqual(labels[place], label) { return place }
    return places.count > labels.count ? places[String(decoding: label, as: UTF8.self)] : nil
  }

  /// Records that the current row has a value in a field. Returns false if the row already had a
  /// value in that field.
  @inline(__always)
  mutating func markField(_ place: Int) -> Bool {
    if fields[place].row == rowCount { return false }
    fields[place].row = rowCount
    return true
  }

  @inline(__always)
  mutating func addKinds(_ kinds: SeenKinds, at place: Int) { fields[place].seen |= kinds.rawValue }

  @inline(__always)
  private static func areEqual(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    for place in 0..<b.count where a[place] != b[place] { return false }
    return true
  }
}

/// The set of types that an attribute's values have.
struct SeenKinds: OptionSet {
  let rawValue: UInt8

  static let string = SeenKinds(rawValue: 1)
  static let number = SeenKinds(rawValue: 2)
  static let boolean = SeenKinds(rawValue: 4)
  static let json = SeenKinds(rawValue: 8)

  /// The names of these types, in the form of `Attribute.inferredTypes`.
  var names: [String] {
    var names: [String] = []
    if contains(.number) { names.append("number") }
    if contains(.string) { names.append("string") }
    if contains(.boolean) { names.append("boolean") }
    if contains(.json) { names.append("json") }
    return names
  }

  /// The type that all values have; nil when there are several types, or no values.
  var onlyType: CheckedType? {
    switch self {
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    default: nil
    }
  }
}
