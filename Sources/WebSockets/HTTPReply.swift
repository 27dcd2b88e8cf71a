import NIOHTTP1
import Sync
import Triples

/// An HTTP request that does not open a WebSocket.
struct HTTPRequest: Sendable {
  var method: String
  var path: String
  var token: String?
  var body: [UInt8]
  /// The IP address of the peer.
  var address: String?
  /// The sequence number of the connection.
  var connection = 0
  /// The query parameters in the URL of the request.
  var parameters: [String: String] = [:]
  /// The user on whose behalf an admin client sends the request. Nil if the client acts for itself.
  var user: ActingUser?
}

/// The user on whose behalf an admin client sends a request.
enum ActingUser: Hashable, Sendable {
  case guest
  case email(String)
  case token(String)

  init?(_ headers: HTTPHeaders) {
    if let email = headers.first(name: "as-email") {
      self = .email(email)
    } else if let token = headers.first(name: "as-token") {
      self = .token(token)
    } else if headers.contains(name: "as-guest") {
      self = .guest
    } else {
      return nil
    }
  }
}

extension HTTPRequest {
  /// Parses the query parameters in the URL of a request, and decodes their percent escapes.
  static func parameters(of target: String) -> [String: String] {
    guard let start = target.firstIndex(of: "?") else { return [:] }
    var parameters: [String: String] = [:]
    for pair in target[start...].dropFirst().split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      parameters[decoded(parts[0])] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    return parameters
  }

  private static func decoded(_ part: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(part).utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension HTTPRequest {
  /// Parses the body as a JSON object.
  func object(maxBytes: Int) throws(ServerError) -> JSONObject {
    let options = JSONOptions(
      largeIntegers: .doubles, maximumDepth: JSONOptions.maxMessageDepth,
      maximumBytes: maxBytes)
    let json: Value
    do throws(JSONError) { json = try JSONReader.value(of: body, options: options) } catch {
      throw ServerError(
        type: "param-malformed", "The body is not valid JSON: \(error.description).",
        hint: ["in": ["body"]])
    }
    guard case .object(let object) = json else {
      throw ServerError(
        type: "param-malformed", "The body must be a JSON object, not \(json.kindName).",
        hint: ["in": ["body"]])
    }
    return object
  }
}

/// An HTTP response.
struct HTTPReply: Sendable {
  var status: Int
  var text: String
  var contentType = "application/json"
  var headers: [(String, String)] = []

  init(_ json: String, status: Int = 200) {
    text = json
    self.status = status
  }

  /// Creates a response with the metrics in Prometheus format.
  init(metrics: String) {
    self.init(metrics)
    contentType = "text/plain; version=0.0.4"
  }

  init(_ error: ServerError, status: Int? = nil) {
    var body = JSONObject()
    body["type"] = error.type.map(Value.text)
    body["message"] = .text(error.message)
    body["hint"] = error.hint
    self.init(JSONWriter.text(.object(body)), status: status ?? error.status)
  }

  static let unknownRoute = HTTPReply(
    #"{"message":"Oops! We couldn't match this route."}"#, status: 404)
  static let tooLarge = HTTPReply(
    #"{"type":"param-malformed","message":"The request is too large."}"#,
    status: 413)
  static func timedOut(_ limit: Int64) -> HTTPReply { HTTPReply(.timedOut(limit, nil)) }

  static let overloaded = HTTPReply(
    #"{"type":"rate-limited","message":"The server's memory for answers is full, because "#
      + #"clients read too slowly. Try again in 10 s."}"#, status: 503)
  static let strangeOrigin = HTTPReply(
    #"{"type":"permission-denied","message":"The request comes from another site. A server "#
      + #"without a token accepts only pages and programs on its own machine."}"#, status: 403)

  /// The response that permits requests from pages of other origins. Such requests need the token.
  static let preflight: HTTPReply = {
    var reply = HTTPReply("", status: 204)
    reply.headers = [
      ("Access-Control-Allow-Methods", "GET, POST, DELETE, PUT, OPTIONS"),
      ("Access-Control-Allow-Headers", "*, Authorization"), ("Access-Control-Max-Age", "600"),
    ]
    return reply
  }()
}
