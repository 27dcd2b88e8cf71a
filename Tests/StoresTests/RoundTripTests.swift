import DataSourcesTesting
import Foundation
import LiveQueries
@testable import Stores
import TestSupport
import Testing
import Triples

@Suite("Round trips of unusual stores", .timeLimit(.minutes(10)))
struct RoundTripTests {
  // Tables have types and names of their own; `SQLiteExportTests` compare their answers.
  @Test(
    "every value, link and time is restored",
    arguments: StoreExport.Format.allCases.filter { $0 != .sqlite })
  func formats(_ format: StoreExport.Format) async throws {
    for seed in 1...25 as ClosedRange<UInt64> {
      var random = OddStore(seed: seed)
      let store = random.store()
      try await withTemporaryFolder { folder in
        let path = folder + "/out" + (format == .backup ? ".zip" : format == .dump ? ".json" : "")
        try await StoreExport.write(WholeStore(store), to: path, as: format)
        let back = try await FileSource.load(path).store
        #expect(Self.facts(back) == Self.facts(store), "\(format), seed \(seed)")
        #expect(Self.shape(back.schema) == Self.shape(store.schema), "\(format), seed \(seed)")
        if format == .backup || format == .dump {
          #expect(Self.moments(back) == Self.moments(store), "\(format), seed \(seed)")
        }
        #expect(back.checkInvariants() == [], "\(format), seed \(seed)")
      }
    }
  }

  @Test("a store file and its backup keep everything")
  func file() async throws {
    for seed in 101...115 as ClosedRange<UInt64> {
      var random = OddStore(seed: seed)
      let store = random.store()
      try await withTemporaryFolder { folder in
        try await LocalStore.create(file: folder + "/a.sonde", of: store)
        let back = try await FileSource.load(folder + "/a.sonde").store
        #expect(Self.facts(back) == Self.facts(store), "seed \(seed)")
        #expect(Self.moments(back) == Self.moments(store), "seed \(seed)")
        #expect(Self.shape(back.schema) == Self.shape(store.schema), "seed \(seed)")
      }
    }
  }

  private static func facts(_ store: TripleStore) -> [String] {
    store.schema.attributes.flatMap { attribute in
      store.rows(attribute.id, .stored).handles.flatMap { entity in
        store.values(entity, attribute.id).map {
          "\(store.id(of: entity)) \(attribute.namespace).\(attribute.label) \(exact($0))"
        }
      }
    }.sorted()
  }

  private static func exact(_ value: Value) -> String {
    if case .double(let number) = value { return "double \(number.bitPattern)" }
    return JSONWriter.text(value)
  }

  /// When each entity came into its namespace, for those that were given a moment.
  private static func moments(_ store: TripleStore) -> [String] {
    store.schema.namespaces.flatMap { namespace in
      store.rows(of: namespace).handles.map {
        "\(namespace) \(store.id(of: $0)) \(store.createdAt($0, in: namespace))"
      }
    }.sorted()
  }

  /// What the schema says, without ids and without what is only a hint.
  private static func shape(_ schema: Schema) -> [String] {
    schema.attributes.map { attribute in
      var words = [attribute.namespace, attribute.label, attribute.valueType.rawValue]
      words += [attribute.cardinality.rawValue, attribute.checkedType?.rawValue ?? "any"]
      words += ["\(attribute.reverse.map { "\($0.namespace).\($0.label)" } ?? "-")"]
      words += ["\(attribute.isRequired)", "\(attribute.onDelete != nil)"]
      words += ["\(attribute.onDeleteReverse != nil)"]
      if !attribute.isIdentity { words += ["\(attribute.isUnique) \(attribute.isIndexed)"] }
      return words.joined(separator: "|")
    }.sorted()
  }
}

/// A store of what is hard to write down, by a seed.
private struct OddStore {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let namespaces = [
    "", "notes", "..", ".hidden", "a/b", "a\\b", "schema", "config", "%2F", "100%25", "Ünï 𝄞",
    "q\"uote", "new\nline", "$users", "\u{202E}rtl", "a b", "entities", "files",
  ]
  private static let labels = [
    "title", "createdAt", "entity", "a b", "q\"uote", "/", "..", "\\", "é", "\u{202E}", "x\ny", "0",
    "null", "$", "%41",
  ]
  private static let texts = [
    "", "\0", "\u{202E}\u{2066}", "null", "true", "12", "-0", "1e5", " a ", "a;b", "a,\"b\"\n\r",
    "é𝄞", "\u{FEFF}x", "{}", "[1]", "2024-01-01", String(repeating: "x", count: 3_000),
  ]

  mutating func store() -> TripleStore {
    var store = TripleStore()
    let names = Self.namespaces.shuffled(using: &random).prefix(2 + random.below(4))
    var ids: [String: [EntityID]] = [:]
    for name in names {
      let id = attribute(name, "id", isUnique: true)
      store.addAttribute(id)
      ids[name] = (0..<random.below(12)).map { _ in entityID() }
      for entity in ids[name] ?? [] {
        let handle = store.makeEntity(entity, in: name)
        store.insert(
          .text(entity.text), of: handle, id.id, at: Int64(random.below(1 << 40)))
      }
    }
    for name in names { addValues(to: &store, name, ids[name] ?? []) }
    for name in names { addLinks(to: &store, name, Array(names), ids) }
    return store
  }

  private mutating func entityID() -> EntityID {
    EntityID(UUID(uuid: unsafeUUID()).uuidString.lowercased())
  }

  private mutating func unsafeUUID() -> uuid_t {
    var bytes = (0..<16).map { _ in UInt8(random.below(256)) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return (
      bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
      bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
    )
  }

  private func attribute(_ namespace: String, _ label: String, isUnique: Bool = false) -> Attribute
  {
    Attribute(id: AttributeID("\(namespace)|\(label)"), namespace: namespace, label: label).with {
      $0.isUnique = isUnique
      $0.isIndexed = isUnique
      $0.catalog = namespace.hasPrefix("$") ? .system : .user
    }
  }

  private mutating func addValues(
    to store: inout TripleStore, _ namespace: String, _ entities: [EntityID]
  ) {
    for label in Self.labels.shuffled(using: &random).prefix(random.below(6)) {
      var own = attribute(namespace, label)
      own.checkedType = random.pick([nil, nil, .string, .number, .boolean, .date])
      own.isIndexed = random.oneIn(2)
      store.addAttribute(own)
      for entity in entities where !random.oneIn(4) {
        let handle = store.makeEntity(entity, in: namespace)
        store.insert(value(of: own.checkedType), of: handle, own.id, at: 5)
      }
    }
  }

  private mutating func value(of type: CheckedType?) -> Value {
    if random.oneIn(6) { return .null }
    switch type {
    case .string: return .text(random.pick(Self.texts))
    case .number: return number()
    case .boolean: return .bool(random.oneIn(2))
    case .date:
      return random.pick([
        .text("2024-02-29"), .integer(1_704_067_200_000), .integer(-1), .integer(1970),
      ])
    case nil: return json(depth: 0)
    }
  }

  private mutating func number() -> Value {
    random.pick([
      .integer(.max), .integer(.min), .integer(0), .double(-0.0),
      .double(Double.leastNonzeroMagnitude),
      .double(.greatestFiniteMagnitude), .double(0.1), .integer(1 << 53 + 1),
    ])
  }

  private mutating func json(depth: Int) -> Value {
    switch random.below(depth > 3 ? 4 : 7) {
    case 0: return .text(random.pick(Self.texts))
    case 1: return number()
    case 2: return .bool(random.oneIn(2))
    case 3: return .null
    case 4: return .array((0..<random.below(4)).map { _ in json(depth: depth + 1) })
    case 5:
      var deep: Value = .text("end")
      for _ in 0..<60 { deep = [deep] }
      return deep
    default:
      let keys = Self.labels.shuffled(using: &random).prefix(3)
      return .object(
        JSONObject(keys.map { JSONObject.Member(key: $0, value: json(depth: depth + 1)) }))
    }
  }

  private mutating func addLinks(
    to store: inout TripleStore, _ namespace: String, _ names: [String],
    _ ids: [String: [EntityID]]
  ) {
    for number in 0..<random.below(3) {
      let target = random.pick(names)
      var link = attribute(namespace, "link\(number)")
      link.valueType = .ref
      link.cardinality = random.oneIn(2) ? .many : .one
      link.reverse = Attribute.Name(
        namespace: target, label: "back \(namespace) \(number)")
      link.onDelete = random.oneIn(3) ? .cascade : nil
      store.addAttribute(link)
      for entity in ids[namespace] ?? [] where random.oneIn(2) {
        let handle = store.makeEntity(entity, in: namespace)
        for _ in 0..<(link.cardinality == .many ? 1 + random.below(3) : 1) {
          let end = random.oneIn(5) ? entityID() : ids[target]?.randomElement(using: &random)
          guard let end else { continue }
          store.insert(.text(end.text), of: handle, link.id, at: 6)
        }
      }
    }
  }
}
