import ConformanceCases
import InstaQL
import Testing
import Triples

@Suite("The shared cases are read, typed, kept and refused as they should be")
struct ReadingConformanceTests {
  @Test(
    "whatever the reference client answers can be read, typed and kept",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func reading(_ name: String) throws {
    for example in try ConformanceFile(name).cases where example.error == nil {
      let document = try QueryDocument(instaQL: example.query, reading: .reference)
      // Nobody else takes a query of nothing, or a limit below 1.
      let isOdd = document.plans.contains { $0.page.fault != nil }
      guard !isOdd, !document.plans.isEmpty else { continue }
      #expect(try QueryDocument(json: document.canonicalJSON) == document, "\(example.id)")
      #expect(try QueryDocument(text: document.text) == document, "\(document.text)")
    }
  }

  @Test(
    "whatever it refuses before asking is refused in its words, and nothing else",
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
