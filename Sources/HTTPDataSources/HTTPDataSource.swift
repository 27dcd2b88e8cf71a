public import DataSources

/// Gets and stores objects of a server, as JSON over HTTP.
///
/// It only answers an ``HTTPQuery`` whose method matches the call: get and getAll send GET, put and
/// putAll send PUT, POST or PATCH, delete sends DELETE. The object of a put becomes the body. If a
/// put has no object, the query's own body is sent. A source of ``NoResponse`` can also get with
/// HEAD. A server cannot be watched; poll it with `polled(every:)`.
///
/// ```swift
/// let goals = HTTPDataSource<Goal>(HTTPClient(try HTTPAddress("http://localhost:8080/api")))
/// let open = try await goals.getAll(HTTPRequestQuery(.get, "/goals", parameters: ["open": "yes"]))
/// ```
///
/// A response without content (204, 205) is `notFound` for get, `[]` for getAll, and the given
/// object for a put. A status outside 200 to 299 throws `network` with that status. Without any
/// response, the call throws `network` without a status. Redirects are not followed.
public struct HTTPDataSource<Object: Codable & Sendable>: Sendable {
  private let client: HTTPClient
  private let coding: JSONCoding

  /// Creates a source of a server's objects.
  /// - Parameter coding: How objects are written as JSON, for example their dates.
  public init(_ client: HTTPClient, coding: JSONCoding = .standard) {
    self.client = client
    self.coding = coding
  }
}

extension HTTPDataSource: GetDataSource {
  /// Sends a GET request, and returns the object in the response.
  ///
  /// - Throws: `notFound` for a response without content; `network` for an error status, such as
  ///   `network(status: 404)`, or for no response; `untrusted`; `dataSerialization`; `unsupportedQuery`.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    let methods: Set<HTTPRequestQuery.Method> =
      Object.self == NoResponse.self ? [.get, .head] : [.get]
    let answer = try await send(try request(query, .get, methods), .get)
    guard let object: Object = try read(answer, .get) else {
      throw .notFound("\(query)").annotated(by: Self.self, in: .get)
    }
    return object
  }

  /// Sends a GET request, and returns the array of objects in the response; `[]` without content.
  ///
  /// - Throws: The errors of ``get(_:)``, except `notFound`.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    let answer = try await send(try request(query, .getAll, [.get]), .getAll)
    return try read(answer, .getAll) ?? []
  }
}

extension HTTPDataSource: PutDataSource {
  /// Sends the object, or without one the body of the query, by PUT, POST or PATCH.
  ///
  /// - Returns: The object in the response; without content, the object that was sent.
  /// - Throws: `illegalArgument` if both the call and the query have a body; `notFound` if neither the
  ///   response nor the call has an object; the other errors of ``get(_:)``.
  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    let request = try request(query, .put, [.put, .post, .patch])
    var json: [UInt8]?
    if let object {
      try checkNoBody(request, .put)
      json = try coding.write(object, "Cannot encode the object as JSON.")
    }
    let answer = try await send(request, .put, json: json)
    guard let stored = try read(answer, .put) ?? object else {
      throw DataSourceError(
        .notFound, "The server's response to \(request) contains no object."
      ).annotated(by: Self.self, in: .put)
    }
    return stored
  }

  /// Sends the objects as one array, or without any the body of the query, by PUT, POST or PATCH.
  ///
  /// - Returns: The objects in the response; without content, the objects that were sent.
  /// - Throws: The errors of ``put(_:in:)``, except `notFound`.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    let request = try request(query, .putAll, [.put, .post, .patch])
    var json: [UInt8]?
    if !objects.isEmpty || request.body == nil {
      try checkNoBody(request, .putAll)
      json = try coding.write(objects, "Cannot encode the objects as JSON.")
    }
    let answer = try await send(request, .putAll, json: json)
    if Object.self == NoResponse.self { return [] }
    return try read(answer, .putAll) ?? objects
  }
}

extension HTTPDataSource: DataSource {}

extension HTTPDataSource: DeleteDataSource {
  /// Sends a DELETE request without a body. The content of the response is ignored.
  ///
  /// - Throws: `network` for an error status, including 404, or for no response; `untrusted`;
  ///   `unsupportedQuery`.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    var request = try request(query, .delete, [.delete])
    request.body = nil
    _ = try await send(request, .delete)
  }
}

extension HTTPDataSource {
  /// Returns the HTTP request of `query`.
  /// - Throws: `unsupportedQuery` if the query has no request, or if its method does not match the
  ///   call.
  private func request(
    _ query: any Query, _ operation: DataOperation, _ methods: Set<HTTPRequestQuery.Method>
  ) throws(DataSourceError) -> HTTPRequestQuery {
    try DataSourceError.checkCancellation()
    guard let request = (query as? any HTTPQuery)?.request, methods.contains(request.method) else {
      throw .unsupported(query, source: Self.self, operation: operation)
    }
    return request
  }

  private func checkNoBody(
    _ request: HTTPRequestQuery, _ operation: DataOperation
  ) throws(DataSourceError) {
    if request.body != nil {
      throw .illegalArgument(
        "The call passes an object, but the query already has a body. Use only one of them."
      )
      .annotated(by: Self.self, in: operation)
    }
  }

  private func send(
    _ request: HTTPRequestQuery, _ operation: DataOperation, json: [UInt8]? = nil
  ) async throws(DataSourceError) -> HTTPAnswer {
    do throws(DataSourceError) {
      let answer: HTTPAnswer
      switch (json, request.body) {
      case (let json?, _), (nil, .json(let json)):
        answer = try await client.send(request, body: json, type: "application/json")
      case (nil, .form(let fields)):
        answer = try await client.send(
          request, body: Array(PercentEncoding.form(fields).utf8),
          type: "application/x-www-form-urlencoded")
      case (nil, nil):
        answer = try await client.send(request, body: nil, type: nil)
      }
      guard (200...299).contains(answer.status) else {
        throw DataSourceError(
          .network(status: answer.status),
          "\(client.address) answered \(request) with the status \(answer.status).",
          cause: String(decoding: answer.body.prefix(4_096), as: UTF8.self))
      }
      return answer
    } catch {
      throw error.annotated(by: Self.self, in: operation)
    }
  }

  /// Decodes the body of a response; nil when the response has no content.
  private func read<Read: Decodable>(
    _ answer: HTTPAnswer, _ operation: DataOperation
  ) throws(DataSourceError) -> Read? {
    if let nothing = NoResponse() as? Read { return nothing }
    if answer.status == 204 || answer.status == 205 { return nil }
    if Read.self == [NoResponse].self { return nil }
    do throws(DataSourceError) {
      return try coding.read(from: answer.body, "Cannot decode the server's response.")
    } catch {
      throw error.annotated(by: Self.self, in: operation)
    }
  }
}
