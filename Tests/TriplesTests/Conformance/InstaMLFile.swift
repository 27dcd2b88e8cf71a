import Glibc
import Triples

/// A file of the shared conformance data: facts, and sequences of transactions with what each does.
struct InstaMLFile {
  let store: TripleStore
  /// What operations are validated against; nil allows anything.
  let declared: Schema?
  let readsDates: Bool
  let sequences: [Sequence]

  struct Sequence {
    let name: String
    let steps: [JSONObject]
    let finalTriples: [Value]
  }

  struct Unreadable: Error {
    let what: String
  }

  /// The folder beside the checkout, when it is there.
  static let folder: String? = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let path = "/" + root + "/../shared/conformance/instaml"
    return access(path, R_OK) == 0 ? path : nil
  }()

  static let names = [
    "edge-plain", "edge-schema", "edge-date-objects", "example-01", "example-02", "example-03",
    "example-04", "example-05", "example-06",
  ]

  init(_ name: String) throws {
    guard let folder = Self.folder,
      case .object(let file) = try Self.read("\(folder)/\(name).json")
    else { throw Unreadable(what: name) }
    let options = file["options"]?.members ?? JSONObject()
    readsDates = options["useDateObjects"] == true
    declared =
      options["useSchema"] == true ? Self.schema(file["schema"]?.members ?? JSONObject()) : nil
    store = try Self.store(file["attrs"]?.items ?? [], file["triples"]?.items ?? [])
    sequences = (file["sequences"]?.items ?? []).compactMap(\.members).map { sequence in
      Sequence(
        name: sequence["name"]?.textValue ?? "",
        steps: (sequence["steps"]?.items ?? []).compactMap(\.members),
        finalTriples: sequence["finalTriples"]?.items ?? [])
    }
  }

  private static func read(_ path: String) throws -> Value {
    guard let file = fopen(path, "r") else { throw Unreadable(what: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return try JSONReader.value(of: bytes, options: JSONOptions(largeIntegers: .doubles))
  }

  private static func store(_ attributes: [Value], _ triples: [Value]) throws -> TripleStore {
    var store = TripleStore()
    for json in attributes { store.addAttribute(try Attribute(json: json)) }
    for triple in triples {
      guard let parts = triple.items, let entity = parts[0].textValue,
        let id = parts[1].textValue, let attribute = store.schema.attribute(AttributeID(id))
      else { throw Unreadable(what: "triple") }
      var time: Int64 = 0
      if case .integer(let given) = parts[3] { time = given }
      let handle = store.makeEntity(EntityID(entity), in: attribute.namespace)
      store.insert(parts[2].withPlainDates, of: handle, attribute.id, at: time)
    }
    return store
  }

  private static func schema(_ json: JSONObject) -> Schema {
    var schema = Schema()
    for entity in (json["entities"]?.items ?? []).compactMap(\.members) {
      let namespace = entity["name"]?.textValue ?? ""
      schema.set(Attribute(id: AttributeID(namespace + ".id"), namespace: namespace, label: "id"))
      for attribute in (entity["attrs"]?.items ?? []).compactMap(\.members) {
        let label = attribute["name"]?.textValue ?? ""
        schema.set(
          Attribute(
            id: AttributeID(namespace + "." + label), namespace: namespace, label: label,
            isUnique: attribute["unique"] == true, isIndexed: attribute["indexed"] == true,
            isRequired: attribute["required"] == true,
            checkedType: attribute["type"]?.textValue.flatMap(CheckedType.init(rawValue:))))
      }
    }
    for link in (json["links"]?.items ?? []).compactMap(\.members) {
      let (forward, reverse) = (link["forward"]?.members, link["reverse"]?.members)
      guard let forward, let reverse else { continue }
      let namespace = forward["on"]?.textValue ?? ""
      let label = forward["label"]?.textValue ?? ""
      schema.set(
        Attribute(
          id: AttributeID(namespace + "." + label), namespace: namespace, label: label,
          reverse: Attribute.Name(
            namespace: reverse["on"]?.textValue ?? "", label: reverse["label"]?.textValue ?? ""),
          valueType: .ref, cardinality: forward["has"] == "one" ? .one : .many,
          isUnique: reverse["has"] == "one",
          onDelete: forward["onDelete"] == "cascade" ? .cascade : nil,
          onDeleteReverse: reverse["onDelete"] == "cascade" ? .cascade : nil))
    }
    return schema
  }
}

extension Value {
  var items: [Value]? { if case .array(let items) = self { items } else { nil } }
  var members: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The text of a date object, `{"$date": "…"}`.
  var dateObject: String? { members.flatMap { $0.count == 1 ? $0["$date"]?.textValue : nil } }

  /// The same with date objects as texts: stores keep dates as they are written.
  var withPlainDates: Value {
    if let dateObject { return .text(dateObject) }
    switch self {
    case .array(let items): return .array(items.map(\.withPlainDates))
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.withPlainDates)
          }))
    case .null, .bool, .integer, .double, .text: return self
    }
  }

  /// Whether this is what was wanted: numbers by size, keys in any order, and a date object equal to
  /// whatever denotes its instant.
  func isWanted(_ wanted: Value) -> Bool {
    if let date = wanted.dateObject, let mine = instant { return mine == Instant(date) }
    switch (self, wanted) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isWanted($1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count && b.members.allSatisfy { a[$0.key]?.isWanted($0.value) == true }
    default: return isSameJSON(as: wanted)
    }
  }

  private var instant: Instant? {
    switch self {
    case .text(let text): Instant(text)
    case .integer(let number): Instant(milliseconds: number)
    case .double(let number): Instant(milliseconds: number)
    case .null, .bool, .array, .object: dateObject.flatMap { Instant($0) }
    }
  }
}
