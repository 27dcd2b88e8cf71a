import DataSources
import DataSourcesTesting
import Testing

/// Sources as existentials in ten kinds of container. Under the address sanitizer, an existential
/// that is larger than generic code takes it for is reported.
@Suite struct `A source in a container` {
  private struct Shelf {
    let before = 1
    let source: any DataSource<Int>
    let after = 2
  }

  private enum Choice {
    case none
    case source(any DataSource<Int>, Int)
  }

  private final class Box<Content: Sendable>: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  private actor Keeper {
    private var kept: [any DataSource<Int>] = []
    func keep(_ source: any DataSource<Int>) { kept.append(source) }
    var last: (any DataSource<Int>)? { kept.last }
  }

  private func made() async throws -> [any DataSource<Int>] {
    let sources: [any LiveDataSource<Int>] = [
      InMemoryDataSource<Int>(), AnyDataSource(InMemoryDataSource<Int>()),
      InMemoryDataSource<Int>().retrying().cached(timeToLive: .seconds(60)).validated(by: .lenient),
    ]
    for (number, source) in sources.enumerated() { try await source.put(number, id: "k") }
    return sources
  }

  private func check(_ sources: [any DataSource<Int>]) async throws {
    for (number, source) in sources.enumerated() {
      #expect(try await source.get(id: "k") == number)
      try await source.put(number, id: "l")
      #expect(try await source.getAll(AllObjectsQuery()) == [number, number])
      try await source.delete(id: "l")
    }
    #expect(sources.count == 3)
  }

  private func same<Thing>(_ thing: Thing) -> Thing { [thing, thing][1] }

  @Test func `an array`() async throws {
    var sources = try await made()
    sources.append(contentsOf: try await made())
    sources.swapAt(0, 3)
    try await check(Array(sources[3...4]) + [sources[2]])
  }

  @Test func `a dictionary`() async throws {
    var named: [String: any DataSource<Int>] = [:]
    for (number, source) in try await made().enumerated() { named["\(number)"] = source }
    try await check(["0", "1", "2"].compactMap { named[$0] })
  }

  @Test func `an optional`() async throws {
    let optional: [(any DataSource<Int>)?] = try await made().map { $0 }
    try await check([
      try #require(same(optional[0])), try #require(optional[1]), try #require(optional[2]),
    ])
  }

  @Test func `a task`() async throws {
    let tasks = try await made().map { source in Task { source } }
    try await check([await tasks[0].value, await tasks[1].value, await tasks[2].value])
  }

  @Test func `a stream`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: (any DataSource<Int>).self)
    for source in try await made() { continuation.yield(source) }
    continuation.finish()
    var sources: [any DataSource<Int>] = []
    for await source in stream { sources.append(source) }
    try await check(sources)
  }

  @Test func `a structure`() async throws {
    let shelves = try await made().map(Shelf.init)
    #expect(shelves.map(\.before) == [1, 1, 1])
    #expect(shelves.map(\.after) == [2, 2, 2])
    try await check(same(shelves).map(\.source))
  }

  @Test func `an enumeration`() async throws {
    let choices = try await made().enumerated().map { Choice.source($1, $0) }
    try await check(
      choices.compactMap { choice in
        guard case .source(let source, _) = choice else { return nil }
        return source
      })
  }

  @Test func `a tuple`() async throws {
    let pairs = try await made().enumerated().map { (number: $0, source: $1, name: "\($0)") }
    #expect(pairs.map(\.name) == ["0", "1", "2"])
    try await check(same(pairs).sorted { $0.number < $1.number }.map(\.source))
  }

  @Test func `a generic class and a result`() async throws {
    let boxes = try await made().map { Box(Result<any DataSource<Int>, any Error>.success($0)) }
    try await check(try boxes.map { try same($0).content.get() })
  }

  @Test func `an actor and a closure`() async throws {
    let keeper = Keeper()
    var sources: [any DataSource<Int>] = []
    for source in try await made() {
      await keeper.keep(source)
      let kept = try #require(await keeper.last)
      let read: @Sendable () -> any DataSource<Int> = { kept }
      sources.append(read())
    }
    try await check(sources)
  }
}
