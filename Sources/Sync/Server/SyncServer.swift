import DataSources
import InstaQL
package import LiveQueries
import Triples

/// Serves one store to many clients. Their sessions subscribe to one query manager.
///
/// Equal queries are evaluated once, and each answer is encoded once for all of its subscribers. A
/// slow client skips answers: after it has read an answer, it gets the newest one.
///
/// Every client has a task as long as it is connected. A task keeps the memory of its deepest call
/// until the task ends. So a client's task performs only actions that do not wait. All other
/// actions run in tasks of their own.
package actor SyncServer {
  struct Client {
    let channel: any MessageChannel
    var session: ServerSession
    /// Whether a message of the client is being processed.
    var isBusy = false
    /// Whether the client received the confirmation of its session. Refreshes may only follow that.
    var hasStarted: Bool
    /// The remaining actions of the client's messages.
    var actions: ArraySlice<ServerSession.Action> = []
    /// The pending messages. Their numbers give the order in which they were added.
    var due: [DueItem: Int] = [:]
    /// Whether a task waits until the client's queue has room for pending messages.
    var isDraining = false
    /// The IP address of the client.
    var address: String?
  }

  typealias StoreAnswer = Result<StoreSnapshot, DataSourceError>

  struct StoreCall {
    let since: Int64
    let work: Task<Void, Never>
    let waiter: CheckedContinuation<StoreAnswer?, Never>
  }

  nonisolated let store: any StoreDataSource
  let manager: QueryManager
  nonisolated let access: AccessRule
  nonisolated let limits: ServerLimits
  package nonisolated let attempts = TokenAttempts()
  package nonisolated let counters = ServerCounters()
  /// Receives events for the log.
  private nonisolated let log: @Sendable (ServerEvent) -> Void
  /// The offset that is added to the store's transaction numbers before they are sent to clients.
  ///
  /// A store that has no history, or that numbers remote transactions, begins with the same number
  /// whenever the process restarts. A client that reconnects would then show confirmed changes as
  /// pending, until the numbers exceed the earlier ones. So for such a store, the numbers sent to
  /// clients begin with the server's start time in microseconds. This is below 2^53, and grows
  /// faster than changes are made.
  private nonisolated let idOffset: Int
  /// The stopwatch for timeouts and rates.
  let stopwatch: Stopwatch
  let clock: any Clock<Duration>
  var clients: [String: Client] = [:]
  var served: [SubscriptionKey: ServedQuery] = [:]
  var rooms: Rooms
  /// The running requests to the store, keyed by number.
  var calls: [Int: StoreCall] = [:]
  private var lastNumber = 0
  var schema: Schema?
  private var schemaState = -1
  /// The newest known transaction of the store.
  var newestTransaction = 0
  private var watching: Task<Void, Never>?
  var sweeping: Task<Void, Never>?
  private var isClosing = false
  private var whenEmpty: [CheckedContinuation<Void, Never>] = []

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - keepsChanges: Whether later processes continue the store's transaction numbers.
  ///   - clock: A monotonic clock for timeouts and rates.
  ///   - now: Returns the current time in milliseconds since 1970, from which transactions may be
  ///     numbered.
  package init(
    store: any StoreDataSource, access: AccessRule = AccessRule(), keepsChanges: Bool = true,
    limits: ServerLimits = ServerLimits(), clock: any Clock<Duration> = ContinuousClock(),
    now: @Sendable () -> Int64 = { Instant.nowInMilliseconds },
    log: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) {
    self.log = log
    idOffset = keepsChanges ? 0 : Int(now()) * 1_000
    self.store = store
    manager = QueryManager(
      store: store,
      evaluator: { query, evaluate in
        await EvaluationPool.shared.run(for: query.hashValue, evaluate)
      })
    self.access = access
    self.limits = limits
    rooms = Rooms(maxBytes: limits.roomPresenceBytes)
    self.clock = clock
    stopwatch = Stopwatch(clock)
  }

  /// The number of clients.
  package var connectionCount: Int { clients.count }

  /// The number of distinct queries.
  package var queryCount: Int { served.count }

  /// Serves a client until its channel ends or the server closes it.
  ///
  /// - Parameter isTrusted: Whether the client was already authenticated, and so does not send an
  ///   `init` message.
  package func serve(
    _ channel: any MessageChannel, isTrusted: Bool = false, address: String? = nil
  ) async {
    guard !isClosing, clients.count < limits.connections else {
      let error = ServerError.tooManyConnections(limit: limits.connections)
      _ = channel.offer(MessageCoding.text(ServerEnvelope(.failed(error))))
      report(
        .refused(
          address: address, reason: "the limit of \(limits.connections) connections is reached"))
      return await channel.close()
    }
    let id = EntityID.random().text
    var session = ServerSession(id: id, access: access, limits: limits, at: stopwatch.milliseconds)
    if isTrusted {
      session.openTrusted()
      channel.didOpen()
    }
    clients[id] = Client(
      channel: channel, session: session, hasStarted: isTrusted, address: address)
    watchSchema()
    sweep()
    let start = ContinuousClock.now
    report(.connected(address: address))
    defer { report(.disconnected(address: address, duration: ContinuousClock.now - start)) }
    for await text in channel.incoming {
      // The server does not read a client's messages as long as the client does not read its
      // answers.
      if !channel.hasRoom(for: 0) { await channel.waitForRoom(for: 0) }
      clients[id]?.isBusy = true
      if !process(text, from: id) { await Task { await processSlowly(text, from: id) }.value }
      clients[id]?.isBusy = false
      if clients[id] == nil || isClosing { break }
    }
    leave(id)
    await channel.close()
  }

  /// Closes the connections of all clients, after answering the messages that are being processed.
  package func close() async {
    isClosing = true
    for (_, client) in clients where !client.isBusy { await client.channel.close() }
    if !clients.isEmpty {
      await withCheckedContinuation { whenEmpty.append($0) }
    }
    watching?.cancel()
    sweeping?.cancel()
  }

  // MARK: Sending

  func send(_ envelope: ServerEnvelope, to id: String) {
    offer(MessageCoding.text(envelope), to: id)
  }

  /// Sends a text to a client. If the client's queue is full, the connection is closed.
  func offer(_ text: String, to id: String) {
    guard let client = clients[id], !client.channel.offer(text) else { return }
    leave(id)
  }

  /// Removes a client and closes its channel.
  func leave(_ id: String) {
    guard let client = clients.removeValue(forKey: id) else { return }
    Task { await client.channel.close() }
    let subscriptions = client.session.subscriptions
    for key in subscriptions { unsubscribe(id, from: key) }
    if clients.isEmpty || subscriptions.count > 100 { FreedMemory.giveBackSoon() }
    for room in rooms.leaveAll(session: id) { sendPresence(in: room) }
    guard clients.isEmpty else { return }
    for continuation in whenEmpty { continuation.resume() }
    whenEmpty = []
  }

  // MARK: Opening

  func open(
    _ id: String, appID: String, isAdmin: Bool, _ eventID: String?, _ schema: Schema
  ) {
    let info = SessionInfo(
      sessionID: id, appID: appID, appTitle: access.title, isAdmin: isAdmin,
      status: access.allowsWriting ? .active : .readOnly, attributes: schema.attributes)
    clients[id]?.hasStarted = true
    clients[id]?.channel.didOpen()
    send(ServerEnvelope(.started(info), eventID: eventID), to: id)
  }

  /// The attributes to send to clients that need them in each refresh.
  var attributes: [Attribute] { schema?.attributes ?? [] }

  /// The newest transaction that `attributes` includes, with the number that clients receive.
  var lastProcessed: Int { publicID(of: max(schemaState, 0)) }

  /// Records the schema of a snapshot. If the schema changed, sends the new attributes to all
  /// clients.
  func updateSchema(from snapshot: StoreSnapshot) {
    newestTransaction = max(newestTransaction, snapshot.transactionID)
    guard snapshot.transactionID >= schemaState || schema == nil else { return }
    schemaState = snapshot.transactionID
    guard schema != snapshot.store.schema else { return }
    let isFirst = schema == nil
    schema = snapshot.store.schema
    if isFirst { return }
    let refresh = Refresh(processed: lastProcessed, attributes: attributes)
    let text = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
    for (id, client) in clients where client.hasStarted {
      if client.channel.hasRoom(for: text.utf8.count) {
        clients[id]?.due[.attributes] = nil
        offer(text, to: id)
      } else {
        markDue(.attributes, for: id)
      }
    }
  }

  private func watchSchema() {
    guard watching == nil else { return }
    let snapshots = store.watch(AllObjectsQuery())
    watching = Task { [weak self] in
      // If the store cannot be watched, each query fails, too, and reports the error.
      do throws(DataSourceError) {
        for try await snapshot in snapshots { await self?.updateSchema(from: snapshot) }
      } catch {}
      await self?.endedWatching()
    }
  }

  private func endedWatching() { watching = nil }

  /// Returns the transaction number that clients receive for a transaction of the store.
  nonisolated func publicID(of transactionID: Int) -> Int { idOffset + transactionID }

  /// Records a missing or wrong token.
  ///
  /// - Returns: The delay before the error is sent, in milliseconds.
  package nonisolated func recordWrongToken(
    from address: String?, isMissing: Bool = false
  ) -> Int64 {
    let attempt = attempts.failed(from: address)
    counters.countWrongToken()
    report(
      .refused(
        address: address,
        reason: (isMissing ? "no token" : "wrong token")
          + " (attempt \(attempt.count) from this address)"))
    return attempt.delay
  }

  nonisolated func recordTransaction(
    _ number: Int, steps: Int, since start: ContinuousClock.Instant, from address: String?
  ) {
    counters.countTransaction()
    report(
      .transacted(
        address: address, transaction: number, steps: steps, duration: ContinuousClock.now - start))
  }

  package nonisolated func report(_ event: ServerEvent) {
    if case .refused = event { counters.countRefusal() }
    log(event)
  }

  /// Records the evaluation time of a query, and reports the query if it is slow.
  nonisolated func recordTime(_ duration: Duration, of query: Value) {
    counters.count(duration)
    guard duration >= .milliseconds(limits.slowQueryTime) else { return }
    report(.slowQuery(String(JSONWriter.text(query).prefix(1_000)), duration: duration))
  }

  func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
