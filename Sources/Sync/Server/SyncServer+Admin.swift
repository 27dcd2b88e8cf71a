import DataSources
import InstaQL
import LiveQueries
package import Triples

/// The same store for programs that ask once: what the admin interface over HTTP answers with.
///
/// - Source: InstantDB's admin endpoints `query`, `transact` and `schema`.
extension SyncServer {
  /// Answers a query as objects within objects, as JSON text.
  ///
  /// - Parameters:
  ///   - infersCardinality: Whether a relation to at most one gives an object instead of a list.
  ///   - client: Tells clients apart, who take turns.
  package nonisolated func answer(
    _ query: Value, infersCardinality: Bool, for client: Int = 0
  ) async throws(ServerError) -> String {
    let document = try Self.document(query, original: nil)
    let snapshot = try await snapshot(for: document)
    var options = QueryOptions(objects: .stored)
    options.infersCardinality = infersCardinality
    let start = ContinuousClock.now
    defer { noteTime(ContinuousClock.now - start, of: query) }
    do throws(QueryError) {
      return try await Self.tree(document, in: snapshot.store, options: options, for: client)
    } catch { throw .refusedQuery(error, query, nil) }
  }

  /// Answers a query with the triples that its rows follow from, beside all attributes: what a page
  /// that is made on a server takes along to its reader.
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

  /// Carries out operations of InstaML, `[action, namespace, id, arguments, options?]` each, and
  /// `["add-attr", attribute]` and `["delete-attr", id]` among them.
  ///
  /// - Parameter makesAttributes: Whether names that are not known become new attributes.
  /// - Returns: The id of the transaction.
  package nonisolated func transact(
    operations: Value, makesAttributes: Bool
  ) async throws(ServerError) -> Int {
    guard access.allowsWriting else { throw .readOnly(nil) }
    guard case .array(let items) = operations else {
      throw .refusedSteps("`steps` is a list of operations.", "steps", operations, nil)
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
    for _ in 0..<Self.mostTries {
      let transaction = try Self.transaction(
        attributeSteps, builder, in: snapshot.store, makesAttributes, operations)
      do throws(DataSourceError) {
        let start = ContinuousClock.now
        let made = try await store.put(nil, in: TransactionQuery(transaction))
        noteTransaction(
          publicID(of: made.transactionID), steps: transaction.steps.count, since: start,
          from: nil)
        return publicID(of: made.transactionID)
      } catch {
        // Somebody else may have made the same attributes meanwhile: those are taken then.
        let known = snapshot.store.schema
        snapshot = try await self.snapshot(for: AllObjectsQuery())
        if snapshot.store.schema == known { throw ServerError(error, original: nil) }
      }
    }
    throw .tooMuch(
      "The attributes change faster than they can be taken; try again in a second.",
      retryAfter: 1, nil)
  }

  /// How often operations are carried out anew because the attributes are others than they were.
  private static let mostTries = 10

  private static func transaction(
    _ attributeSteps: [TransactionStep], _ builder: TransactionBuilder, in store: TripleStore,
    _ makesAttributes: Bool, _ operations: Value
  ) throws(ServerError) -> Transaction {
    do throws(InstaMLError) {
      let made = try builder.transaction(in: store, declared: makesAttributes ? nil : store.schema)
      return Transaction(attributeSteps + made.steps)
    } catch { throw .refusedSteps(error.message, "steps", operations, nil) }
  }

  /// What the server counts, as Prometheus reads it.
  package func metrics(connections: Int, unsentBytes: Int) -> String {
    let subscriptions = served.values.reduce(0) { $0 + $1.listeners.count + $1.waiting.count }
    return counters.text([
      ("sonde_connections", "Open connections.", connections),
      ("sonde_sessions", "Sessions over WebSockets and events.", clients.count),
      ("sonde_subscriptions", "Subscribed queries of all sessions.", subscriptions),
      ("sonde_queries", "Distinct queries that are answered.", served.count),
      ("sonde_queue_bytes", "Bytes held for slow peers.", unsentBytes),
    ])
  }

  /// Makes the row of a user who signed in, if there is none: apps link what is the user's own to it.
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

  /// Who is in a room and what they show: `{"sessions": {id: {"peer-id", "user", "data"}}}`.
  package func presenceJSON(in room: String) -> String {
    JSONWriter.text(["sessions": .object(rooms.presence(in: room))])
  }

  /// All attributes: `{"schema": {"refs": {…}, "blobs": {namespace: {label: attribute}}}}`.
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
      answers, mostBytes throws(QueryError) in
      try WrittenResult.tree(answers, options: options, mostBytes: mostBytes)
    }
  }

  @concurrent
  private static func rows(
    _ document: QueryDocument, in store: TripleStore, for client: Int
  ) async throws(QueryError) -> String {
    try await text(of: document, in: store, .standard, for: client) {
      answers, mostBytes throws(QueryError) in
      try WrittenResult(answers, as: .joinRows, mostBytes: mostBytes).result
    }
  }

  /// Evaluates a query and writes its answer; a large one when its turn comes.
  @concurrent
  private static func text(
    of document: QueryDocument, in store: TripleStore, _ options: QueryOptions, for client: Int,
    _ write: @escaping @Sendable ([Answer], _ mostBytes: Int) throws(QueryError) -> String
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
    // Nobody waits for it any more.
    if Task.isCancelled { throw QueryEngine.tooLarge }
    return try await pool.run(for: client) {
      Result { () throws(QueryError) in try write(answers, WrittenResult.mostBytes) }
    }.get()
  }
}
