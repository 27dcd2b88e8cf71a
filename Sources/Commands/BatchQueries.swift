import InstaQL
import LiveQueries
import Stores
import Triples

/// Reads queries from standard input, one per line, and writes one line of output for each.
///
/// A query is InstaQL JSON or text. The output is `{"data": …, "pageInfo": …}`, or an error in the
/// format of `--json-errors`. After an invalid line, the next lines are still processed.
struct BatchQueries {
  let store: any StoreDataSource
  /// The data known before a query: all data of a local store, or the schema of a remote store.
  private var known: StoreSnapshot
  /// Whether queries are evaluated as for a client without a schema: unknown names match nothing,
  /// and to-one links are lists.
  let isLenient: Bool
  /// The freshness of the last result that may be out of date; nil if all results were current.
  private(set) var lastOld: StoreSnapshot.Freshness?
  /// The printed remarks on the order of strings.
  private var textOrderRemarks: Set<String> = []

  init(store: any StoreDataSource, known: StoreSnapshot, isLenient: Bool) {
    (self.store, self.known, self.isLenient) = (store, known, isLenient)
  }

  /// The maximum length of a line in bytes. Longer lines are rejected.
  private static let maxLineBytes = 256 << 20

  /// Answers queries until the input ends or standard output is closed.
  ///
  /// - Returns: The number of lines that failed.
  mutating func run() throws(Failure) -> Int {
    var wrongLines = 0
    var lines = LineReader(maxBytes: Self.maxLineBytes)
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
      throw Failure.unreadableInput(
        "Standard input", SystemError(errno: lines.failure).reason)
    }
    return wrongLines
  }

  /// Returns the answer to one line, without a line break.
  private mutating func answer(to line: [UInt8]) throws(Failure) -> [UInt8] {
    let query: QueryDocument
    do throws(QueryError) {
      guard line.count <= Self.maxLineBytes else {
        throw .invalid(path: "", reason: "The query has more than \(Self.maxLineBytes) bytes.")
      }
      query = try currentDocument(of: line)
    } catch { throw Failure(error) }
    return try json(for: query)
  }

  /// Parses a query with the current schema.
  private mutating func currentDocument(of line: [UInt8]) throws(QueryError) -> QueryDocument {
    do throws(QueryError) {
      return try document(of: line)
    } catch {
      if isLenient { throw error }
      // Another process may have added the unknown name.
      let current = try? waiting { [store] () async throws(Failure) in
        try await store.snapshotOrFail(SchemaQuery())
      }
      guard let current else { throw error }
      known = current
      return try document(of: line)
    }
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
    // The rules of InstantDB's clients do not apply to queries that only local stores can answer.
    if !isLenient, let own = try? QueryDocument(instaQL: query), (try? own.instaQL()) == nil {
      return own
    }
    try QueryValidator(schema: schema).validate(query)
    // A client without a schema ignores prefixes of ids.
    return try QueryDocument(instaQL: query, reading: isLenient ? .reference : .served)
  }

  /// The first characters by which a line is recognized as JSON. JSON other than an object is
  /// rejected.
  private static let jsonBeginnings = Array("{[\"-0123456789".utf8)

  private mutating func json(for document: QueryDocument) throws(Failure) -> [UInt8] {
    let (remark, snapshot) = try waiting { [store] () async throws(Failure) in
      (
        await store.textOrderRemark(for: document),
        try await store.answerOrFail(document, as: .result(.json))
      )
    }
    if let remark, textOrderRemarks.insert(remark).inserted { StandardError.write(remark) }
    if snapshot.freshness.remark != nil { lastOld = snapshot.freshness }
    var output = JSONOutput(capacity: 1 << 16)
    // Like a client that knows the schema, writes a to-one link as one object instead of a list.
    let options = QueryOptions(infersCardinality: !isLenient)
    do throws(QueryError) {
      try QueryEngine.json(document, in: snapshot, options: options, into: &output)
    } catch { throw Failure(error) }
    return output.bytes
  }
}
