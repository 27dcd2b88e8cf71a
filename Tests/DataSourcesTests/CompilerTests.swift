import CompilerTestSupport
import TestSupport
import Testing

@Suite(.enabled(if: SwiftCompiler.modules != nil)) struct `The compiler` {
  @Test func `rejects exactly the calls that a source does not have`() async throws {
    let source = """
      import DataSources
      struct ReadOnly: GetDataSource {
        func get(_ query: any Query) async throws(DataSourceError) -> Int { 1 }
        func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] { [1] }
      }
      func read(_ source: some GetDataSource<Int>) async throws { _ = try await source.get(id: "a") }
      func all(_ source: ReadOnly) async throws { try await read(source) }
      func put(_ source: ReadOnly) async throws { _ = try await source.put(1, id: "a") }
      func delete(_ source: ReadOnly) async throws { try await source.delete(id: "a") }
      func watch(_ source: ReadOnly) { _ = source.watch(IdQuery("a")) }
      func erase(_ source: ReadOnly) { _ = AnyGetDataSource(source) }
      func eraseWhole(_ source: ReadOnly) { _ = AnyDataSource<Int>(source) }
      func wrapped(_ source: ReadOnly) async throws { _ = try await source.retrying().get(id: "a") }
      func putWrapped(_ source: ReadOnly) async throws { _ = try await source.retrying().put(1, id: "a") }
      func asId(_ source: ReadOnly) async throws { _ = try await source.get(id: [1]) }
      """

    #expect(try await refusedLines(of: source) == [8, 9, 10, 12, 14, 15])
  }

  @Test func `rejects a rule about a property that an object does not have`() async throws {
    let source = """
      import DataSources
      struct Note: Sendable { var updated: WallClock.Instant; var isStale = false }
      typealias Strategy = ValidationStrategy<Note>
      let old = Strategy.timestamp({ $0.updated }, timeToLive: .seconds(60), clock: WallClock())
      let none = Strategy.timestamp({ $0.created }, timeToLive: .seconds(60), clock: WallClock())
      let stale = Strategy.invalidation { $0.isStale }
      let gone = Strategy.invalidation { $0.isGone }
      """

    #expect(try await refusedLines(of: source) == [5, 7])
  }

  @Test func `offers the shortcuts that a source that can only be written has`() async throws {
    let source = """
      import DataSources
      struct Writer: PutDataSource {
        func put(_ object: Int?, in query: any Query) async throws(DataSourceError) -> Int { 1 }
        func putAll(_ objects: [Int], in query: any Query) async throws(DataSourceError) -> [Int] { [] }
      }
      let text = Mapper<Int, String> { number in "\\(number)" }
      let number = Mapper<String, Int> { text in text.count }
      func put() async throws { _ = try await Writer().retrying().put(1, id: "a") }
      func get() async throws { _ = try await Writer().retrying().get(id: "a") }
      func putText() async throws { _ = try await Writer().mapped(to: text, from: number).put("", id: 1) }
      func toOnly() { _ = Writer().mapped(to: text) }
      func repository(_ users: any Repository<Int>) async throws { _ = try await users.get(id: 1) }
      func opaque(_ users: some Repository<Int>) async throws { _ = try await users.get(IdQuery(1)) }
      """

    #expect(try await refusedLines(of: source) == [9, 11])
  }

  /// The numbers of the lines that do not compile, from 1.
  private func refusedLines(of source: String) async throws -> Set<Int> {
    Set(try await onOwnThread { try SwiftCompiler.check(source) }.filter(\.isError).map(\.line))
  }
}
