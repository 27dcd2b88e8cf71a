import InstaQL
import Testing

@Suite("A misspelt name is answered with the one probably meant")
struct NearestNameTests {
  @Test(
    "the nearest of the known names",
    arguments: [
      ("popluation", "population"), ("Population", "population"), ("nam", "name"),
      ("contry", "country"), ("x", nil), ("completely", nil), ("", nil),
    ] as [(String, String?)])
  func nearest(_ typed: String, _ meant: String?) {
    let known = ["country", "name", "population"]
    #expect(NearestName.nearest(typed, among: known) == meant)
    #expect(NearestName.hint(typed, among: known) == meant.map { "Did you mean '\($0)'?" })
  }
}
