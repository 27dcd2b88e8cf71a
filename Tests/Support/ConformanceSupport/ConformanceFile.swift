package import InstaQL
package import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of the shared conformance data: facts, and queries with the answers expected of them.
package struct ConformanceFile {
  package let name: String
  package let store: TripleStore
  /// What queries are validated against; nil checks shapes only.
  package let schema: Schema?
  package let infersCardinality: Bool
  package let hasDateObjects: Bool
  package let cases: [Case]

  package struct Case {
    package let id: String
    package let tags: Set<String>
    package let query: Value
    package let pageInfo: JSONObject?
    package let result: JSONObject?
    package let error: JSONObject?

    /// The page boundaries that the server returned.
    package func pages() throws -> [String: PageInfo] { try Self.pages(pageInfo) }

    package static func pages(_ pageInfo: JSONObject?) throws -> [String: PageInfo] {
      var pages: [String: PageInfo] = [:]
      for member in pageInfo?.members ?? [] {
        let info = try required(member.value.object)
        pages[member.key] = PageInfo(
          start: info["start-cursor"].flatMap(Cursor.init(json:)),
          end: info["end-cursor"].flatMap(Cursor.init(json:)),
          hasNext: info["has-next-page?"] == true, hasPrevious: info["has-previous-page?"] == true)
      }
      return pages
    }
  }

  // MARK: Where it is

  /// The folder of the query cases next to the checkout; nil if it does not exist.
  package static let folder = folder("instaql")

  /// A folder of the shared data, when it is there.
  package static func folder(_ name: String) -> String? {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let path = "/" + root + "/../shared/conformance/" + name
    return access(path, R_OK) == 0 ? path : nil
  }

  /// All files of questions in the folder.
  package static let names = folder.map { names(in: $0, format: "instaql-conformance/1") } ?? []

  /// The files and folders of cases in a folder that are written in a format, by name.
  package static func names(in folder: String, format: String) -> [String] {
    names(in: folder).filter { name in
      begins("\(folder)/\(name).json", with: format)
        || begins("\(folder)/\(name)/cases.json", with: format)
    }
  }

  /// All files and folders of cases in a folder, by name.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if file.hasPrefix(".") || file.hasSuffix(".md") { continue }
      names.append(file.hasSuffix(".json") ? String(file.dropLast(5)) : file)
    }
    return names.sorted()
  }

  private static func begins(_ path: String, with format: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self).contains("\"\(format)\"")
  }

  package init(_ name: String) throws {
    let folder = try required(Self.folder)
    let path = folder + "/" + name
    let isFolder = access(path + ".json", R_OK) != 0
    let file = try Self.object(path + (isFolder ? "/cases.json" : ".json"))
    self.name = name
    let options = file["options"]?.object ?? JSONObject()
    infersCardinality = options["cardinalityInference"] == .bool(true)
    hasDateObjects = options["useDateObjects"] == .bool(true)
    let attributes = isFolder ? try Self.read(path + "/attrs.json") : try required(file["attrs"])
    let triples = isFolder ? try Self.read(path + "/triples.json") : try required(file["triples"])
    store = try Self.store(attributes, triples)
    schema =
      options["useSchema"] == .bool(true)
      ? try Self.schema(try required(file["schema"]?.object)) : nil
    cases = (file["cases"]?.list ?? []).compactMap(\.object).map { object in
      Case(
        id: object["id"]?.text ?? "", tags: Set((object["tags"]?.list ?? []).compactMap(\.text)),
        query: object["query"]?.withPlainDates ?? .null, pageInfo: object["pageInfo"]?.object,
        result: object["result"]?.object, error: object["error"]?.object)
    }
  }

  // MARK: Reading

  package static func read(_ path: String) throws -> Value {
    guard let file = fopen(path, "r") else { throw Missing() }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return try JSONReader.value(of: bytes, options: JSONOptions(largeIntegers: .doubles))
  }

  package static func object(_ path: String) throws -> JSONObject {
    try required(read(path).object)
  }

  package static func store(_ attributes: Value, _ triples: Value) throws -> TripleStore {
    var store = TripleStore()
    let list = attributes.list ?? attributes.object?.members.map(\.value) ?? []
    for json in list { store.addAttribute(try Attribute(json: json)) }
    for triple in triples.list ?? [] {
      guard let parts = triple.list, let entity = parts[0].text, let id = parts[1].text,
        let attribute = store.schema.attribute(AttributeID(id))
      else { continue }
      var time: Int64 = 0
      if parts.count > 3, case .integer(let given) = parts[3] { time = given }
      let handle = store.makeEntity(EntityID(entity), in: attribute.namespace)
      store.insert(parts[2], of: handle, attribute.id, at: time)
    }
    return store
  }

  package static func schema(_ json: JSONObject) throws -> Schema {
    var schema = Schema()
    for entity in (json["entities"]?.list ?? []).compactMap(\.object) {
      let namespace = entity["name"]?.text ?? ""
      schema.set(Attribute(id: AttributeID(namespace + ".id"), namespace: namespace, label: "id"))
      for attribute in (entity["attrs"]?.list ?? []).compactMap(\.object) {
        schema.set(Self.attribute(namespace, attribute))
      }
    }
    for link in (json["links"]?.list ?? []).compactMap(\.object) {
      guard let forward = link["forward"]?.object, let reverse = link["reverse"]?.object else {
        continue
      }
      let on = forward["on"]?.text ?? ""
      let label = forward["label"]?.text ?? ""
      schema.set(
        Attribute(
          id: AttributeID(on + "." + label), namespace: on, label: label,
          reverse: Attribute.Name(
            namespace: reverse["on"]?.text ?? "", label: reverse["label"]?.text ?? ""),
          valueType: .ref, cardinality: forward["has"] == "one" ? .one : .many
        ).with {
          $0.isUnique = reverse["has"] == "one"
          $0.onDelete = forward["onDelete"] == "cascade" ? .cascade : nil
          $0.onDeleteReverse = reverse["onDelete"] == "cascade" ? .cascade : nil
        })
    }
    return schema
  }

  private static func attribute(_ namespace: String, _ json: JSONObject) -> Attribute {
    let label = json["name"]?.text ?? ""
    return Attribute(id: AttributeID(namespace + "." + label), namespace: namespace, label: label)
      .with {
        $0.isUnique = json["unique"] == true
        $0.isIndexed = json["indexed"] == true
        $0.isRequired = json["required"] == true
        $0.checkedType = (json["type"]?.text).flatMap(CheckedType.init(rawValue:))
      }
  }
}

package struct Missing: Error {}

package func required<T>(_ value: T?) throws -> T {
  guard let value else { throw Missing() }
  return value
}

extension Value {
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var list: [Value]? { if case .array(let list) = self { list } else { nil } }
  package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The text of a date object, `{"$date": "…"}`.
  package var date: String? {
    guard let object, object.count == 1 else { return nil }
    return object["$date"]?.text
  }

  /// The same with date objects as texts.
  package var withPlainDates: Value {
    if let date { return .text(date) }
    switch self {
    case .array(let list): return .array(list.map(\.withPlainDates))
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.withPlainDates)
          }))
    default: return self
    }
  }

  /// Whether this is what was wanted: keys in any order, numbers by size, a date object equal to
  /// whatever text or number denotes its instant.
  package func isAnswer(_ wanted: Value) -> Bool {
    if let date = wanted.date { return instant != nil && instant == Instant(date) }
    switch (self, wanted) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isAnswer($1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && b.members.allSatisfy { a[$0.key]?.isAnswer($0.value) == true }
    case (.text(let a), .text(let b)): return a.utf8.elementsEqual(b.utf8)
    default: return isSameJSON(as: wanted)
    }
  }

  /// The same where cursors of triples without a time say 0, as a store does.
  package var withoutAbsentTimes: Value {
    switch self {
    case .array(let list) where list.count == 4 && list[3] == .null:
      return .array(Array(list.dropLast()) + [0])
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.withoutAbsentTimes)
          }))
    default: return self
    }
  }

  package var instant: Instant? {
    switch self {
    case .text(let text): Instant(text)
    case .integer(let number): Instant(milliseconds: number)
    case .double(let number): Instant(milliseconds: number)
    case .null, .bool, .array, .object: nil
    }
  }
}
