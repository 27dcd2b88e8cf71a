import InstaQL
import Testing

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

  @Test("names are only listed if there are some, but not too many")
  func listed() {
    #expect(NearestName.suggestion("x", among: []) == nil)
    #expect(NearestName.suggestion("x", among: (100..<200).map { "name\($0)" }) == nil)
  }
}
