import DataSources
import DataSourcesTesting
import HTTPDataSources
import Testing

struct Goal: Codable, Sendable, Hashable {
  var title: String
}

/// A query that names no source; extensions say what it means to a server and to a database.
struct SearchQuery: Query {
  var text: String
}

extension SearchQuery: HTTPQuery {
  var request: HTTPRequestQuery { HTTPRequestQuery(.get, "/search", parameters: ["q": text]) }
}

struct UnrecognizedQuery: Query {}
struct BarePage: PaginationQuery {}

/// The code of the error that `body` throws; nil when it succeeds.
func code<Answer>(of body: () async throws -> Answer) async -> DataSourceError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? DataSourceError)?.code
  }
}

private let rest = Goal(title: "Rest")
private let run = Goal(title: "Run")
private let one = #"{"title":"Rest"}"#
private let two = #"[{"title":"Rest"},{"title":"Run"}]"#
private let path = "/goals/1"
private let unsupported = Outcome<Goal>.failure(.unsupportedQuery)
private let unreadable = Outcome<Goal>.failure(.dataSerialization)
private let illegal = Outcome<Goal>.failure(.illegalArgument)

private func request(
  _ method: HTTPRequestQuery.Method, body: String? = nil
) -> HTTPRequestQuery {
  HTTPRequestQuery(method, path, body: body.map { .json(Array($0.utf8)) })
}

/// A call, the server's answer, the outcome, and the request that the server received.
struct HTTPRow: Sendable, CustomTestStringConvertible {
  var testDescription: String { "\(call), \(status) \(answer)" }
  var call: Call<Goal>
  var status = 200
  var answer = one
  var outcome: Outcome<Goal>
  var received: Server.Request?

  init(
    _ call: Call<Goal>, _ status: Int = 200, _ answer: String = one, _ outcome: Outcome<Goal>,
    asks line: String? = nil, with body: String = ""
  ) {
    (self.call, self.status, self.answer, self.outcome) = (call, status, answer, outcome)
    received = line.map {
      Server.Request(line: $0, type: body.isEmpty ? nil : "application/json", body: body)
    }
  }

  static let methods: [HTTPRow] = [
    HTTPRow(.get(request(.get)), 200, one, .object(rest), asks: "GET /goals/1"),
    HTTPRow(.getAll(request(.get)), 200, two, .objects([rest, run]), asks: "GET /goals/1"),
    HTTPRow(.put(rest, request(.put)), 200, one, .object(rest), asks: "PUT /goals/1", with: one),
    HTTPRow(.put(rest, request(.post)), 200, one, .object(rest), asks: "POST /goals/1", with: one),
    HTTPRow(
      .putAll([rest, run], request(.put)), 200, two, .objects([rest, run]), asks: "PUT /goals/1",
      with: two),
    HTTPRow(.put(run, request(.put, body: "{}")), 200, one, illegal),
    HTTPRow(.putAll([run], request(.post, body: "{}")), 200, two, illegal),
    HTTPRow(
      .put(nil, request(.put, body: "{}")), 200, one, .object(rest), asks: "PUT /goals/1",
      with: "{}"),
    HTTPRow(
      .putAll([], request(.post, body: "{}")), 200, two, .objects([rest, run]),
      asks: "POST /goals/1", with: "{}"),
    HTTPRow(.delete(request(.delete)), 200, "gone", .done, asks: "DELETE /goals/1"),
    HTTPRow(.deleteAll(request(.delete)), 200, "gone", .done, asks: "DELETE /goals/1"),
    HTTPRow(.get(request(.put)), 200, one, unsupported),
    HTTPRow(.getAll(request(.post)), 200, one, unsupported),
    HTTPRow(.get(request(.delete)), 200, one, unsupported),
    HTTPRow(.put(rest, request(.get)), 200, one, unsupported),
    HTTPRow(.putAll([rest], request(.delete)), 200, one, unsupported),
    HTTPRow(.delete(request(.put)), 200, one, unsupported),
    HTTPRow(.delete(request(.get)), 200, one, unsupported),
  ]

  static let answers: [HTTPRow] =
    [
      HTTPRow(.get(request(.get)), 204, "", .failure(.notFound), asks: "GET /goals/1"),
      HTTPRow(.getAll(request(.get)), 204, "", .objects([]), asks: "GET /goals/1"),
      HTTPRow(
        .put(rest, request(.put)), 204, "", .object(rest), asks: "PUT /goals/1", with: one),
      HTTPRow(
        .putAll([rest, run], request(.put)), 204, "", .objects([rest, run]), asks: "PUT /goals/1",
        with: two),
      HTTPRow(.delete(request(.delete)), 204, "", .done, asks: "DELETE /goals/1"),
      HTTPRow(.get(request(.get)), 200, #"{"name":1}"#, unreadable, asks: "GET /goals/1"),
      HTTPRow(.getAll(request(.get)), 200, one, unreadable, asks: "GET /goals/1"),
      HTTPRow(
        .put(rest, request(.put)), 200, "[]", unreadable, asks: "PUT /goals/1", with: one),
      HTTPRow(
        .putAll([rest, run], request(.put)), 200, one, unreadable, asks: "PUT /goals/1", with: two),
      HTTPRow(.delete(request(.delete)), 200, "{", .done, asks: "DELETE /goals/1"),
    ]
    + [
      .get(request(.get)), .getAll(request(.get)), .put(nil, request(.put, body: "{}")),
      .putAll([], request(.post, body: "{}")), .delete(request(.delete)),
    ].flatMap { (call: Call<Goal>) in
      [400, 503].map { HTTPRow(call, $0, "no", .failure(.network(status: $0))) }
    }

  static let others: [HTTPRow] = [
    VoidQuery(), IdQuery(1), IdsQuery([1]), AllObjectsQuery(), ObjectQuery(rest),
    ObjectsQuery([rest]), BarePage(), PaginationOffsetLimitQuery(0, 1), UnrecognizedQuery(),
  ].flatMap { (query: any Query) in
    [.get(query), .getAll(query), .put(rest, query), .putAll([rest], query), .delete(query)]
      .map { HTTPRow($0, 200, one, unsupported) }
  }
}

@Suite struct `A source on a server` {
  @Test(arguments: HTTPRow.methods + HTTPRow.answers + HTTPRow.others)
  func `answers each call`(row: HTTPRow) async throws {
    let server = try await Server.start(row.status, row.answer)
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))
    // A query does not change by being sent, so a second call is like the first.
    for count in 1...2 {
      #expect(await row.call.outcome(on: AnyDataSource(source)) == row.outcome)
      if let request = row.received {
        #expect(server.requests == Array(repeating: request, count: count))
      } else if row.status == 200 {
        #expect(server.requests == [])
      }
    }
    try await server.stop()
  }

  @Test func `reports a server that is not there`() async throws {
    let server = try await Server.start()
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))
    try await server.stop()
    let calls: [Call<Goal>] = [
      .get(request(.get)), .getAll(request(.get)), .put(rest, request(.put)),
      .putAll([rest], request(.put)), .delete(request(.delete)),
    ]
    for call in calls {
      #expect(
        await call.outcome(on: AnyDataSource(source)) == .failure(.network(status: nil)), "\(call)")
    }
  }

  @Test func `names the status, the answer and the path of what cannot be decoded`() async throws {
    var server = try await Server.start(400, "The title is missing.")
    var error = await failure { () throws(DataSourceError) in
      try await HTTPDataSource<Goal>(HTTPClient(server.address)).get(request(.get))
    }
    #expect(error?.message.contains("400") == true)
    #expect(error?.cause?.contains("The title is missing.") == true)
    server = try await Server.start(200, #"[{"title":"Rest"},{"title":5}]"#)
    error = await failure { () throws(DataSourceError) in
      try await HTTPDataSource<Goal>(HTTPClient(server.address)).getAll(request(.get))
    }
    #expect(error.map { "\($0)".contains("title") } == true)
  }

  @Test func `decodes nothing for a source without responses`() async throws {
    let server = try await Server.start(200, "whatever")
    let source = HTTPDataSource<NoResponse>(HTTPClient(server.address))
    try await source.put(nil, in: request(.put, body: "{}"))
    #expect(try await source.putAll([], in: request(.post, body: "{}")) == [])
  }

  @Test func `ends the request of a canceled call`() async throws {
    let server = try await Server.start(nil)
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))
    let task = Task { await code { try await source.get(request(.get)) } }
    let deadline = ContinuousClock.now + .seconds(60)
    while server.requests.isEmpty {
      try #require(ContinuousClock.now < deadline, "The request did not arrive in 60 seconds.")
      try await Task.sleep(for: .milliseconds(1))
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    await server.connectionClosed()
  }

  @Test func `gives a custom query the same objects as memory`() async throws {
    let server = try await Server.start(200, two)
    let memory = InMemoryDataSource<Goal>()
    try await memory.putAll([rest, run], in: AllObjectsQuery())
    let sources: [any GetDataSource<Goal>] = [
      HTTPDataSource<Goal>(HTTPClient(server.address)), Searching(base: AnyDataSource(memory)),
    ]
    for source in sources {
      #expect(try await source.getAll(SearchQuery(text: "R")) == [rest, run])
    }
    #expect(server.requests.map(\.line) == ["GET /search?q=R"])
  }

  /// Adds searching to a source.
  private struct Searching: DataSourceWrapper, GetDataSource {
    let base: AnyDataSource<Goal>

    func getAll(_ query: any Query) async throws(DataSourceError) -> [Goal] {
      guard let search = query as? SearchQuery else { return try await base.getAll(query) }
      return try await base.getAll(AllObjectsQuery()).filter { $0.title.contains(search.text) }
    }
  }

  @Test func `has requests that are keys of a cache`() async throws {
    let cache = InMemoryDataSource<Goal>()
    let query = HTTPRequestQuery(.get, path, parameters: ["b": "1", "a": "2"])
    let equal = HTTPRequestQuery(.get, path, parameters: ["a": "2", "b": "1"])
    #expect(await code { try await cache.get(query) } == .notFound)
    #expect(await code { try await cache.getAll(query) } == .notFound)
    #expect(try await cache.put(rest, in: query) == rest)
    #expect(try await cache.get(equal) == rest)
    #expect(try await cache.putAll([rest, run], in: query) == [rest, run])
    #expect(try await cache.getAll(equal) == [rest, run])
    try await cache.delete(equal)
    #expect(await code { try await cache.getAll(query) } == .notFound)
  }
}
