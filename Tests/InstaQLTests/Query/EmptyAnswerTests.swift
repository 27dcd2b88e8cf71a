import InstaQL
import Testing
import Triples

@Suite("Reasons for an empty answer")
struct EmptyAnswerTests {
  private static let schema = #"""
    {"entities": {
      "beds": {"key": "key", "label": "name", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "soil": {"valueType": "string", "config": {"unique": false, "indexed": true}}}},
      "plants": {"key": "key", "label": "name", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": false, "indexed": true}},
        "height": {"valueType": "number", "config": {"unique": false, "indexed": true}},
        "sown": {"valueType": "date", "config": {"unique": false, "indexed": true}}}}},
     "links": {"bedPlants": {"forward": {"on": "plants", "label": "bed", "has": "one"},
                             "reverse": {"on": "beds", "label": "plants", "has": "many"}}}}
    """#
  private static let beds = #"[{"key": "a", "name": "South wall", "soil": "Clay"}]"#
  private static let plants = #"""
    [{"key": "fig", "name": "Fig", "height": 3, "bed": "a"},
     {"key": "rye", "name": "Rye 100%", "height": 2}]
    """#

  @Test(
    "rows match if case is ignored, or no linked row has a name",
    arguments: [
      (#"name = "FIG""#, #"Some do if case is ignored: name ilike "FIG"."#),
      (#"name = "fig" and height > 2"#, #"Some do if case is ignored: name ilike "fig"."#),
      (#"name like "f%""#, #"Some do if case is ignored: name ilike "f%"."#),
      (#"bed.soil = "clay""#, #"Some do if case is ignored: bed.soil ilike "clay"."#),
      (
        #"name = "fig" and bed.soil = "CLAY""#,
        #"Some do if case is ignored: name ilike "fig" and bed.soil ilike "CLAY"."#
      ),
      (
        #"name in ("fig", "rye") and bed.soil = "clay""#,
        "Some do if case is ignored: "
          + #"(name ilike "fig" or name ilike "rye") and bed.soil ilike "clay"."#
      ),
      (#"bed = "south wall""#, #"No beds row has the name "south wall"."#),
      // Case is not the only reason, or none.
      (#"name = "fig" and height > 9"#, nil), (#"name = "f%""#, nil), (#"name = "100""#, nil),
      (#"not (name = "fig")"#, nil), (#"sown = "2020-01-01""#, nil), ("height > 9", nil),
    ] as [(String, String?)])
  func sentences(condition: String, sentence: String?) async throws {
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(Self.schema.utf8)),
      (name: "beds.json", bytes: Array(Self.beds.utf8)),
      (name: "plants.json", bytes: Array(Self.plants.utf8)),
    ])
    let document = try QueryDocument(text: "plants filter " + condition, schema: store.schema)
    let plan = try #require(document.plans.first)
    let reason = try await plan.reasonForEmptyAnswer(in: store.schema) {
      plan async throws(QueryError) in try QueryEngine.answer(plan, in: store)
    }
    // A similar name may be suggested.
    #expect(sentence.map { reason?.hasPrefix($0) == true } ?? (reason == nil), "\(reason ?? "")")
    if sentence != nil { #expect(plan.canExplainEmptyAnswer(in: store.schema)) }
  }

  @Test("a list of texts is compared one by one")
  func list() throws {
    let schema = Schema([.of("plants", "name", .string), .of("plants", "sown", .date)])
    let (name, sown) = (AttributePath(["name"]), AttributePath(["sown"]))
    let texts = QueryPlan("plants", condition: .isIn(name, ["fig", "2"]))
    #expect(texts.canExplainEmptyAnswer(in: schema))
    for condition in [ConditionNode.isIn(name, ["1", "2"]), .isIn(sown, ["today"])] {
      #expect(!QueryPlan("plants", condition: condition).canExplainEmptyAnswer(in: schema))
    }
  }
}
