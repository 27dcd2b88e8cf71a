import InstaQL
import LiveQueries
import Stores
import Triples

/// Answers queries that come on standard input, one a line, each with one line on standard output.
///
/// A line is InstaQL JSON or text. Its answer is `{"data": …, "pageInfo": …}`, or what
/// `--json-errors` prints of a failure; a wrong line does not end the conversation.
struct LineAnswers {
  let store: any StoreDataSource
  /// What is known before anything is asked: all of a store in this process, the schema of another.
  let known: StoreSnapshot
  /// Whether unknown names match nothing, as for a client without a schema, and lists stay lists.
  let isLenient: Bool
  /// How fresh the last answer was that may not be true any more; nil when all are.
  private(set) var lastOld: StoreSnapshot.Freshness?

  init(store: any StoreDataSource, known: StoreSnapshot, isLenient: Bool) {
    (self.store, self.known, self.isLenient) = (store, known, isLenient)
  }

  /// A line longer than this is refused, in bytes.
  private static let longestLine = 256 << 20

  /// Reads until the end of the input or until nobody reads the answers any more.
  /// - Returns: How many lines had no answer.
  mutating func run() throws(Failure) -> Int {
    var wrongLines = 0
    var lines = LineReader(longest: Self.longestLine)
    while let line = lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      var output: [UInt8]
      do throws(Failure) {
        output = try answer(to: line)
      } catch {
        output = JSONWriter.bytes(error.json)
        wrongLines += 1
      }
      output.append(UInt8(ascii: "\n"))
      guard try Output.show(output) else { return wrongLines }
    }
    if lines.failure != 0 {
      throw Failure(
        message: "Standard input cannot be read: \(SystemError(errno: lines.failure).reason).",
        status: ExitStatus.usage)
    }
    return wrongLines
  }

  /// The answer to one line, without a line break.
  private mutating func answer(to line: [UInt8]) throws(Failure) -> [UInt8] {
    let question: QueryDocument
    do throws(QueryError) {
      guard line.count <= Self.longestLine else {
        throw .invalid(path: "", reason: "a query may have \(Self.longestLine) bytes at most")
      }
      question = try document(of: line)
    } catch { throw Failure(error) }
    return try json(for: question)
  }

  private var schema: Schema? { isLenient ? nil : known.store.schema }

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
    // A client without a schema passes over the beginning of an id.
    return try QueryDocument(instaQL: query, reading: isLenient ? .reference : .served)
  }

  /// What a line of JSON begins with: an object, or a value that the validator refuses by its words.
  private static let jsonBeginnings = Array("{[\"-0123456789".utf8)

  private mutating func json(for document: QueryDocument) throws(Failure) -> [UInt8] {
    let snapshot = try waiting { [store] () async throws(Failure) in
      try await store.answerOrFail(document, bytes: .spelled)
    }
    if snapshot.freshness.remark != nil { lastOld = snapshot.freshness }
    var output = JSONOutput(capacity: 1 << 16)
    // A client that knows the schema gets one object, not a list of one, where a link leads to one.
    let options = QueryOptions(infersCardinality: !isLenient)
    do throws(QueryError) {
      try QueryEngine.json(document, in: snapshot, options: options, into: &output)
    } catch { throw Failure(error) }
    return output.bytes
  }
}
