import ConformanceSupport
import DataSources
import InstaQL
import TestSupport
import Testing
import Triples

@Suite("A live fluent query", .timeLimit(.minutes(10)))
struct LiveQueryTests {
  let store = CompanyData.source()
  let low = EntityQuery<Office>.from().filter { $0.seats < 30 }.order(by: \.name)

  private func office(_ number: Int, _ name: String, seats: Int) throws {
    let id = "f0000000-0000-4000-8000-00000000000\(number)"
    try store.transact {
      $0.update(
        "offices", .id(id),
        [
          "key": .text(name), "name": .text(name), "city": "x", "country": "x", "address": "x",
          "opened": "2025-01-01", "seats": .integer(Int64(seats)),
        ])
    }
  }

  @Test("it delivers the answer now and after its changes, but not after unrelated ones")
  func changes() async throws {
    var pages = low.live(in: store).awaited("a page").makeAsyncIterator()
    #expect(try await pages.next(isolation: nil)?.rows.map(\.name) == ["Osaka"])
    try office(1, "Rome", seats: 5)
    #expect(try await pages.next(isolation: nil)?.rows.map(\.name) == ["Osaka", "Rome"])
    try office(2, "Huge", seats: 5000)
    try store.transact { $0.delete("employees", .lookup("email", "eline.nygard@halden.example")) }
    try office(3, "Pisa", seats: 3)
    let page = try await pages.next(isolation: nil)
    #expect(page?.rows.map(\.name) == ["Osaka", "Pisa", "Rome"])
    #expect(page?.total == 3)
  }

  @Test("leaving the loop ends the watch")
  func leaving() async throws {
    for try await page in low.live(in: store) {
      #expect(page.rows.count == 1)
      break
    }
    try await store.ended()
  }

  @Test("the same answer is delivered again when its freshness changes")
  func freshness() async throws {
    var pages = low.live(in: store).awaited("a page").makeAsyncIterator()
    #expect(try await pages.next(isolation: nil)?.freshness == .live)
    store.publish(StoreSnapshot(CompanyData.store, freshness: .stale(reason: "cut off")))
    let page = try await pages.next(isolation: nil)
    #expect(page?.freshness == .stale(reason: "cut off"))
    #expect(page?.rows.map(\.name) == ["Osaka"])
  }

  @Test("a store's failure is thrown and ends it")
  func failing() async throws {
    var pages = low.live(in: store).awaited("a page").makeAsyncIterator()
    _ = try await pages.next(isolation: nil)
    store.fail(DataSourceError(.failed, "gone"))
    await #expect(throws: QueryError.self) { try await pages.next(isolation: nil) }
    #expect(try await pages.next(isolation: nil)?.total == nil)
  }
}
