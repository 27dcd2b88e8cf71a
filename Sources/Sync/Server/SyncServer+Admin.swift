import DataSources
import InstaQL
import LiveQueries
package import Triples

/// The admin interface over HTTP, for programs that send single requests.
///
/// - Source: InstantDB's admin endpoints `query`, `transact` and `schema`.
extension SyncServer {
  /// Evaluates a query and returns nested objects as JSON text.
  ///
  /// - Parameters:
  ///   - infersCardinality: Whether a to-one relation is an object instead of a list.
  ///   - client: Identifies the client for the evaluation pool.
  package nonisolated func answer(
    _ query: Value, infersCardinality: Bool, for client: Int = 0
  ) async throws(ServerError) -> String {
    let document = try Self.document(query, original: nil)
    let snapshot = try await snapshot(for: document)
    var options = QueryOptions(objects: .stored)
    options.infersCardinality = infersCardinality
    let start = ContinuousClock.now
    defer { recordTime(ContinuousClock.now - start, of: query) }
    do throws(QueryError) {
      return try await Self.tree(document, in: snapshot.store, options: options, for: client)
    } catch { throw .refusedQuery(error, query, nil) }
  }

  /// Evaluates a query, and returns its triples and all attributes, for pages that are rendered on
  /// a server.
  package nonisolated func rows(
    of query: Value, for client: Int = 0
  ) async throws(ServerError) -> String {
    let document = try Self.document(query, original: nil)
    let snapshot = try await snapshot(for: document)
    do throws(QueryError) {
      let rows = try await Self.rows(document, in: snapshot.store, for: client)
      let attributes = JSONWriter.text(.array(snapshot.store.schema.attributes.map(\.json)))
      return #"{"result":\#(rows),"attrs":\#(attributes)}"#
    } catch { throw .refusedQuery(error, query, nil) }
  }

  /// Executes InstaML operations, including `["add-attr", attribute]` and `["delete-attr", id]`.
  ///
  /// Each operation is `[action, namespace, id, arguments, options?]`.
  ///
  /// - Parameter makesAttributes: Whether unknown names become new attributes.
  /// - Returns: The id of the transaction.
  package nonisolated func transact(
    operations: Value, makesAttributes: Bool
  ) async throws(ServerError) -> Int {
    guard access.allowsWriting else { throw .readOnly(nil) }
    guard case .array(let items) = operations else {
      throw .refusedSteps("`steps` must be a list of operations.", "steps", operations, nil)
    }
    let isAboutAttribute = { (item: Value) -> Bool in
      guard case .array(let parts) = item, let name = parts.first?.textValue else { return false }
      return name == "add-attr" || name == "delete-attr"
    }
    let attributeSteps: [TransactionStep]
    do throws(TransactionError) {
      attributeSteps = try Transaction(json: .array(items.filter(isAboutAttribute))).steps
    } catch { throw .refusedSteps(error.message, "steps", operations, nil) }
    let builder: TransactionBuilder
    do throws(InstaMLError) {
      builder = try TransactionBuilder(json: .array(items.filter { !isAboutAttribute($0) }))
    } catch { throw .refusedSteps(error.message, "steps", operations, nil) }
    var snapshot = try await snapshot(for: AllObjectsQuery())
    for _ in 0..<Self.maxAttempts {
      let transaction = try Self.transaction(
        attributeSteps, builder, in: snapshot.store, makesAttributes, operations)
      do throws(DataSourceError) {
        let start = ContinuousClock.now
        let made = try await store.put(nil, in: TransactionQuery(transaction))
        recordTransaction(
          publicID(of: made.transactionID), steps: transaction.steps.count, since: start,
          from: nil)
        return publicID(of: made.transactionID)
      } catch {
        // Another client may have created the same attributes in the meantime. The next attempt
        // then uses those.
        let known = snapshot.store.schema
        snapshot = try await self.snapshot(for: AllObjectsQuery())
        if snapshot.store.schema == known { throw ServerError(error, original: nil) }
      }
    }
    throw .attributesChanging
  }

  /// The maximum number of attempts, in case other clients change attributes at the same time.
  private static let maxAttempts = 10

  private static func transaction(
    _ attributeSteps: [TransactionStep], _ builder: TransactionBuilder, in store: TripleStore,
    _ makesAttributes: Bool, _ operations: Value
  ) throws(ServerError) -> Transaction {
    do throws(InstaMLError) {
      let made = try builder.transaction(in: store, declared: makesAttributes ? nil : store.schema)
      return Transaction(attributeSteps + made.steps)
    } catch { throw .refusedSteps(error.message, "steps", operations, nil) }
  }

  /// Returns the metrics in the format of Prometheus.
  package func metrics(connections: Int, unsentBytes: Int) -> String {
    let subscriptions = served.values.reduce(0) { $0 + $1.listeners.count + $1.waiting.count }
    return counters.text([
      ("sonde_connections", "Open connections.", connections),
      ("sonde_sessions", "Sessions of clients, over WebSockets or event streams.", clients.count),
      ("sonde_subscriptions", "Subscribed queries of all sessions.", subscriptions),
      ("sonde_queries", "Distinct queries of all sessions.", served.count),
      ("sonde_queue_bytes", "Bytes queued for slow clients.", unsentBytes),
    ])
  }

  /// Creates the row of a signed-in user, unless the row exists. Apps link the user's data to this
  /// row.
  package nonisolated func addUser(_ id: EntityID, type: String) async throws(ServerError) {
    guard access.allowsWriting else { return }
    let query: Value = [
      "$users": ["$": ["where": ["id": .text(id.text)], "fields": ["id"]]]
    ]
    guard try await !answer(query, infersCardinality: false).contains(id.text) else { return }
    _ = try await transact(
      operations: [["update", "$users", .text(id.text), ["type": .text(type)]]],
      makesAttributes: true)
  }

  /// Returns the presence data of a room: `{"sessions": {id: {"peer-id", "user", "data"}}}`.
  package func presenceJSON(in room: String) -> String {
    JSONWriter.text(["sessions": .object(rooms.presence(in: room))])
  }

  /// Returns all attributes as `{"schema": {"refs": {…}, "blobs": {namespace: {label:
  /// attribute}}}}`.
  package nonisolated func schemaJSON() async throws(ServerError) -> String {
    let schema = try await snapshot(for: AllObjectsQuery()).store.schema
    var refs = JSONObject()
    var blobs = JSONObject()
    for attribute in schema.attributes {
      if attribute.valueType == .ref {
        let link = Link(attribute, .forward)
        let name = [attribute.namespace, attribute.label, link.target, link.otherLabel]
        refs[name.joined(separator: "-")] = attribute.json
      } else {
        var labels = JSONObject()
        if case .object(let known)? = blobs[attribute.namespace] { labels = known }
        labels[attribute.label] = attribute.json
        blobs[attribute.namespace] = .object(labels)
      }
    }
    return JSONWriter.text(["schema": ["refs": .object(refs), "blobs": .object(blobs)]])
  }

  private nonisolated func snapshot(
    for query: any Query
  ) async throws(ServerError) -> StoreSnapshot {
    do throws(DataSourceError) { return try await store.get(query) } catch {
      throw ServerError(error, original: nil)
    }
  }

  @concurrent
  private static func tree(
    _ document: QueryDocument, in store: TripleStore, options: QueryOptions, for client: Int
  ) async throws(QueryError) -> String {
    try await text(of: document, in: store, options, for: client) {
      answers, maxBytes throws(QueryError) in
      try WrittenResult.tree(answers, options: options, maxBytes: maxBytes)
    }
  }

  @concurrent
  private static func rows(
    _ document: QueryDocument, in store: TripleStore, for client: Int
  ) async throws(QueryError) -> String {
    try await text(of: document, in: store, .standard, for: client) {
      answers, maxBytes throws(QueryError) in
      try WrittenResult(answers, as: .joinRows, maxBytes: maxBytes).result
    }
  }

  /// Evaluates a query and encodes its answer. A large answer waits for its turn.
  @concurrent
  private static func text(
    of document: QueryDocument, in store: TripleStore, _ options: QueryOptions, for client: Int,
    _ write: @escaping @Sendable ([Answer], _ maxBytes: Int) throws(QueryError) -> String
  ) async throws(QueryError) -> String {
    let pool = EvaluationPool.shared
    let first = await pool.run(for: client) {
      Result { () throws(QueryError) -> (answers: [Answer], text: String?) in
        var answers: [Answer] = []
        for plan in document.plans {
          answers.append(try QueryEngine.answer(plan, in: store, options: options))
        }
        do throws(QueryError) { return (answers, try write(answers, LargeAnswers.minBytes)) } catch
        {
          if error == QueryEngine.tooLarge { return (answers, nil) }
          throw error
        }
      }
    }
    let (answers, text) = try first.get()
    if let text { return text }
    await LargeAnswers.shared.waitForTurn()
    defer { LargeAnswers.shared.endTurn() }
    // The request was canceled, so the client will not receive this error.
    if Task.isCancelled { throw QueryEngine.tooLarge }
    return try await pool.run(for: client) {
      Result { () throws(QueryError) in try write(answers, WrittenResult.maxBytes) }
    }.get()
  }
}
