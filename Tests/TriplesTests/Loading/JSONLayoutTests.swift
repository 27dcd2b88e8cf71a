import Testing
import Triples

@Suite("JSON files that contain an object")
struct JSONLayoutTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let counts: [String: Int]
    var testDescription: String { name }
  }

  private static let many = (0..<30).map { "\"w\($0)\": \"v\($0)\"" }.joined(separator: ",")

  private static let cases: [Case] = [
    Case(
      name: "a namespace for each list of objects",
      text: #"{"nodes": [{"n": 1}, {"n": 2}], "links": [{"a": 0}]}"#,
      counts: ["nodes": 2, "links": 1]),
    Case(
      name: "what else there is, is an entity", text: #"{"items": [{"n": 1}], "total": 1}"#,
      counts: ["items": 1, "t": 1]),
    Case(
      name: "an object of objects", text: #"{"AF": {"name": "Afghanistan"}, "AL": {"name": "x"}}"#,
      counts: ["t": 2]),
    Case(
      name: "the same within one", text: #"{"countries": {"AF": {"n": 1}, "AL": {"n": 2}}}"#,
      counts: ["countries": 2]),
    Case(name: "one object", text: #"{"name": "x", "tags": ["a"]}"#, counts: ["t": 1]),
    Case(name: "an empty object", text: "{}", counts: ["t": 1]),
    Case(name: "objects one after the other", text: "{\"n\": 1}\n{\"n\": 2}", counts: ["t": 2]),
    Case(name: "an object of many values", text: "{\(many)}", counts: ["t": 30]),
    Case(
      name: "an answer", text: #"{"data": {"a": [{"n": 1}]}, "errors": null}"#,
      counts: ["a": 1, "t": 1]),
    Case(
      name: "GeoJSON",
      text: """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "id": 7, "properties": {"name": "x", "geometry": "flat"},
           "geometry": {"type": "Point", "coordinates": [1, 2]}},
          {"type": "Feature", "properties": null, "geometry": null}]}
        """, counts: ["t": 2]),
  ]

  @Test("the content determines the namespaces", arguments: cases)
  func layouts(_ example: Case) throws {
    let reading = try LenientLoadingTests.read([("t.json", example.text)])
    let store = reading.store
    let counts = Dictionary(
      uniqueKeysWithValues: store.schema.namespaces.map { ($0, store.count(of: $0)) })
    #expect(counts == example.counts)
    #expect(reading.report.isEmpty, "\(reading.report.entries)")
    #expect(store.checkInvariants().isEmpty)
  }

  @Test("the keys of an object are ids of its entities, and a different id is kept")
  func map() throws {
    let text = #"{"a": {"id": 7, "n": 1}, "b": {"id": "b", "n": 2}}"#
    let store = try LenientLoadingTests.read([("t.json", text)]).store
    #expect(try LenientLoadingTests.values("key", of: "t", in: store) == ["a", "b"])
    #expect(try LenientLoadingTests.values("id_", of: "t", in: store) == [7, nil])
  }

  @Test("a feature's values are its properties and its geometry")
  func features() throws {
    let store = try LenientLoadingTests.read([("t.json", Self.cases[9].text)]).store
    #expect(try LenientLoadingTests.values("name", of: "t", in: store) == ["x", nil])
    #expect(try LenientLoadingTests.values("geometry", of: "t", in: store) == ["flat", .null])
    #expect(
      try LenientLoadingTests.values("geometry_", of: "t", in: store)[0]
        == ["type": "Point", "coordinates": [1, 2]])
    #expect(try LenientLoadingTests.values("key", of: "t", in: store) == [7, nil])
  }

  @Test("a triple dump is loaded alone and reported among other files")
  func dump() throws {
    let dump = """
      {"attrs": [{"id": "i", "forward-identity": ["f", "todos", "id"], "unique?": true}],
       "triples": [["a0000000-0000-4000-8000-000000000001", "i", "x", 1],
                   ["a0000000-0000-4000-8000-000000000001", "gone", 1, 1]]}
      """
    let alone = try LenientLoadingTests.read([("d.json", dump)])
    #expect(alone.store.count(of: "todos") == 1)
    #expect(
      alone.report.entries.map(\.message)
        == ["d.json, line 3: the dump does not define the attribute 'gone'; 1 triple skipped"])
    let beside = try LenientLoadingTests.read([("d.json", dump), ("a.csv", "n\n1\n")])
    #expect(beside.store.schema.namespaces == ["a"])
    #expect(beside.report.count == 1)
  }

  @Test("namespaces of two files with the same name get different names")
  func rivals() throws {
    let reading = try LenientLoadingTests.read([
      ("a.json", #"{"items": [{"n": 1}]}"#), ("b.json", #"{"items": [{"n": 1}, {"n": 2}]}"#),
      ("items.csv", "n\n1\n2\n3\n"),
    ])
    let store = reading.store
    #expect(
      ["items", "a_items", "b_items"].map { store.count(of: $0) } == [3, 1, 2])
    #expect(reading.report.count == 2)
  }
}
