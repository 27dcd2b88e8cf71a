import InstaQL
import Testing
import Triples

@Suite("Names that a query reads and that the store had earlier")
struct LostNameTests {
  private static func schema(_ labels: [String], links: [String] = []) -> Schema {
    var schema = Schema(
      ["id", "name"].map {
        Attribute(id: AttributeID("makers/\($0)"), namespace: "makers", label: $0)
      })
    for label in labels {
      schema.set(Attribute(id: AttributeID("items/\(label)"), namespace: "items", label: label))
    }
    for label in links {
      var link = Attribute(id: AttributeID("items/\(label)"), namespace: "items", label: label)
      link.valueType = .ref
      link.reverse = Attribute.Name(namespace: "makers", label: "items")
      schema.set(link)
    }
    return schema
  }

  @Test(
    "are found in all parts of the query",
    arguments: [
      ("items filter word = 1", "column items.word"), ("items order word", "column items.word"),
      ("items fields id, word", "column items.word"), ("items filter size = 1", nil),
      ("items filter other = 1", nil), ("items with maker", "link items.maker"),
      ("items filter maker.name = \"a\"", "column items.maker"),
      ("makers with items", "link makers.items"), ("makers filter name = \"a\"", nil),
      ("plants", "table plants"), ("trees", nil),
    ] as [(String, String?)])
  func names(_ text: String, _ lost: String?) throws {
    var schema = Self.schema(["id", "size"])
    let plan = try QueryDocument(text: text).plans[0]
    #expect(plan.lostName(in: schema) == nil)
    var earlier = Self.schema(["id", "size", "word"], links: ["maker"])
    earlier.set(Attribute(id: AttributeID("plants/id"), namespace: "plants", label: "id"))
    schema.rememberNames(of: earlier)
    #expect(plan.lostName(in: schema) == lost)
    #expect(schema == Self.schema(["id", "size"]))
    // The names of all earlier schemas are remembered.
    var newest = Self.schema(["id", "size"])
    newest.rememberNames(of: schema)
    #expect(plan.lostName(in: newest) == lost)
  }

  @Test("of more than 1,000 lost tables only those of the last schema are remembered")
  func limit() {
    var earliest = Self.schema(["id"])
    for number in 0..<1_001 {
      let table = "t\(number)"
      earliest.set(Attribute(id: AttributeID("\(table)/id"), namespace: table, label: "id"))
    }
    var earlier = Self.schema(["id"])
    earlier.rememberNames(of: earliest)
    #expect(QueryPlan("t0").lostName(in: earlier) == "table t0")
    var newest = Self.schema(["size"])
    newest.rememberNames(of: earlier)
    #expect(QueryPlan("t0").lostName(in: newest) == nil)
    #expect(QueryPlan("items").fields(["id"]).lostName(in: newest) == "column items.id")
  }
}
