import InstaQL
import Testing
import Triples

@Suite("Every query that the reference client answers can be read, typed and kept")
struct ReadingConformanceTests {
  @Test(
    "in every case of a file", .enabled(if: !ConformanceFiles.present.isEmpty),
    arguments: ConformanceFiles.present)
  func file(_ name: String) throws {
    for example in try ConformanceFiles.json(name)["cases"].elements
    where example["error"] == .null {
      let document = try QueryDocument(instaQL: example["query"], reading: .reference)
      // Nobody else takes a query of nothing, or a limit below 1.
      let isOdd = document.plans.contains { $0.page.fault != nil }
      guard !isOdd, !document.plans.isEmpty else { continue }
      #expect(
        try QueryDocument(json: document.canonicalJSON) == document, "\(example["id"].string)")
      #expect(try QueryDocument(text: document.text) == document, "\(document.text)")
    }
  }
}
