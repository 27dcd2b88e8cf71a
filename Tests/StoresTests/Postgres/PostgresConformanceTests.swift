import DataSources
import ConformanceSupport
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

/// The shared questions put to PostgreSQL, over the same data as tables.
@Suite(
  "Conformance cases on PostgreSQL",
  .withPostgres, .enabled(if: ConformanceFile.folder != nil), .timeLimit(.minutes(5)))
struct PostgresConformanceTests {
  @Test("each case has the engine's answer", arguments: ConformanceFile.names)
  func questions(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let database = try PostgresServer.running().database(TestTables(store: file.store).sql)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let memory = try await store.wholeStore(bytes: .counted).store
    var pushed = 0
    for example in file.cases where example.error == nil {
      guard let document = try? QueryDocument(json: JSONWriter.text(example.query)),
        let wanted = try? QueryEngine.json(document, in: memory)
      else { continue }
      let snapshot = try await store.get(document)
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      #expect(output.text == wanted, "\(name) \(example.id): \(document.text)")
      if snapshot.served?.found.isEmpty == false { pushed += 1 }
    }
    #expect(pushed > 0, "Nothing of \(name) was put to the database.")
  }
}
