import DataSources
import DataSourcesTesting
import Foundation
import HTTPDataSources
import HTTPTestSupport
import TestSupport
import Testing

struct Goal: Codable, Sendable, Hashable {
  var title: String
}

/// A query independent of any source; an extension defines its request.
struct SearchQuery: KeyQuery {
  var text: String
  var key: String { "search:" + text }
}

extension SearchQuery: HTTPQuery {
  var request: HTTPRequestQuery { HTTPRequestQuery(.get, "/search", parameters: ["q": text]) }
}

private let fit = Goal(title: "Get fit!")
private let read = Goal(title: "Read")
private let get = HTTPRequestQuery(.get, "/goals/1")
private let list = HTTPRequestQuery(.get, "/goals")
private let put = HTTPRequestQuery(.put, "/goals/1")
private let post = HTTPRequestQuery(.post, "/goals")
private let delete = HTTPRequestQuery(.delete, "/goals/1")
private let patch = HTTPRequestQuery(.patch, "/goals/1")
private let head = HTTPRequestQuery(.head, "/goals/1")
private let putWithBody = HTTPRequestQuery(.put, "/goals/1", body: .json(Array("{}".utf8)))

private let one = #"{"title":"Get fit!"}"#
private let two = #"[{"title":"Get fit!"},{"title":"Read"}]"#
private let both = [fit, read]
private let unsupported = Outcome<Goal>.failure(.unsupportedQuery)
private let notFound = Outcome<Goal>.failure(.notFound)
private let unreadable = Outcome<Goal>.failure(.dataSerialization)
private let illegal = Outcome<Goal>.failure(.illegalArgument)

private struct BarePage: PaginationQuery {}
private struct UnrecognizedQuery: Query {}

private func refused(_ status: Int) -> Outcome<Goal> { .failure(.network(status: status)) }

/// One row of the table: a call, the server's response, and the expected result.
struct HTTPRow: Sendable, CustomStringConvertible {
  var call: Call<Goal>
  var status: Int
  var body: String
  var expected: Outcome<Goal>
  /// The expected request; nil when none is sent.
  var asks: TestRequest?

  var description: String { "\(call), \(status) \(body)" }

  static let rows: [HTTPRow] = [
    row(.get(get), .object(fit), says: one, asked: "GET /goals/1"),
    row(.getAll(list), .objects(both), says: two, asked: "GET /goals"),
    row(.put(fit, put), .object(fit), says: one, asked: "PUT /goals/1", with: one),
    row(.put(fit, post), .object(fit), says: one, asked: "POST /goals", with: one),
    row(.put(fit, patch), .object(fit), says: one, asked: "PATCH /goals/1", with: one),
    row(.putAll(both, put), .objects(both), says: two, asked: "PUT /goals/1", with: two),
    row(.putAll([], put), .objects([]), says: "[]", asked: "PUT /goals/1", with: "[]"),
    row(.delete(delete), .done, says: "anything", asked: "DELETE /goals/1"),
    row(.deleteAll(delete), .done, says: "anything", asked: "DELETE /goals/1"),
    row(.put(nil, putWithBody), .object(fit), says: one, asked: "PUT /goals/1", with: "{}"),
    row(.putAll([], putWithBody), .objects(both), says: two, asked: "PUT /goals/1", with: "{}"),
    row(.put(fit, putWithBody), illegal),
    row(.putAll([fit], putWithBody), illegal),

    row(.get(put), unsupported),
    row(.get(delete), unsupported),
    row(.get(IdQuery(1)), unsupported),
    row(.get(VoidQuery()), unsupported),
    row(.get(UnrecognizedQuery()), unsupported),
    row(.get(IdsQuery([1])), unsupported),
    row(.get(AllObjectsQuery()), unsupported),
    row(.get(ObjectQuery(fit)), unsupported),
    row(.get(ObjectsQuery(both)), unsupported),
    row(.get(PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.get(BarePage()), unsupported),
    row(.get(post), unsupported),
    row(.get(patch), unsupported),
    row(.get(head), unsupported),
    row(.put(fit, head), unsupported),
    row(.delete(patch), unsupported),
    row(.getAll(post), unsupported),
    row(.getAll(IdsQuery([1])), unsupported),
    row(.getAll(AllObjectsQuery()), unsupported),
    row(.getAll(PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.getAll(BarePage()), unsupported),
    row(.getAll(UnrecognizedQuery()), unsupported),
    row(.getAll(IdQuery(1)), unsupported),
    row(.getAll(VoidQuery()), unsupported),
    row(.getAll(ObjectQuery(fit)), unsupported),
    row(.getAll(ObjectsQuery(both)), unsupported),
    row(.getAll(put), unsupported),
    row(.getAll(delete), unsupported),
    row(.put(fit, get), unsupported),
    row(.put(fit, delete), unsupported),
    row(.put(fit, VoidQuery()), unsupported),
    row(.put(fit, ObjectQuery(fit)), unsupported),
    row(.put(fit, UnrecognizedQuery()), unsupported),
    row(.put(fit, IdQuery(1)), unsupported),
    row(.put(fit, IdsQuery([1])), unsupported),
    row(.put(fit, AllObjectsQuery()), unsupported),
    row(.put(fit, ObjectsQuery(both)), unsupported),
    row(.put(fit, PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.put(fit, BarePage()), unsupported),
    row(.putAll([fit], get), unsupported),
    row(.putAll([fit], ObjectsQuery([fit])), unsupported),
    row(.putAll(both, UnrecognizedQuery()), unsupported),
    row(.putAll(both, IdQuery(1)), unsupported),
    row(.putAll(both, IdsQuery([1, 2])), unsupported),
    row(.putAll(both, AllObjectsQuery()), unsupported),
    row(.putAll(both, VoidQuery()), unsupported),
    row(.putAll(both, ObjectQuery(fit)), unsupported),
    row(.putAll(both, PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.putAll(both, BarePage()), unsupported),
    row(.putAll(both, delete), unsupported),
    row(.delete(get), unsupported),
    row(.delete(put), unsupported),
    row(.delete(AllObjectsQuery()), unsupported),
    row(.delete(UnrecognizedQuery()), unsupported),
    row(.delete(IdQuery(1)), unsupported),
    row(.delete(IdsQuery([1])), unsupported),
    row(.delete(VoidQuery()), unsupported),
    row(.delete(ObjectQuery(fit)), unsupported),
    row(.delete(ObjectsQuery(both)), unsupported),
    row(.delete(PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.delete(BarePage()), unsupported),
    row(.delete(post), unsupported),
    row(.deleteAll(UnrecognizedQuery()), unsupported),
    row(.deleteAll(get), unsupported),

    row(.get(get), refused(400), status: 400, says: "no", asked: "GET /goals/1"),
    row(.put(fit, put), refused(503), status: 503, asked: "PUT /goals/1", with: one),
    row(.delete(delete), refused(302), status: 302, asked: "DELETE /goals/1"),
    row(.get(get), notFound, status: 204, asked: "GET /goals/1"),
    row(.getAll(list), .objects([]), status: 204, asked: "GET /goals"),
    row(.put(fit, put), .object(fit), status: 204, asked: "PUT /goals/1", with: one),
    row(.putAll(both, put), .objects(both), status: 204, asked: "PUT /goals/1", with: two),
    row(.delete(delete), .done, status: 204, asked: "DELETE /goals/1"),
    row(.get(get), unreadable, says: "[1]", asked: "GET /goals/1"),
    row(.getAll(list), unreadable, says: "nonsense", asked: "GET /goals"),
  ]

  /// - Parameters:
  ///   - says: The body of the server's response.
  ///   - asked: The expected request, relative to the server's root; nil when none is sent.
  ///   - with: The expected body of the request.
  private static func row(
    _ call: Call<Goal>, _ expected: Outcome<Goal>, status: Int = 200, says: String = "",
    asked: String? = nil, with body: String = ""
  ) -> HTTPRow {
    let asks = asked.map { asked in
      TestRequest(
        line: asked.replacing(" /", with: " /api/", maxReplacements: 1),
        type: body.isEmpty ? nil : "application/json", body: body)
    }
    return HTTPRow(call: call, status: status, body: says, expected: expected, asks: asks)
  }
}

@Suite struct `HTTP source` {
  @Test(arguments: HTTPRow.rows)
  func `every query has the expected answer, twice`(row: HTTPRow) async throws {
    let server = try await TestServer.start { _ in (row.status, row.body) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))

    let first = await row.call.outcome(on: AnyDataSource(source))
    let second = await row.call.outcome(on: AnyDataSource(source))

    #expect(first == row.expected)
    #expect(second == row.expected)
    #expect(server.asked == (row.asks.map { [$0, $0] } ?? []))
  }

  @Test(arguments: Wrapping<Goal>.all)
  func `every wrapper answers like its base`(wrapping: Wrapping<Goal>) async throws {
    for row in HTTPRow.rows {
      let server = try await TestServer.start { _ in (row.status, row.body) }
      let source = HTTPDataSource<Goal>(HTTPClient(server.address))

      let outcome = await row.call.outcome(on: wrapping.wrap(AnyDataSource(source)))

      #expect(outcome == row.expected, "\(row)")
    }
  }

  @Test func `parameters are sorted and encoded in the URL, and forms in the body`() async throws {
    let server = try await TestServer.start { _ in (200, one) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))
    let query = HTTPRequestQuery(
      .post, "a b", parameters: ["z": "1&2", "a": "ä"], body: .form(["k": "v w"]))

    try await source.put(nil, in: query)

    #expect(
      server.asked == [
        TestRequest(
          line: "POST /api/a%20b?a=%C3%A4&z=1%262", type: "application/x-www-form-urlencoded",
          body: "k=v%20w")
      ])
    #expect(query.key == "POST /a%20b?a=%C3%A4&z=1%262")
  }

  @Test func `headers of the client are in every request, unless the query has its own`()
    async throws
  {
    let server = try await TestServer.start { _ in (200, one) }
    let client = HTTPClient(
      server.address, headers: ["Authorization": "Bearer t", "Accept": "*/*"])
    let source = HTTPDataSource<Goal>(client)

    _ = try await source.get(get)
    _ = try await source.get(
      HTTPRequestQuery(.get, "/goals/1", headers: ["authorization": "Bearer u"]))

    #expect(server.values(ofHeader: "Authorization") == [["Bearer t"], ["Bearer u"]])
    #expect(server.values(ofHeader: "Accept") == [["*/*"], ["*/*"]])
    #expect(!"\(client) \(source)".contains("Bearer"))
  }

  @Test func `HEAD asks whether there is an object`() async throws {
    let server = try await TestServer.start { request in
      (request.line.hasSuffix("/goals/1") ? 200 : 404, one)
    }
    let source = HTTPDataSource<NoResponse>(HTTPClient(server.address))

    _ = try await source.get(head)
    let error = await failure { () throws(DataSourceError) in
      try await source.get(HTTPRequestQuery(.head, "/goals/2"))
    }

    #expect(error?.code == .network(status: 404))
    #expect(server.asked.map(\.line) == ["HEAD /api/goals/1", "HEAD /api/goals/2"])
  }

  @Test func `JSON settings are those of the server`() async throws {
    struct Event: Codable, Sendable, Equatable { var startsAt: Int }
    let server = try await TestServer.start { _ in (200, #"{"starts_at":5}"#) }
    let source = HTTPDataSource<Event>(
      HTTPClient(server.address),
      coding: JSONCoding { encoder, decoder in
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
      })

    #expect(try await source.put(Event(startsAt: 5), in: put) == Event(startsAt: 5))
    #expect(server.asked.first?.body == #"{"starts_at":5}"#)
  }

  @Test func `a timeout of any length works`() async throws {
    let server = try await TestServer.start { _ in (200, one) }
    let client = HTTPClient(server.address, timeout: .seconds(Int64.max))

    let goal = try await HTTPDataSource<Goal>(client).get(get)

    #expect(try await HTTPDataSource<Goal>(HTTPClient(server.address)).get(get) == goal)
  }

  @Test func `an error status includes the response`() async throws {
    let server = try await TestServer.start { _ in (422, "no title") }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))

    let error = await failure { () throws(DataSourceError) in try await source.get(get) }

    #expect(error?.message == "\(server.address) answered GET /goals/1 with the status 422.")
    #expect(error?.cause == "no title")
    #expect(error?.source == "HTTPDataSource<Goal>")
  }

  @Test func `a decoding error contains the path`() async throws {
    let server = try await TestServer.start { _ in (200, #"[{"title":"a"},{"title":5}]"#) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))

    let error = await failure { () throws(DataSourceError) in try await source.getAll(list) }

    #expect(error?.cause?.hasPrefix("[1].title: ") == true)
  }

  @Test func `an unreachable server is a network error without a status`() async throws {
    let address = HTTPAddress(host: "127.0.0.1", port: 1)
    let source = HTTPDataSource<Goal>(HTTPClient(address))

    let error = await failure { () throws(DataSourceError) in try await source.get(get) }

    #expect(error?.code == .network(status: nil))
  }

  @Test func `a server that never responds causes a timeout`() async throws {
    let server = try await TestServer.start { _ in nil }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address, timeout: .milliseconds(50)))

    let error = await failure { () throws(DataSourceError) in try await source.get(get) }

    #expect(error?.message == "\(server.address) did not respond in time.")
  }

  @Test func `canceling a request closes its connection`() async throws {
    let server = try await TestServer.start { _ in nil }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))
    let call = Task { await failure { () throws(DataSourceError) in try await source.get(get) } }
    try await waitUntil("the server has the request") { !server.asked.isEmpty }

    call.cancel()

    #expect(await call.value?.code == .cancelled)
    try await waitUntil("the connection is closed") { server.closedConnections > 0 }
  }

  @Test func `a source of NoResponse needs no content`() async throws {
    let server = try await TestServer.start { _ in (200, "whatever") }
    let source = HTTPDataSource<NoResponse>(HTTPClient(server.address))

    #expect(try await source.put(nil, in: post) == NoResponse())
    #expect(try await source.putAll([], in: post) == [])
  }

  @Test func `a response larger than the limit is an error`() async throws {
    let server = try await TestServer.start { _ in (200, two) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address, maxResponseBytes: 10))

    let error = await failure { () throws(DataSourceError) in try await source.getAll(list) }

    #expect(
      error?.message == "The response of \(server.address) is larger than the limit of 10 bytes.")
  }

  @Test func `1,000 concurrent calls are all answered`() async throws {
    let server = try await TestServer.start { _ in (200, one) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address))

    let answered = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 {
        group.addTask { (try? await source.get(get)) == fit ? 1 : 0 }
      }
      return await group.reduce(0, +)
    }

    #expect(answered == 1_000)
  }

  @Test func `a query has the same result in memory and on a server`() async throws {
    let server = try await TestServer.start { request in
      request.line == "GET /api/search?q=fit" ? (200, "[\(one)]") : (404, "")
    }
    let remote = HTTPDataSource<Goal>(HTTPClient(server.address))
    let local = SearchableMemory(goals: [fit, read])
    let memory = InMemoryDataSource<Goal>()
    let query = SearchQuery(text: "fit")

    try await memory.putAll(remote.getAll(query), in: query)

    #expect(try await remote.getAll(query) == [fit])
    #expect(try await local.getAll(query) == [fit])
    #expect(try await memory.getAll(query) == [fit])
  }

  @Test func `a request is a cache key of its answer`() async throws {
    let server = try await TestServer.start { _ in (200, one) }
    let source = HTTPDataSource<Goal>(HTTPClient(server.address)).cached(
      timeToLive: .seconds(60), clock: ManualClock())

    _ = try await source.get(HTTPRequestQuery(.get, "/g", headers: ["Authorization": "s3cret"]))
    _ = try await source.get(HTTPRequestQuery(.get, "/g"))

    #expect(server.asked.count == 1)
  }

  @Test func `a request is a key of a key/value source`() async throws {
    let memory = InMemoryDataSource<Goal>()

    try await memory.put(fit, in: get)
    try await memory.putAll([fit, read], in: list)

    #expect(try await memory.get(get) == fit)
    #expect(try await memory.getAll(list) == [fit, read])
    try await memory.delete(get)
    #expect(try await memory.getAll(AllObjectsQuery()) == [fit, read])
  }

  @Test func `a request's description omits headers and body`() {
    let query = HTTPRequestQuery(
      .put, "/g", headers: ["Authorization": "s3cret"], body: .form(["token": "s3cret"]))

    #expect("\(query)" == "PUT /g")
  }

  @Test func `a server is watched by polling`() async throws {
    let server = try await TestServer.start { _ in (200, one) }
    let clock = ManualClock()
    let source = HTTPDataSource<Goal>(HTTPClient(server.address)).polled(
      every: .seconds(5), clock: clock)
    var watch = source.watch(get).awaited("the goal").makeAsyncIterator()

    let first = try await watch.next()
    try await clock.awaitSleepers(1)
    clock.advance(by: .seconds(5))
    try await clock.awaitSleepers(1)

    #expect(first == fit)
    #expect(server.asked.count == 2)
  }
}

/// Searchable goals in memory.
private struct SearchableMemory: GetDataSource {
  let goals: [Goal]

  func get(_ query: any Query) async throws(DataSourceError) -> Goal {
    throw .unsupported(query, source: Self.self, operation: .get)
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [Goal] {
    guard let search = query as? SearchQuery else {
      throw .unsupported(query, source: Self.self, operation: .getAll)
    }
    return goals.filter { $0.title.contains(search.text) }
  }
}

@Suite struct `HTTP address` {
  @Test(arguments: [
    ("http://localhost", "localhost", 80, ""),
    ("http://localhost:8080/api/", "localhost", 8_080, "/api"),
    ("http://[::1]:9/x", "::1", 9, "/x"), ("http://[::1]", "::1", 80, ""),
  ])
  func `an address is parsed into host, port and path`(
    text: String, host: String, port: Int, path: String
  )
    throws
  {
    #expect(try HTTPAddress(text) == HTTPAddress(host: host, port: port, path: path))
  }

  @Test(arguments: [
    ("https://h", 443, "https://h"), ("https://h:444/a", 444, "https://h:444/a"),
    ("https://h:80", 80, "https://h:80"),
  ])
  func `https has its own default port`(text: String, port: Int, words: String)
    throws
  {
    let address = try HTTPAddress(text)

    #expect(address.port == port && address.scheme == .https)
    #expect(address.description == words)
  }

  @Test(arguments: [
    ("x", "x is not an HTTP address. Use https://host:port/path."),
    ("ftp://x", "ftp://x is not an HTTP address. Use https://host:port/path."),
    ("https://:80", "https://:80 has no valid host. Use https://host:port/path."),
    ("http://:80", "http://:80 has no valid host. Use http://host:port/path."),
    ("http://u@h", "http://u@h has no valid host. Use http://host:port/path."),
    ("http://h:0", "http://h:0 has an invalid port. Use a number from 1 to 65535."),
    ("http://h:x", "http://h:x has an invalid port. Use a number from 1 to 65535."),
  ])
  func `an invalid address is an error with the reason`(text: String, sentence: String) async {
    let error = await failure { () throws(DataSourceError) in try HTTPAddress(text) }

    #expect(error?.message == sentence)
  }
}
