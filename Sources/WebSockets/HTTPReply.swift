import Sync
import Triples

/// A request that is no session, as far as anybody looks at it.
struct HTTPQuestion: Sendable {
  var method: String
  var path: String
  var token: String?
  var body: [UInt8]
}

extension HTTPQuestion {
  /// The body as a JSON object.
  func object(mostBytes: Int) throws(ServerError) -> JSONObject {
    let options = JSONOptions(
      largeIntegers: .doubles, maximumDepth: JSONOptions.deepestMessage,
      maximumBytes: mostBytes)
    let json: Value
    do throws(JSONError) { json = try JSONReader.value(of: body, options: options) } catch {
      throw ServerError(
        type: "param-malformed", "The body is no JSON: \(error.description).",
        hint: ["in": ["body"]])
    }
    guard case .object(let object) = json else {
      throw ServerError(
        type: "param-malformed", "The body is a JSON object, not \(json.kindName).",
        hint: ["in": ["body"]])
    }
    return object
  }
}

/// What a request is answered with.
struct HTTPReply: Sendable {
  var status: Int
  var json: String
  var headers: [(String, String)] = []

  init(_ json: String, status: Int = 200) {
    self.json = json
    self.status = status
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
    #"{"type":"param-malformed","message":"The request is larger than the server takes."}"#,
    status: 413)
  static let strangeOrigin = HTTPReply(
    #"{"type":"permission-denied","message":"Without a token the server answers pages and "#
      + #"programs of this machine only."}"#, status: 403)

  /// Pages of other origins may ask, if they know the token.
  static let preflight: HTTPReply = {
    var reply = HTTPReply("", status: 204)
    reply.headers = [
      ("Access-Control-Allow-Methods", "GET, POST, DELETE, PUT, OPTIONS"),
      ("Access-Control-Allow-Headers", "*, Authorization"), ("Access-Control-Max-Age", "600"),
    ]
    return reply
  }()
}
