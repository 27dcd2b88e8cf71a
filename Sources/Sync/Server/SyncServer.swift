import DataSources
import InstaQL
package import LiveQueries
import Triples

/// Serves one store to many clients, whose sessions subscribe to one query manager.
///
/// Equal queries are evaluated once, and each text is written once for all of its readers. A slow
/// reader gets the newest answer after it has read the previous one, and none in between.
///
/// A task keeps the memory of its deepest call as long as it lives, and every client has a task.
/// That task therefore does only what needs no waiting; the rest runs in tasks that end.
package actor SyncServer {
  struct Client {
    let channel: any MessageChannel
    var session: ServerSession
    /// Whether a message is being processed.
    var isBusy = false
    /// Whether the session was confirmed, so that it can receive refreshes.
    var hasStarted: Bool
    /// The remaining actions of its messages.
    var actions: ArraySlice<ServerSession.Action> = []
    /// The pending messages and the order in which they were added.
    var due: [DueItem: Int] = [:]
    /// Whether a task waits for room.
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
  /// Receives events.
  private nonisolated let log: @Sendable (ServerEvent) -> Void
  /// The offset between transaction ids of the store and those sent to clients.
  ///
  /// A store without history, or one that numbers remote transactions, starts again at the same
  /// number in each process. Clients would then show confirmed changes until the ids are higher
  /// than before. The ids of such a store therefore continue from the start time of the server in
  /// microseconds: below 2^53, and faster than changes are made.
  private nonisolated let idOffset: Int
  /// Measures timeouts and rates.
  let stopwatch: Stopwatch
  let clock: any Clock<Duration>
  var clients: [String: Client] = [:]
  var served: [SubscriptionKey: ServedQuery] = [:]
  var rooms: Rooms
  /// The pending calls of the store.
  var calls: [Int: StoreCall] = [:]
  private var lastNumber = 0
  private var schema: Schema?
  private var schemaState = -1
  /// The newest known transaction of the store.
  private var newestTransaction = 0
  private var watching: Task<Void, Never>?
  var sweeping: Task<Void, Never>?
  private var isClosing = false
  private var whenEmpty: [CheckedContinuation<Void, Never>] = []

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - keepsChanges: Whether transaction numbers outlive this process.
  ///   - clock: A monotonic clock for timeouts and rates.
  ///   - now: Returns the milliseconds since 1970, from which transactions are numbered.
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
  /// - Parameter isTrusted: Whether the client was authenticated elsewhere and sends no `init`.
  package func serve(
    _ channel: any MessageChannel, isTrusted: Bool = false, address: String? = nil
  ) async {
    guard !isClosing, clients.count < limits.connections else {
      let error = ServerError.tooManyConnections(limit: limits.connections)
      _ = channel.offer(MessageCoding.text(ServerEnvelope(.failed(error))))
      report(.refused(address: address, reason: "\(limits.connections) connections"))
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
      // A client that does not read its answers is not read from.
      if !channel.hasRoom(for: 0) { await channel.waitForRoom(for: 0) }
      clients[id]?.isBusy = true
      if !take(text, from: id) { await Task { await takeSlowly(text, from: id) }.value }
      clients[id]?.isBusy = false
      if clients[id] == nil || isClosing { break }
    }
    leave(id)
    await channel.close()
  }

  /// Closes all clients after answering what is being processed.
  package func close() async {
    isClosing = true
    for (_, client) in clients where !client.isBusy { await client.channel.close() }
    if !clients.isEmpty {
      await withCheckedContinuation { whenEmpty.append($0) }
    }
    watching?.cancel()
    sweeping?.cancel()
  }

  // MARK: Messages

  /// Parses a text and performs its actions as far as possible without waiting.
  ///
  /// - Returns: Whether all are done.
  private func take(_ text: String, from id: String) -> Bool {
    guard text.utf8.count <= Self.longText else { return false }
    enter(Self.messages(in: text, limits), from: id)
    return performReady(for: id)
  }

  /// Performs the rest of the actions, however long they take.
  private func takeSlowly(_ text: String, from id: String) async {
    if text.utf8.count > Self.longText { enter(await Self.read(text, limits), from: id) }
    while !performReady(for: id) {
      guard let action = clients[id]?.actions.popFirst() else { return }
      await performSlowly(action, for: id)
    }
  }

  /// Longer texts are parsed outside of the actor, in bytes.
  private static let longText = 32 << 10

  @concurrent
  private static func read(
    _ text: String, _ limits: ServerLimits
  ) async -> Result<[ReceivedMessage], ServerError> {
    messages(in: text, limits)
  }

  /// Texts with too many messages are not parsed.
  private static func messages(
    in text: String, _ limits: ServerLimits
  ) -> Result<[ReceivedMessage], ServerError> {
    Result { () throws(ServerError) in
      try MessageCoding.clientMessages(
        in: text, maxBytes: limits.textBytes, maxMessages: limits.messageBurst)
    }
  }

  private func enter(_ received: Result<[ReceivedMessage], ServerError>, from id: String) {
    let now = stopwatch.milliseconds
    switch received {
    case .failure(let error):
      let actions = clients[id]?.session.faulted(error, at: now) ?? []
      clients[id]?.actions += actions
    case .success(let messages):
      if let client = clients[id], !client.session.isOpen, access.token != nil,
        let wait = attempts.wait(for: client.address)
      {
        clients[id]?.actions += [
          .send(ServerEnvelope(.failed(.tooManyAttempts(wait)))),
          .end(reason: "too many wrong tokens"),
        ]
        return
      }
      for message in messages {
        let actions = clients[id]?.session.received(message, at: now) ?? []
        clients[id]?.actions += actions
        // Later messages are ignored.
        if case .end? = actions.last { return }
      }
    }
  }

  /// Performs actions in order while they need no waiting.
  ///
  /// - Returns: Whether none are left.
  private func performReady(for id: String) -> Bool {
    while let action = clients[id]?.actions.first {
      guard perform(action, for: id) else { return false }
      clients[id]?.actions.removeFirst()
    }
    return true
  }

  /// Performs an action.
  ///
  /// - Returns: False without effect if it has to wait.
  private func perform(_ action: ServerSession.Action, for id: String) -> Bool {
    switch action {
    case .transact, .refuseToken: return false
    case .open(let appID, let isAdmin, let eventID):
      guard let schema else { return false }
      open(id, appID: appID, isAdmin: isAdmin, eventID, schema)
    case .send(let envelope): send(envelope, to: id)
    case .subscribe(let key, let eventID, let original):
      subscribe(
        to: key,
        ServedQuery.Waiter(
          session: id, eventID: eventID, original: original, since: stopwatch.milliseconds))
    case .subscribeAgain(let key, let eventID, let original):
      subscribeAgain(
        to: key,
        ServedQuery.Waiter(
          session: id, eventID: eventID, original: original, since: stopwatch.milliseconds))
    case .unsubscribe(let key): unsubscribe(id, from: key)
    case .enter(let room, let data, let eventID):
      show(data, of: id, in: room, answering: .roomJoined(room), eventID)
    case .leave(let room, let eventID):
      rooms.leave(room, session: id)
      send(ServerEnvelope(.roomLeft(room), eventID: eventID), to: id)
      tellPresence(in: room)
    case .setPresence(let room, let data, let eventID):
      show(data, of: id, in: room, answering: .presenceSet(room), eventID)
    case .broadcast(let broadcast, let eventID): tell(broadcast, from: id, eventID)
    case .end: leave(id)
    }
    return true
  }

  private func performSlowly(_ action: ServerSession.Action, for id: String) async {
    switch action {
    case .transact(let transaction, let eventID, let original):
      await confirm(transaction, of: id, eventID: eventID, original: original)
    case .open(_, _, let eventID):
      let original: Value = ["op": "init"]
      let failure: ServerError
      switch await ask({ store throws(DataSourceError) in try await store.get(SchemaQuery()) })
      {
      case .success(let snapshot)?:
        note(schemaOf: snapshot)
        _ = perform(action, for: id)
        return
      case .failure(let error)?: failure = ServerError(error, original: original)
      case nil: failure = .late(limits.answerTime, original)
      }
      send(ServerEnvelope(.failed(failure), eventID: eventID), to: id)
    case .refuseToken(let envelope):
      let address = clients[id]?.address
      // Cancellation only shortens the delay.
      try? await clock.sleep(for: .milliseconds(noteWrongToken(from: address)))
      attempts.finished(from: address)
      send(envelope, to: id)
    case .send, .subscribe, .subscribeAgain, .unsubscribe, .enter, .leave, .setPresence, .broadcast,
      .end:
      _ = perform(action, for: id)
    }
  }

  /// Executes a transaction and confirms it.
  ///
  /// A client that repeats a change, since its confirmation was lost, shows the change on top of
  /// every answer until it receives the transaction's id and an answer of at least that id.
  /// Unchanged answers are not sent again, and others may have changed the store since. Such a
  /// client therefore gets an id that its answers have reached, followed by those answers.
  private func confirm(
    _ transaction: Transaction, of id: String, eventID: String?, original: Value
  ) async {
    let start = ContinuousClock.now
    let newestBefore = newestTransaction
    let query = TransactionQuery(
      transaction, id: MutationID(event: eventID), author: clients[id]?.address)
    var answer: ServerMessage
    var isRepeated = false
    switch await ask({ store throws(DataSourceError) in try await store.put(nil, in: query) }) {
    case .success(let snapshot)?:
      let number = snapshot.transactionID
      isRepeated = number <= newestBefore
      newestTransaction = max(newestTransaction, number)
      let reached = isRepeated ? min(number, oldestAnswer(of: id) ?? number) : number
      answer = .transacted(transactionID: publicID(of: reached))
      noteTransaction(
        publicID(of: number), steps: transaction.steps.count, since: start,
        from: clients[id]?.address)
    case .failure(let error)?: answer = .failed(ServerError(error, original: original))
    case nil: answer = .failed(.late(limits.answerTime, original))
    }
    send(ServerEnvelope(answer, eventID: eventID), to: id)
    if isRepeated { refresh(id) }
  }

  // MARK: Sending

  func send(_ envelope: ServerEnvelope, to id: String) {
    offer(MessageCoding.text(envelope), to: id)
  }

  /// Sends a text to a client; one that does not read is closed.
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
    for room in rooms.leaveAll(session: id) { tellPresence(in: room) }
    guard clients.isEmpty else { return }
    for continuation in whenEmpty { continuation.resume() }
    whenEmpty = []
  }

  // MARK: Opening

  private func open(
    _ id: String, appID: String, isAdmin: Bool, _ eventID: String?, _ schema: Schema
  ) {
    let info = SessionInfo(
      sessionID: id, appID: appID, appTitle: access.title, isAdmin: isAdmin,
      status: access.allowsWriting ? .active : .readOnly, attributes: schema.attributes)
    clients[id]?.hasStarted = true
    clients[id]?.channel.didOpen()
    send(ServerEnvelope(.started(info), eventID: eventID), to: id)
  }

  /// The attributes for clients that need them in each refresh.
  var attributes: [Attribute] { schema?.attributes ?? [] }

  /// The transaction of the known attributes.
  var lastProcessed: Int { publicID(of: max(schemaState, 0)) }

  /// Sends new attributes to all clients before answers that need them.
  func note(schemaOf snapshot: StoreSnapshot) {
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
      // If watching the store fails, the failure of each query reports it.
      do throws(DataSourceError) {
        for try await snapshot in snapshots { await self?.note(schemaOf: snapshot) }
      } catch {}
      await self?.endedWatching()
    }
  }

  private func endedWatching() { watching = nil }

  /// The public id of a transaction.
  nonisolated func publicID(of transactionID: Int) -> Int { idOffset + transactionID }

  /// Records a wrong token.
  ///
  /// - Returns: The delay of the answer in milliseconds.
  package nonisolated func noteWrongToken(from address: String?) -> Int64 {
    let attempt = attempts.failed(from: address)
    counters.countWrongToken()
    report(.refused(address: address, reason: "wrong token (\(attempt.count) from this address)"))
    return attempt.delay
  }

  nonisolated func noteTransaction(
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

  /// Records the evaluation time of a query and reports a slow one.
  nonisolated func noteTime(_ duration: Duration, of query: Value) {
    counters.count(duration)
    guard duration >= .milliseconds(limits.slowQueryTime) else { return }
    report(.slowQuery(String(JSONWriter.text(query).prefix(1_000)), duration: duration))
  }

  func makeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
