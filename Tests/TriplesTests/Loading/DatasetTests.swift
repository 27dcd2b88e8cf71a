import Testing
import Triples

@Suite("Loading a folder of files")
struct DatasetTests {
  static let schema = """
    {"entities": {
      "countries": {"key": "code", "label": "name", "attrs": {
        "name": {"valueType": "string", "required": true, "config": {"unique": true, "indexed": true}},
        "area": {"valueType": "number"}, "founded": {"valueType": "date"}}},
      "cities": {"key": "key", "attrs": {"name": {"valueType": "string"}, "facts": {"valueType": "any"}}}},
     "links": {
      "cityCountry": {"forward": {"on": "cities", "label": "country", "has": "one"},
                      "reverse": {"on": "countries", "label": "cities", "has": "many"}},
      "capital": {"forward": {"on": "countries", "label": "capital", "has": "one"},
                  "reverse": {"on": "cities", "label": "capitalOf", "has": "one"}},
      "near": {"forward": {"on": "cities", "label": "near", "has": "many"},
               "reverse": {"on": "cities", "label": "nearOf", "has": "many"}}}}
    """
  static let countries = """
    [{"code": "FR", "name": "France", "area": 543940, "founded": "0843-08-10", "capital": "paris"},
     {"code": "ES", "name": "Espa\\u00f1a", "area": 505990.5, "founded": null}]
    """
  static let cities = """
    {"key": "paris", "name": "Paris", "country": "FR", "near": ["lyon", 7]}
    {"key": "lyon", "name": "Lyon", "country": "FR", "facts": {"rivers": ["Rh\\u00f4ne", 2]}}

    {"key": 7, "name": "7", "country": "ES", "extra": true}
    """

  static func load(_ files: (String, String)...) throws(DatasetError) -> TripleStore {
    try Dataset.load(files.map { (name: $0.0, bytes: Array($0.1.utf8)) })
  }

  static func world() throws(DatasetError) -> TripleStore {
    try load(("schema.json", schema), ("countries.json", countries), ("cities.jsonl", cities))
  }

  /// The entity of a namespace with this value of an attribute.
  static func find(
    _ namespace: String, _ label: String, _ value: Value, in store: TripleStore
  ) throws -> EntityHandle {
    let attribute = try #require(store.schema.attribute(namespace, label))
    return try #require(
      store.rows(of: namespace).handles.first { store.value($0, attribute.id) == value })
  }

  @Test("values keep their type, and missing values differ from null")
  func values() throws {
    let store = try Self.world()
    #expect(store.count(of: "countries") == 2)
    #expect(store.count(of: "cities") == 3)
    let france = try Self.find("countries", "code", "FR", in: store)
    let spain = try Self.find("countries", "name", "España", in: store)
    let area = try #require(store.schema.attribute("countries", "area")).id
    let founded = try #require(store.schema.attribute("countries", "founded")).id
    #expect(store.value(france, area) == .integer(543940))
    #expect(store.value(spain, area) == .double(505990.5))
    #expect(store.value(france, founded) == "0843-08-10")
    #expect(store.value(spain, founded) == .null)
    let lyon = try Self.find("cities", "key", "lyon", in: store)
    let paris = try Self.find("cities", "key", "paris", in: store)
    let facts = try #require(store.schema.attribute("cities", "facts")).id
    #expect(store.value(lyon, facts) == ["rivers": ["Rhône", 2]])
    #expect(store.value(paris, facts) == nil)
  }

  @Test("links refer to entities by key, whichever file is read first")
  func links() throws {
    let store = try Self.world()
    let france = try Self.find("countries", "code", "FR", in: store)
    let paris = try Self.find("cities", "key", "paris", in: store)
    let capital = try #require(store.schema.link("countries", "capital"))
    #expect(store.targets(france, capital) == [paris])
    let near = try #require(store.schema.link("cities", "near"))
    #expect(store.targets(paris, near).count == 2)
    let cities = try #require(store.schema.link("countries", "cities"))
    #expect(cities.direction == .reverse)
    #expect(store.targets(france, cities).count == 2)
    #expect(store.checkInvariants().isEmpty)
  }

  @Test("the same files give the same ids, and times in reading order")
  func identities() throws {
    let (first, second) = (try Self.world(), try Self.world())
    #expect(first.schema == second.schema)
    var times: [Int64] = []
    for namespace in ["countries", "cities"] {
      for entity in first.rows(of: namespace).handles {
        #expect(second.handle(of: first.id(of: entity)) != nil)
        #expect(first.id(of: entity).isUUID)
        times.append(first.createdAt(entity, in: namespace))
      }
    }
    #expect(times.sorted() == [1, 2, 3, 4, 5])
    // FNV-1a 128 of "countries/FR" with the bits of version 8, computed separately.
    let france = try Self.find("countries", "code", "FR", in: first)
    #expect(first.id(of: france).text == "88d8c3d7-cfb6-86b1-bf54-e289acab2836")
  }

  @Test("a UUID as id is kept, and links may use it or the key")
  func uuids() throws {
    let id = "a0000000-0000-4000-8000-000000000001"
    let store = try Self.load(
      ("schema.json", Self.schema),
      (
        "cities.json",
        "[{\"key\": \"a\", \"near\": [\"b\", \"\(id)\"]}, {\"id\": \"\(id)\", \"key\": \"b\"}]"
      ),
      ("countries.csv", "code,name,capital\nXX,Nowhere,b\n"))
    let b = try #require(store.handle(of: EntityID(id)))
    #expect(store.contains(b, in: "cities"))
    let near = try #require(store.schema.link("cities", "near"))
    #expect(store.targets(try Self.find("cities", "key", "a", in: store), near) == [b])
    let capital = try #require(store.schema.link("countries", "capital"))
    #expect(store.targets(try Self.find("countries", "code", "XX", in: store), capital) == [b])
  }

  @Test("without a schema types are inferred from the values")
  func inference() throws {
    let store = try Self.load(
      ("things.json", #"[{"id": "x", "n": 1, "t": "a", "b": true, "m": 1}, {"n": 2.5, "m": "z"}]"#))
    func type(_ label: String) -> CheckedType? {
      store.schema.attribute("things", label)?.checkedType
    }
    #expect(type("n") == .number)
    #expect(type("t") == .string)
    #expect(type("b") == .boolean)
    #expect(type("m") == nil)
    #expect(store.schema.attribute("things", "m")?.inferredTypes == ["number", "string"])
    #expect(store.schema.links(of: "things").isEmpty)
    _ = try Self.find("things", "key", "x", in: store)
  }

  @Test("the label of the schema is the displayed name of an entity")
  func label() throws {
    #expect(try Self.world().schema.label(of: "countries") == "name")
    #expect(try Self.world().schema.label(of: "cities") == nil)
  }

  @Test("a backup of an app is read as a folder, with its times and dangling links")
  func backup() throws {
    let id = "c0000000-0000-4000-8000-000000000001"
    let gone = "c0000000-0000-4000-8000-000000000002"
    let store = try Self.load(
      (
        "config.json",
        #"{"counts": {"tasks": 1}, "schema": {"entities": {"tasks": {"attrs": {}}}, "links": {"sub": "#
          + #"{"forward": {"on": "tasks", "label": "sub", "has": "many"}, "#
          + #""reverse": {"on": "tasks", "label": "parent", "has": "one"}}}}}"#
      ),
      (
        "entities/tasks.jsonl",
        "{\"entity\":{\"id\":\"\(id)\",\"title\":\"Plan\",\"sub\":[\"\(gone)\"]},\"createdAt\":1736467200014}\n"
      ))
    let task = try #require(store.handle(of: EntityID(id)))
    #expect(store.createdAt(task, in: "tasks") == 1_736_467_200_014)
    #expect(store.count(of: "tasks") == 1)
    #expect(store.schema.namespaces == ["tasks"])
  }

  @Test("in a backup, an entity without a creation time has the time 0")
  func backupTimes() throws {
    let ids = (1...4).map { "c0000000-0000-4000-8000-00000000000\($0)" }
    let store = try Self.load(
      ("config.json", #"{"schema": {"entities": {"tasks": {"attrs": {}}}, "links": {}}}"#),
      (
        "entities/tasks.jsonl",
        """
        {"entity":{"id":"\(ids[0])"}}
        {"entity":{"id":"\(ids[1])"},"createdAt":null}
        {"createdAt":1736467200014.0,"entity":{"id":"\(ids[2])"}}
        {"entity":{"id":"\(ids[3])"},"createdAt":5,"more":1}
        """
      ))
    #expect(store.count(of: "tasks") == 4)
    #expect(store.schema.attribute("tasks", "entity") == nil)
    for (id, time) in zip(ids, [0, 0, 1_736_467_200_014, 5] as [Int64]) {
      let task = try #require(store.handle(of: EntityID(id)))
      #expect(store.createdAt(task, in: "tasks") == time)
    }
  }

  @Test("elsewhere, an object with the members of a backup's row and others is an ordinary row")
  func rowLikeBackup() throws {
    let store = try Self.load(
      ("a.jsonl", #"{"entity":{"n":1}}"# + "\n" + #"{"entity":{"n":2},"createdAt":5,"more":1}"#))
    for label in ["entity", "createdAt", "more"] {
      #expect(store.schema.attribute("a", label) != nil)
    }
  }

  @Test("other files are skipped, and no files give an empty store")
  func others() throws {
    #expect(try Self.load().schema.namespaces.isEmpty)
    let store = try Self.load(("README.md", "# [not data"), ("a.json", "[]"))
    #expect(store.schema.namespaces == ["a"])
    #expect(store.count(of: "a") == 0)
  }
}
