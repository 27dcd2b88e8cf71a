import DataSources

/// Puts a source into each kind of container for an existential and reads through what comes out.
///
/// This file is compiled twice: into this program, and by a test with `-O`.
enum Containers {
  private struct Shelf {
    let name: String
    let source: any DataSource<Int>
  }

  static let all: [String: @Sendable () async throws -> [Int]] = [
    "array": {
      let sources: [any DataSource<Int>] = await made()
      return try await values(of: sources)
    },
    "dictionary": {
      var byName: [String: any DataSource<Int>] = [:]
      for (place, source) in await made().enumerated() { byName["\(place)"] = source }
      return try await values(of: ["0", "1", "2"].compactMap { byName[$0] })
    },
    "optional": {
      var values: [Int] = []
      for source in await made() {
        let kept: (any DataSource<Int>)? = source
        if let source = kept.map({ $0 }) { values.append(try await source.get(id: "a")) }
      }
      return values
    },
    "tasks": {
      let tasks = await made().map { source in Task { source } }
      var values: [Int] = []
      for task in tasks { values.append(try await task.value.get(id: "a")) }
      return values
    },
    "generic function": {
      func same<Thing>(_ thing: Thing) -> Thing { [thing].first ?? thing }
      return try await values(of: same(await made()).map { same($0) })
    },
    "stream": {
      let (stream, continuation) = AsyncStream.makeStream(of: (any LiveDataSource<Int>).self)
      for source in await made() { continuation.yield(source) }
      continuation.finish()
      var values: [Int] = []
      for await source in stream { values.append(try await source.get(id: "a")) }
      return values
    },
    "closures": {
      let readers = await made().map { source in { try await source.get(id: "a") } }
      var values: [Int] = []
      for read in readers { values.append(try await read()) }
      return values
    },
    "fields": {
      let shelves = await made().enumerated().map { Shelf(name: "\($0)", source: $1) }
      return try await values(of: shelves.sorted { $0.name < $1.name }.map(\.source))
    },
    "tuples": {
      let pairs = await made().enumerated().map { (name: "\($0)", source: $1, count: 1) }
      return try await values(of: pairs.filter { $0.count == 1 }.map(\.source))
    },
    "required": {
      func required<Thing>(_ thing: Thing?) throws -> Thing {
        guard let thing else { throw CancellationError() }
        return thing
      }
      let sources: [(any LiveDataSource<Int>)?] = await made().map { $0 }
      return try await values(of: sources.map { try required($0) })
    },
  ]

  /// Three sources of different types; the values of key "a" are 1, 2 and 3.
  private static func made() async -> [any LiveDataSource<Int>] {
    let sources: [any LiveDataSource<Int>] = [
      InMemoryDataSource<Int>(), AnyDataSource<Int>(InMemoryDataSource<Int>()),
      DataSourceAssembler<Int>(get: Three(), put: Three(), delete: Three()),
    ]
    for (place, source) in sources.enumerated() { _ = try? await source.put(place + 1, id: "a") }
    return sources
  }

  private static func values(of sources: [any DataSource<Int>]) async throws -> [Int] {
    var values: [Int] = []
    for source in sources { values.append(try await source.get(id: "a")) }
    return values
  }

  private struct Three: GetDataSource, PutDataSource, DeleteDataSource {
    func get(_ query: any Query) -> Int { 3 }
    func getAll(_ query: any Query) -> [Int] { [3] }
    func put(_ object: Int?, in query: any Query) -> Int { 3 }
    func putAll(_ objects: [Int], in query: any Query) -> [Int] { objects }
    func delete(_ query: any Query) {}
  }
}
