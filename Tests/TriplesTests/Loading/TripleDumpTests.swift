import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("Loading a dump of triples")
struct TripleDumpTests {
  private static let e1 = "a0000000-0000-4000-8000-000000000001"
  private static let e2 = "a0000000-0000-4000-8000-000000000002"
  private static let attributes = """
    [{"id": "i", "forward-identity": ["f1", "todos", "id"], "unique?": true},
     {"id": "t", "forward-identity": ["f2", "todos", "title"], "value-type": "blob", "cardinality": "one"},
     {"id": "n", "forward-identity": ["f3", "todos", "next"], "reverse-identity": ["r3", "todos", "before"],
      "value-type": "ref", "cardinality": "many"}]
    """
  private static let triples = """
    [["\(e1)", "i", "\(e1)", 5], ["\(e1)", "t", "Plan\\n", 5], ["\(e1)", "n", "\(e2)", 7],
     ["\(e2)", "i", "\(e2)", 6], ["\(e2)", "t", [1, {"a": null}]], ["\(e2)", "unknown", 1, 1]]
    """

  private func load(_ text: String) throws(DatasetError) -> TripleStore {
    try TripleDump.load(Array(text.utf8))
  }

  @Test(
    "attributes may be a list or an object, before or after the triples",
    arguments: [
      "{\"attrs\": \(attributes), \"triples\": \(triples)}",
      "{\"x\": [[]], \"triples\": \(triples), \"attrs\": \(attributes), \"y\": {}}",
      "{\"triples\": \(triples), \"attrs\": {\"i\": {\"forward-identity\": [\"f1\", \"todos\", \"id\"]},"
        + "\"t\": {\"forward-identity\": [\"f2\", \"todos\", \"title\"]},"
        + "\"n\": {\"forward-identity\": [\"f3\", \"todos\", \"next\"], \"value-type\": \"ref\","
        + "\"cardinality\": \"many\", \"reverse-identity\": [\"r3\", \"todos\", \"before\"]}}}",
    ])
  func shapes(text: String) throws {
    let store = try load(text)
    #expect(store.count(of: "todos") == 2)
    let first = try #require(store.handle(of: EntityID(Self.e1)))
    let second = try #require(store.handle(of: EntityID(Self.e2)))
    #expect(store.value(first, AttributeID("t")) == "Plan\n")
    #expect(store.value(second, AttributeID("t")) == [1, ["a": nil]])
    let next = try #require(store.schema.link("todos", "next"))
    #expect(store.targets(first, next) == [second])
    #expect(store.createdAt(first, in: "todos") == 5)
    #expect(store.createdAt(second, AttributeID("t")) == 0)
    #expect(store.createdAt(first, AttributeID("n")) == 7)
    #expect(store.checkInvariants().isEmpty)
  }

  @Test(
    "an error has its line",
    arguments: [
      ("[]", "line 1, column 1: expected '{', found '['"),
      ("{}", "expected the attributes under 'attrs'"),
      ("{\"attrs\": 1}", "line 1: expected a list of attributes, found number"),
      ("{\"attrs\": [{}]}", "line 1: an attribute has no 'id'"),
      (
        "{\"attrs\": [],\n\"triples\": [[1]]}",
        "line 2: expected a triple: a list of an entity, an attribute, a value and a time"
      ),
      (
        "{\"attrs\": [], \"triples\": [[\"a\",\"b\",1]}",
        "line 1, column 38: expected ',' or ']', found '}'"
      ),
      ("{\"attrs\": []", "line 1, column 13: expected ',' or '}', but reached the end of the text"),
    ])
  func faults(text: String, message: String) {
    let error = #expect(throws: DatasetError.self) { try load(text) }
    #expect(error?.message == message)
  }

  @Test("randomly changed bytes are loaded or rejected without a crash", arguments: 0..<10)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = Array("{\"attrs\": \(Self.attributes), \"triples\": \(Self.triples)}".utf8)
    for _ in 0..<200 {
      var bytes = text
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      if random.below(4) == 0 { bytes.removeSubrange(random.below(bytes.count)...) }
      do throws(DatasetError) {
        let store = try TripleDump.load(bytes)
        // Slow, so only done sometimes.
        let broken = random.below(10) == 0 ? store.checkInvariants() : []
        #expect(broken.isEmpty, "seed \(seed)")
      } catch {
        #expect(!error.message.isEmpty, "seed \(seed)")
      }
    }
  }
}
