public import DataSources
public import LiveQueries
import Sync
public import Triples

// Changing the data of the server.
extension RemoteStore {
  /// Makes a change: archives it, shows it in all snapshots, and sends it.
  ///
  /// The call returns when the server has confirmed the change. While the server is unreachable,
  /// the call returns immediately with the freshness `optimistic`. The change is sent later; with
  /// an archive, a later process may send it. The returned snapshot contains the changed entities,
  /// as far as watched queries contain them, and the change as its history.
  ///
  /// Undoing the newest change drops that change if it was not sent yet. In this case, neither the
  /// change nor the undo is sent.
  ///
  /// - Throws: `refused` with the server's reason, after removing the change from all snapshots;
  ///   `refused` if the undo requires dropping a change that was sent in the meantime; errors of
  ///   the archive, before any effect.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: RemoteStore.self, operation: .put)
    }
    return try await put(query) {}
  }

  /// Makes a change, and calls `taken` when it is archived and shown. Changes are sent in the order
  /// of these calls.
  public func put(
    _ query: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    if access == .readOnly {
      throw .readOnly(ReadOnlyReason.server)
    }
    await prepare()
    do throws(TransactionError) {
      try query.transaction.checkDepth(schema ?? Schema())
    } catch {
      throw DataSourceError(error)
    }
    if let undone = query.transaction.undoing {
      if let dropped = await drop(undone) { return dropped }
      if query.transaction.steps.isEmpty { throw .alreadySent }
    }
    if let conflict = conflict(of: query.transaction) { throw DataSourceError(conflict) }
    let id = query.id
    if let transactionID = writes.confirmed[id] { return snapshot(of: id, as: transactionID) }
    var isNew = false
    if pending[id] == nil, writes.keeping.insert(id).inserted {
      defer { writes.keeping.remove(id) }
      let mutation = pending.make(query.transaction, id: id, at: now())
      do throws(DataSourceError) { try await archive?.save([mutation]) } catch {
        // Other callers with the same change wait for its outcome.
        writes.resume(id, .refused(error))
        throw error
      }
      lastState += 1
      writes.previews[id] = preview(of: mutation)
      writes.previews[id]?.number = lastState
      pending.insert(mutation)
      adoptKnown()
      isNew = true
      taken()
    }
    switch await outcome(of: id, sending: isNew) {
    case .confirmed(let transactionID): return snapshot(of: id, as: transactionID)
    case .refused(let error): throw error
    case .enqueued: return snapshot(of: id, as: nil)
    }
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "RemoteStore", operation: .putAll)
  }

  /// Returns the reason for the outage if a change was sent but not confirmed; otherwise nil.
  package func whyUnanswered(_ id: MutationID) -> String? {
    guard session.wasSent(id), case .offline(_, _, let reason) = status else { return nil }
    return reason
  }

  /// Waits until the server confirms or rejects a mutation, or is offline.
  ///
  /// - Parameter sending: Whether to send the mutation first.
  private func outcome(of id: MutationID, sending: Bool) async -> RemoteWrites.Outcome {
    await withCheckedContinuation { continuation in
      writes.waiters[id, default: []].append(continuation)
      if sending, let mutation = pending[id] {
        showAll()
        perform(session.transact(id, mutation.sentTransaction, at: stopwatch.milliseconds))
      }
      switch status {
      case .offline: releaseWriters()
      case .refused(let error): refuseWriters(error)
      case .connecting, .live: break
      }
    }
  }

  /// Sends the archived changes of other processes that have terminated in the meantime.
  func sendLeftovers() {
    guard let archive else { return }
    Task { [weak self] in
      let left = await archive.pending()
      await self?.restore(left)
    }
  }

  /// Queues and sends archived changes in the same way as new changes.
  func restore(_ restored: PendingMutations) {
    for mutation in restored.mutations
    where pending[mutation.id] == nil && writes.confirmed[mutation.id] == nil
      && !writes.keeping.contains(mutation.id)
    {
      pending.insert(mutation)
    }
    adoptKnown()
    for mutation in restored.mutations {
      guard let mutation = pending[mutation.id], mutation.isWaiting else { continue }
      perform(session.transact(mutation.id, mutation.sentTransaction, at: stopwatch.milliseconds))
    }
  }

  /// Replaces locally created attributes in queued mutations with the server's attributes of the
  /// same names.
  private func adoptKnown() {
    guard isSchemaCurrent, let schema, pending.adopt(schema) else { return }
    archive?.enqueue(.save(pending.waiting))
  }

  // MARK: Confirmation by the server

  func confirm(_ id: MutationID, as transactionID: Int) {
    writes.remember(id, as: transactionID)
    recordTransaction(transactionID)
    if pending.confirm(id, as: transactionID, at: stopwatch.milliseconds),
      let mutation = pending[id]
    {
      archive?.enqueue(.save([mutation]))
      adoptAttributes(of: mutation)
      dropShown()
    }
    writes.resume(id, .confirmed(transactionID: transactionID))
  }

  /// Adds the attributes that a confirmed mutation created to the schema.
  ///
  /// The server itself sends new attributes only after answers that use them.
  private func adoptAttributes(of mutation: PendingMutation) {
    guard var schema else { return }
    var isNew = false
    for case .addAttribute(var attribute) in mutation.transaction.steps
    where schema.attribute(attribute.id) == nil {
      attribute.isUnsynced = false
      schema.set(attribute)
      isNew = true
    }
    guard isNew else { return }
    self.schema = schema
    for subject in documents.keys { applySchema(schema, for: subject) }
  }

  func refuse(_ id: MutationID, _ error: ServerError) {
    guard let mutation = pending.reject(id) else { return }
    archive?.enqueue(.forget([id]))
    let isAwaited = writes.isAwaited(id)
    writes.resume(id, .refused(DataSourceError(error, of: session.opening, operation: .put)))
    if !isAwaited {
      let isUnanswered = error.type == "timeout"
      log(isUnanswered ? error.message : RemoteLog.rejected(error.message))
      writes.recordUnreported(PendingChanges.Refusal(id: id, reason: error.message))
    }
    if let preview = writes.previews.removeValue(forKey: id) {
      previewAnew(after: mutation, touching: preview.entities)
    }
  }

  /// The changes that the server has not confirmed, and the changes that it rejected.
  var pendingChanges: PendingChanges {
    var changes = pending.changes
    changes.refused = writes.unreportedRejections
    return changes
  }

  /// Resumes all callers that wait for an offline server. Their mutations are sent after
  /// reconnecting.
  func releaseWriters() {
    for id in Array(writes.waiters.keys) where pending[id] != nil {
      writes.resume(id, .enqueued)
    }
  }

  /// Rejects all changes that were not sent, after the server rejected the session.
  func refuseWriters(_ error: ServerError) {
    for id in Array(writes.waiters.keys) {
      if session.cancelUnsent(id) {
        refuse(id, error)
      } else {
        writes.resume(id, .enqueued)
      }
    }
  }

  // MARK: Effects of changes

  /// Returns the effect of a mutation on the data of the watched queries.
  private func preview(of mutation: PendingMutation) -> RemoteWrites.Preview {
    preview(of: mutation, in: documents.values.map(\.overlay.shown))
  }

  /// Recomputes the effects of later mutations on entities that a rejected mutation changed.
  private func previewAnew(after refused: PendingMutation, touching entities: Set<EntityID>) {
    for mutation in pending.waiting where mutation.order > refused.order {
      guard let old = writes.previews[mutation.id], !old.entities.isDisjoint(with: entities) else {
        continue
      }
      let earlier = pending.mutations.filter { $0.order < mutation.order }
      var new = preview(of: mutation, in: documents.values.map { $0.shown(with: earlier) })
      new.number = old.number
      writes.previews[mutation.id] = new
    }
  }

  private func preview(
    of mutation: PendingMutation, in stores: [TripleStore]
  ) -> RemoteWrites.Preview {
    var nothing = TripleStore()
    for attribute in schema?.attributes ?? [] { nothing.addAttribute(attribute) }
    return RemoteWrites.Preview(of: mutation, by: stores + [nothing])
  }

  /// Returns the snapshot for the caller that made a change.
  ///
  /// Its number is the server's transaction number, but at least the number of the first state that
  /// contains the change.
  ///
  /// - Parameter transactionID: The server's number; nil if it is not known yet.
  private func snapshot(of id: MutationID, as transactionID: Int?) -> StoreSnapshot {
    let preview = writes.previews.removeValue(forKey: id)
    var store = preview?.store ?? TripleStore()
    let number =
      transactionID.map { max($0, preview?.number ?? 0) } ?? preview?.number ?? lastState
    store.transactionID = number
    var history = ChangeHistory()
    // Without the previous values, the change cannot be undone.
    if preview?.isKnown != false {
      history.append(preview?.changes ?? ChangeSet(), from: number - 1, to: number)
    }
    return StoreSnapshot(
      store, history: history, freshness: transactionID == nil ? .optimistic : .live,
      pending: pendingChanges
    ).counted(byServer: transactionID)
  }
}

/// The callers that wait for confirmations, and the local effects of recent changes.
struct RemoteWrites {
  enum Outcome: Sendable {
    case confirmed(transactionID: Int)
    case refused(DataSourceError)
    case enqueued
  }

  /// The maximum number of confirmed mutations whose ids are remembered, to ignore repetitions.
  private static let maxRemembered = 4_096
  private static let maxUnreported = 32

  var waiters: [MutationID: [CheckedContinuation<Outcome, Never>]] = [:]
  var previews: [MutationID: Preview] = [:]
  /// The mutations that are being archived. Snapshots show them afterward.
  var keeping: Set<MutationID> = []
  /// The most recently rejected mutations whose callers no longer waited for the result.
  private(set) var unreportedRejections: [PendingChanges.Refusal] = []
  private(set) var confirmed: [MutationID: Int] = [:]
  private var order: [MutationID] = []

  func isAwaited(_ id: MutationID) -> Bool { waiters[id] != nil }

  mutating func resume(_ id: MutationID, _ outcome: Outcome) {
    for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.resume(returning: outcome) }
  }

  mutating func recordUnreported(_ refusal: PendingChanges.Refusal) {
    unreportedRejections.append(refusal)
    unreportedRejections.removeFirst(max(0, unreportedRejections.count - Self.maxUnreported))
  }

  mutating func remember(_ id: MutationID, as transactionID: Int) {
    if confirmed.updateValue(transactionID, forKey: id) == nil { order.append(id) }
    guard order.count > 2 * Self.maxRemembered else { return }
    for id in order.prefix(Self.maxRemembered) { confirmed[id] = nil }
    order.removeFirst(Self.maxRemembered)
  }
}
