import InstaQL
import Testing
import Triples

@Suite("Suggestions for misspelled names")
struct NearestNameTests {
  @Test(
    "the nearest known name is suggested",
    arguments: [
      ("popluation", "population"), ("Population", "population"), ("nam", "name"),
      ("contry", "country"), ("x", nil), ("completely", nil), ("", nil),
    ] as [(String, String?)])
  func nearest(_ typed: String, _ meant: String?) {
    let known = ["country", "name", "population"]
    #expect(NearestName.nearest(typed, among: known) == meant)
    #expect(NearestName.hint(typed, among: known) == meant.map { "Did you mean '\($0)'?" })
    #expect(
      NearestName.suggestion(typed, among: known)
        == meant.map { "Did you mean '\($0)'?" } ?? "Available: country, name, population.")
  }

  @Test("a table or partition is suggested with its database schema")
  func qualified() {
    var schema = Schema(
      ["sales", "shop.item"].map {
        Attribute(id: AttributeID("\($0)/id"), namespace: $0, label: "id")
      })
    schema.setPartitions(["parts.sales_25": "sales"])
    #expect(
      NearestName.suggestion(namespace: "Sales_25", in: schema)
        == "Did you mean `parts.sales_25`?")
    #expect(NearestName.hint(namespace: "item", in: schema) == "Did you mean 'shop.item'?")
    #expect(NearestName.hint(namespace: "sale", in: schema) == "Did you mean 'sales'?")
    #expect(NearestName.hint(namespace: "x", in: schema) == nil)
  }

  @Test("names are only listed if there are some, but not too many")
  func listed() {
    #expect(NearestName.suggestion("x", among: []) == nil)
    #expect(NearestName.suggestion("x", among: (100..<200).map { "name\($0)" }) == nil)
  }
}
