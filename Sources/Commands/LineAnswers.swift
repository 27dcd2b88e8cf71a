import InstaQL
import Triples

/// Answers queries that come on standard input, one a line, each with one line on standard output.
///
/// A line is InstaQL JSON or text. Its answer is `{"data": …, "pageInfo": …}`, or
/// `{"error": {"message": …, "path": …, "hint": …}}`; a wrong line does not end the conversation.
struct LineAnswers {
  let store: TripleStore
  /// Whether unknown names match nothing, as for a client without a schema, and lists stay lists.
  let isLenient: Bool

  /// A line longer than this is refused, in bytes.
  private static let longestLine = 256 << 20

  /// Reads until the end of the input or until nobody reads the answers any more.
  func run() throws(Failure) {
    for line in LineReader(longest: Self.longestLine) {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      guard try Output.write(answer(to: line) + [0x0A]) else { return }
    }
  }

  /// The answer to one line, without a line break.
  func answer(to line: [UInt8]) -> [UInt8] {
    do throws(QueryError) {
      guard line.count <= Self.longestLine else {
        throw .invalid(path: "", reason: "a query may have \(Self.longestLine) bytes at most")
      }
      return Array(try json(for: try document(of: line)).utf8)
    } catch {
      return JSONWriter.bytes(["error": error.json])
    }
  }

  private var schema: Schema? { isLenient ? nil : store.schema }

  private func document(of line: [UInt8]) throws(QueryError) -> QueryDocument {
    let first = line.first { $0 != 0x20 && $0 != 0x09 }
    guard let first, Self.jsonBeginnings.contains(first) else {
      return try QueryDocument(text: String(decoding: line, as: UTF8.self), schema: schema)
    }
    let query: Value
    do throws(JSONError) {
      query = try JSONReader.value(of: line)
    } catch {
      throw .json(line: error.line, column: error.column, reason: error.reason)
    }
    try QueryValidator(schema: schema).validate(query)
    return try QueryDocument(instaQL: query, reading: .reference)
  }

  /// What a line of JSON begins with: an object, or a value that the validator refuses by its words.
  private static let jsonBeginnings = Array("{[\"-0123456789".utf8)

  private func json(for document: QueryDocument) throws(QueryError) -> String {
    // A client that knows the schema gets one object, not a list of one, where a link leads to one.
    try QueryEngine.json(
      document, in: store, options: QueryOptions(infersCardinality: !isLenient))
  }
}

extension QueryError {
  /// The error as a program reads it.
  var json: Value {
    var object = JSONObject([.init(key: "message", value: .text(message))])
    if case .validation(let fault) = self {
      // The message of a refusal begins with its path; the path stands for itself as well.
      object["path"] = fault.path.map { .text($0) }
    }
    if case .invalid(let path, _) = self, !path.isEmpty { object["path"] = .text(path) }
    if let (line, column) = position {
      object["line"] = .integer(Int64(line))
      object["column"] = .integer(Int64(column))
    }
    object["hint"] = hint.map { .text($0) }
    return .object(object)
  }
}
