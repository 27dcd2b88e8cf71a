import ConformanceSupport
import InstaQL
import Testing
import Triples

@Suite("Parsing and validating the shared cases")
struct ReadingConformanceTests {
  @Test(
    "every query that the reference client answers can be parsed and written",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func reading(_ name: String) throws {
    for example in try ConformanceFile(name).cases where example.error == nil {
      let document = try QueryDocument(instaQL: example.query, reading: .reference)
      // Only the reference client accepts an empty query or a limit below 1.
      let isOdd = document.plans.contains { $0.page.fault != nil }
      guard !isOdd, !document.plans.isEmpty else { continue }
      #expect(try QueryDocument(json: document.canonicalJSON) == document, "\(example.id)")
      #expect(try QueryDocument(text: document.text) == document, "\(document.text)")
    }
  }

  @Test(
    "exactly the queries that it rejects are rejected, with its messages",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func validation(_ name: String) throws {
    let file = try ConformanceFile(name)
    let validator = QueryValidator(schema: file.schema)
    for example in file.cases {
      var message: String?
      do throws(QueryError) {
        try validator.validate(example.query)
      } catch { message = error.message }
      let isRefused = example.error?["kind"] == "validation"
      #expect(message == (isRefused ? example.error?["message"]?.text : nil), "\(example.id)")
    }
  }
}
