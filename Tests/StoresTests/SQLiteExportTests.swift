import ConformanceSupport
import DataSources
import Foundation
import InstaQL
import LiveQueries
import Stores
import Testing
import Triples

/// A store written as tables of SQLite, and opened again.
@Suite("A store written as a SQLite database", .timeLimit(.minutes(5)))
struct SQLiteExportTests {
  private func export(_ store: TripleStore) async throws -> (path: String, remarks: [String]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "app.sqlite").path()
    let remarks = try await StoreExport.write(
      WholeStore(StoreSnapshot(store)), to: path, as: StoreExport.Format(path: path))
    return (path, remarks)
  }

  private func opened(_ path: String) async throws -> TripleStore {
    try await SQLiteStore.open(file: path).get(AllObjectsQuery()).store
  }

  /// Links of movies lead to namespaces without entities; the table of people replaces them.
  /// In zeneca a text without a checked type is ordered by code units, in a column of texts by letters.
  private static let different = ["movies": ["q07", "q08"], "zeneca": ["q37"]]

  @Test(
    "an exported database gives the same answers",
    .enabled(if: ConformanceFile.folder != nil), arguments: ["movies", "zeneca"])
  func answers(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let (path, remarks) = try await export(file.store)
    #expect(remarks == [])
    let found = try await opened(path)
    let added = added(to: file.store.schema, in: found.schema)
    var compared = 0
    for example in file.cases
    where example.error == nil && Self.different[name]?.contains(example.id) != true {
      let query = JSONWriter.text(example.query)
      // A cursor names attributes, which have other ids there.
      guard !query.contains("\"after\""), !query.contains("\"before\""),
        let document = try? QueryDocument(json: query),
        let wanted = try? QueryEngine.json(document, in: file.store)
      else { continue }
      let answer = try QueryEngine.json(document, in: found)
      let data = try data(answer).removing(added)
      #expect(
        try data.isSameJSON(as: self.data(wanted).removing([])),
        "\(example.id): \(answer) and \(wanted)")
      compared += 1
    }
    #expect(compared > 0)
  }

  @Test(
    "each value is preserved, except those in the report",
    .enabled(if: ConformanceFile.folder != nil),
    arguments: ConformanceFile.names.filter { $0.hasPrefix("example") })
  func values(_ name: String) async throws {
    let old = try ConformanceFile(name).store
    let (path, remarks) = try await export(old)
    let new = try await opened(path)
    for attribute in old.schema.attributes where !attribute.isIdentity {
      let name = "\(attribute.namespace).\(attribute.label)"
      let isNamed = remarks.contains { $0.hasPrefix(name + ":") }
      guard let entities = old.schema.attribute(attribute.namespace, "id"), !isNamed else {
        continue
      }
      for entity in old.rows(entities.id, .stored).handles {
        let there = try #require(new.handle(of: old.id(of: entity)), "\(name)")
        if attribute.valueType == .ref {
          let link = try #require(new.schema.link(attribute.namespace, attribute.label), "\(name)")
          let ends = old.targets(entity, Link(attribute, .forward)).map { old.id(of: $0) }
          #expect(Set(new.targets(there, link).map { new.id(of: $0) }) == Set(ends), "\(name)")
          continue
        }
        let column = try #require(new.schema.attribute(attribute.namespace, attribute.label))
        let value = new.value(there, column.id) ?? .null
        #expect(value.isSameJSON(as: old.value(entity, attribute.id) ?? .null), "\(name)")
      }
    }
  }

  @Test("a text in a column of numbers or dates is not reported as a number or date")
  func otherTexts() async throws {
    var store = TripleStore()
    store.addAttribute(attribute("people", "id") { $0.isUnique = true })
    store.addAttribute(attribute("people", "size") { $0.checkedType = .number })
    store.addAttribute(attribute("people", "born") { $0.checkedType = .date })
    let person = add(1, to: "people", of: &store)
    store.insert(.text("abc"), of: person, AttributeID("people/size"), at: 1)
    store.insert(.text("hello"), of: person, AttributeID("people/born"), at: 1)
    let (_, remarks) = try await export(store)
    #expect(remarks == [])
  }

  @Test("a database written from a database has the same columns and answers")
  func databases() async throws {
    let sql = """
      CREATE TABLE users (
        id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES users(id));
      CREATE TABLE things (
        id TEXT PRIMARY KEY NOT NULL, "key" INTEGER, owner INTEGER REFERENCES users(id));
      CREATE TABLE users_things (
        users_id INTEGER REFERENCES users(id), things_id TEXT REFERENCES things(id),
        PRIMARY KEY (users_id, things_id));
      CREATE TABLE words ("ID" INTEGER PRIMARY KEY, word TEXT);
      CREATE TABLE plain (word TEXT PRIMARY KEY NOT NULL, id TEXT);
      INSERT INTO users VALUES (1, 'Ann', NULL), (2, 'Bo', 1), (7, 'Cy', 7);
      INSERT INTO things VALUES ('a', 5, 1), ('b', 6, NULL);
      INSERT INTO users_things VALUES (1, 'a'), (7, 'a'), (7, 'b');
      INSERT INTO words VALUES (3, 'three');
      INSERT INTO plain VALUES ('v', NULL), ('w', 'same'), ('x', 'same');
      """
    try await OtherDatabase.with(sql) { file in
      let path = file.path + "-copy.sqlite"
      let whole = try await file.store.wholeStore(bytes: .spelled)
      let remarks = try await StoreExport.write(whole, to: path, as: .sqlite)
      #expect(remarks == ["plain.id is exported as column 'key'."])
      let copy = try await SQLiteStore.open(file: path)
      func names(_ schema: Schema) -> [String] {
        schema.attributes.filter { $0.namespace != "plain" }
          .map { "\($0.namespace).\($0.label) \($0.reverse?.label ?? "")" }.sorted()
      }
      let schema = try await copy.get(SchemaQuery()).store.schema
      #expect(names(schema) == names(file.schema))
      for text in [
        "users order id", "users filter boss.id = 1 with boss, things",
        "things order id with owner",
        "things filter key > 5", "words filter ID = 3", "users filter things.id = \"b\"",
      ] {
        #expect(try await json(text, copy) == json(text, file.store), "\(text)")
      }
    }
  }

  /// The answer to a query as JSON.
  private func json(_ text: String, _ store: SQLiteStore) async throws -> String {
    let snapshot = try await store.get(AllObjectsQuery())
    let document = try QueryDocument(text: text, schema: snapshot.store.schema)
    return try QueryEngine.json(document, in: snapshot.store)
  }

  /// The foreign key columns that a database shows next to their links.
  private func added(to old: Schema, in new: Schema) -> Set<String> {
    Set(new.attributes.map(\.label)).subtracting(old.attributes.map(\.label))
  }

  /// Cursors name attributes, which have other ids there.
  private func data(_ json: String) throws -> Value {
    guard case .object(let answer) = try JSONReader.value(of: Array(json.utf8)) else {
      return .null
    }
    return answer["data"] ?? .null
  }

  private func attribute(
    _ namespace: String, _ label: String, _ change: (inout Attribute) -> Void = { _ in }
  ) -> Attribute {
    var attribute = Attribute(
      id: AttributeID("\(namespace)/\(label)"), namespace: namespace, label: label)
    change(&attribute)
    return attribute
  }

  private func id(_ number: Int) -> EntityID {
    EntityID("00000000-0000-4000-8000-" + String(repeating: "0", count: 11) + "\(number)")
  }

  private func add(_ number: Int, to namespace: String, of store: inout TripleStore) -> EntityHandle
  {
    let entity = store.makeEntity(id(number), in: namespace)
    store.insert(.text(id(number).text), of: entity, AttributeID("\(namespace)/id"), at: 1)
    return entity
  }

  @Test("tables have proper keys, types and constraints, and lost values are reported")
  func tables() async throws {
    var store = TripleStore()
    for namespace in ["people", "likes", "Likes"] {
      store.addAttribute(attribute(namespace, "id") { $0.isUnique = true })
    }
    store.addAttribute(
      attribute("people", "email") { ($0.isUnique, $0.isRequired) = (true, true) })
    for label in ["any", "doc", "flag", "key"] { store.addAttribute(attribute("people", label)) }
    for label in ["from", "to"] {
      store.addAttribute(
        attribute("likes", label) {
          $0.valueType = .ref
          $0.reverse = Attribute.Name(namespace: "people", label: "likes_\(label)")
        })
    }
    store.addAttribute(
      attribute("people", "friends") {
        ($0.valueType, $0.cardinality) = (.ref, .many)
        $0.reverse = Attribute.Name(namespace: "people", label: "friendOf")
      })
    for number in 1...3 {
      let person = add(number, to: "people", of: &store)
      store.insert(.text("p\(number)@x"), of: person, AttributeID("people/email"), at: 1)
      store.insert(number == 1 ? .bool(true) : 7, of: person, AttributeID("people/any"), at: 1)
      store.insert(["n": .integer(Int64(number))], of: person, AttributeID("people/doc"), at: 1)
      store.insert(.bool(number == 1), of: person, AttributeID("people/flag"), at: 1)
      store.insert(.text("k"), of: person, AttributeID("people/key"), at: 1)
    }
    let people = (1...3).map { store.makeEntity(id($0), in: "people") }
    let like = add(9, to: "likes", of: &store)
    store.insert(target: people[0], of: like, AttributeID("likes/from"), at: 1)
    store.insert(
      target: add(8, to: "Likes", of: &store), of: like, AttributeID("likes/to"), at: 1)
    store.insert(target: people[1], of: people[0], AttributeID("people/friends"), at: 1)

    let (path, remarks) = try await export(store)
    #expect(
      remarks == [
        "The namespace 'Likes' is exported as table 'Likes_'.",
        "people.any: true and false are written as 1 and 0, because the column also has other types (1 in all).",
        "people.doc: lists and objects are written as JSON text (3 in all).",
        "likes.to: 1 broken reference is not exported.",
      ])
    let found = try await opened(path)
    #expect(found.schema.attribute("people", "email")?.isUnique == true)
    #expect(found.schema.attribute("people", "email")?.isRequired == true)
    #expect(found.schema.attribute("people", "flag")?.checkedType == .boolean)
    let person = try #require(found.handle(of: id(1)))
    #expect(found.value(person, try #require(found.schema.attribute("people", "key")).id) == "k")
    for (namespace, label) in [("likes", "from"), ("people", "likes_to"), ("people", "friendOf")] {
      #expect(found.schema.link(namespace, label) != nil, "\(namespace).\(label)")
    }
    let friends = try #require(found.schema.link("people", "friends"))
    #expect(found.targets(person, friends).map { found.id(of: $0) } == [id(2)])
    #expect(found.count(of: "likes") == 1)
  }
}

extension Value {
  /// The same value without members of these names, at any depth.
  fileprivate func removing(_ names: Set<String>) -> Value {
    switch self {
    case .array(let values): return .array(values.map { $0.removing(names) })
    case .object(let object):
      var rest = JSONObject()
      // A missing value and a null are the same to a database.
      for member in object.sortedMembers
      where !names.contains(member.key) && member.value != .null {
        rest[member.key] = member.value.removing(names)
      }
      return .object(rest)
    default: return self
    }
  }
}
