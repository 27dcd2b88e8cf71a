import LiveQueries
import Stores
import Testing
import Triples

@Suite("Creating a store file", .timeLimit(.minutes(10)))
struct StoreCreationTests {
  @Test("of concurrent creators one succeeds, and its writes stay")
  func together() async throws {
    for _ in 0..<20 {
      try await withTemporaryFolder { folder in
        let path = folder + "/a.sonde"
        let written = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<4 {
            group.addTask {
              guard (try? await LocalStore.create(file: path, of: TripleStore())) != nil,
                let store = try? await LocalStore.open(file: path)
              else { return false }
              // Left open: what is written stands in its log.
              let isWritten = (try? await store.transact(Sample.schema)) != nil
              withExtendedLifetime(store) {}
              return isWritten
            }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(written == 1)
        let store = try await LocalStore.open(file: path)
        #expect(store.snapshot().store.schema.namespaces.contains("tasks"))
        await store.close()
      }
    }
  }
}
