import InstaQL
import Testing
import Triples

@Suite("Names that no linked entity has")
struct MissingNameTests {
  private static let schema = #"""
    {"entities": {
      "beds": {"key": "key", "label": "name", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "soil": {"valueType": "string", "config": {"unique": false, "indexed": true}}}},
      "plants": {"key": "key", "label": "key", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}}}}},
     "links": {"bedPlants": {"forward": {"on": "plants", "label": "bed", "has": "one"},
                             "reverse": {"on": "beds", "label": "plants", "has": "many"}}}}
    """#

  private static func store() throws -> TripleStore {
    try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (
        name: "beds.json",
        bytes: Array(#"[{"key": "a", "name": "South wall"}, {"key": "b", "name": "Pond"}]"#.utf8)
      ),
      (name: "plants.json", bytes: Array(#"[{"key": "fig", "bed": "a"}]"#.utf8)),
    ])
  }

  @Test(
    "are found in conditions that all rows must meet",
    arguments: [
      (#"bed = "Pound""#, #"No beds row has the name "Pound". Did you mean "Pond"?"#),
      (#"bed.name = "Zzzz""#, #"No beds row has the name "Zzzz"."#),
      (#"bed.key = "zzz" and key = "fig""#, #"No beds row has the key "zzz"."#),
      (#"bed = "b""#, #"No beds row has the name "b". One has the key "b"."#),
      (
        #"bed.key in ("x", "Pond")"#,
        #"No beds row has the key "x" or "Pond". One has the name "Pond"."#
      ),
      (
        #"bed in ("1x", "2x", "3x", "4x")"#,
        #"No beds row has the name "1x" or "2x" or "3x" or …."#
      ),
      (#"bed = "1x" or bed = "2x""#, #"No beds row has the name "1x" or "2x"."#),
      (#"bed in ("1x", "Pond")"#, nil),
      (#"bed = "1x" or bed = "Pond""#, nil),
      (#"bed = "1x" or key = "fig""#, nil),
      (#"not (bed = "1x")"#, nil),
      (#"bed != "1x""#, nil),
      (#"bed.soil = "clay""#, nil),
      (#"key = "nothing""#, nil),
    ] as [(String, String?)])
  func sentences(condition: String, sentence: String?) async throws {
    let store = try Self.store()
    let document = try QueryDocument(text: "plants filter " + condition, schema: store.schema)
    let plan = try #require(document.plans.first)
    let missing = try await MissingName.first(of: plan, in: store.schema) {
      plan async throws(QueryError) in try QueryEngine.answer(plan, in: store)
    }
    #expect(missing?.sentence == sentence)
    if sentence != nil { #expect(plan.requiresNames(in: store.schema)) }
  }
}
