import Testing
import Triples

@Suite("A schema")
struct SchemaTests {
  let title = Attribute(id: AttributeID("a1"), namespace: "tasks", label: "title")
  let project = Attribute(
    id: AttributeID("a2"), namespace: "tasks", label: "project",
    reverse: Attribute.Name(namespace: "projects", label: "tasks"), valueType: .ref)

  @Test("a link has two ends, each with its own label, target and cardinality")
  func links() {
    let schema = Schema([title, project])
    #expect(schema.namespaces == ["tasks", "projects"])
    #expect(schema.attributes(of: "tasks").map(\.label) == ["title"])
    #expect(schema.link("tasks", "project")?.target == "projects")
    #expect(schema.link("tasks", "project")?.cardinality == .one)
    #expect(schema.link("projects", "tasks")?.direction == .reverse)
    #expect(schema.link("projects", "tasks")?.cardinality == .many)
    #expect(schema.links(of: "projects").map(\.otherLabel) == ["project"])
    #expect(schema.link("tasks", "title") == nil)
  }

  @Test("a changed attribute keeps its position and loses its old name")
  func renaming() {
    var schema = Schema([title, project])
    var renamed = title
    renamed.name.label = "name"
    schema.set(renamed)
    #expect(schema.attributes.map(\.label) == ["name", "project"])
    #expect(schema.attribute("tasks", "title") == nil)
    #expect(schema.attribute("tasks", "name")?.id == title.id)
  }

  @Test("moving the last attribute of a namespace removes the namespace")
  func moving() {
    var schema = Schema([title])
    var moved = title
    moved.name.namespace = "todos"
    schema.set(moved)
    #expect(schema.namespaces == ["todos"])
    #expect(schema.attributes(of: "tasks").isEmpty)
  }

  @Test("a namespace disappears with the last link that leads to it")
  func movingTarget() {
    var schema = Schema([title, project])
    var moved = project
    moved.reverse = Attribute.Name(namespace: "plans", label: "tasks")
    schema.set(moved)
    #expect(schema.namespaces == ["tasks", "plans"])
    #expect(schema.link("projects", "tasks") == nil)
    schema.set(project)
    #expect(schema.namespaces == ["tasks", "projects"])
  }

  @Test("a namespace without attributes disappears")
  func removal() {
    var schema = Schema([title, project])
    schema.remove(project.id)
    #expect(schema.namespaces == ["tasks"])
    #expect(schema.link("projects", "tasks") == nil)
  }

  @Test("an attribute's JSON round-trips, including unknown keys")
  func json() throws {
    let json: Value = [
      "id": "a2", "forward-identity": ["i1", "tasks", "project"],
      "reverse-identity": ["i2", "projects", "tasks"], "value-type": "ref", "cardinality": "one",
      "unique?": false, "index?": true, "required?": true, "checked-data-type": "string",
      "inferred-types": ["string"], "catalog": "user", "on-delete": "cascade",
      "metadata": ["note": 1],
    ]
    let attribute = try Attribute(json: json)
    #expect(attribute.onDelete == .cascade && attribute.isRequired && attribute.isIndexed)
    #expect(attribute.json == json)
  }
}

@Suite("An entity's id")
struct EntityIDTests {
  @Test("a UUID is 128 bits in any case, and any other text is kept")
  func forms() {
    let lower = EntityID("c0000000-0000-4000-8000-00000000000a")
    #expect(EntityID("C0000000-0000-4000-8000-00000000000A") == lower)
    #expect(lower.text == "c0000000-0000-4000-8000-00000000000a")
    for text in [
      "ana", "", "c0000000-0000-4000-8000-00000000000", "c0000000+0000-4000-8000-00000000000a",
    ] {
      #expect(!EntityID(text).isUUID)
      #expect(EntityID(text).text == text)
    }
  }

  @Test("UUIDs are ordered as unsigned bytes, before other texts")
  func order() {
    let sorted = [
      "00000000-0000-0000-0000-000000000001", "7fffffff-0000-0000-0000-000000000000",
      "80000000-0000-0000-0000-000000000000", "ana", "bo",
    ]
    #expect(sorted.shuffled().map(EntityID.init).sorted().map(\.text) == sorted)
  }
}
