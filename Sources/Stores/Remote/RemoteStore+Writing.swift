public import DataSources
public import LiveQueries
import Sync
public import Triples

// Changing what is on the server.
extension RemoteStore {
  /// Makes a change.
  ///
  /// It is kept, then shown in all snapshots, then sent. The call returns when the server has taken
  /// it, or, while the server is away, at once: it is then sent when the server is back, in a later
  /// process too if there is an archive, and the freshness of the snapshot is `optimistic`. The
  /// snapshot is of the watched query that knows most of what was there before, and carries what the
  /// change did there.
  ///
  /// What takes back the newest change drops it for as long as it was not sent; the server then hears
  /// of neither.
  ///
  /// - Throws: `refused` with the server's reason; the change is then shown nowhere any more. Also of
  ///   what was sent by now when only dropping could take it back. What the archive throws when it cannot keep the change; nothing has then happened.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: RemoteStore.self, operation: .put)
    }
    return try await put(query) {}
  }

  /// The same; the change is taken as soon as it is kept and shown, and is sent before those that are
  /// taken later.
  public func put(
    _ query: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    if access == .readOnly {
      throw .readOnly("The server's data is open read-only: open it with --write to change it.")
    }
    await prepare()
    do throws(TransactionError) {
      try query.transaction.checkDepth(schema ?? Schema())
    } catch {
      throw DataSourceError(error)
    }
    if let undone = query.transaction.undoing {
      if let dropped = await drop(undone) { return dropped }
      if query.transaction.steps.isEmpty { throw .sentByNow }
    }
    if let conflict = conflict(of: query.transaction) { throw DataSourceError(conflict) }
    let id = query.id
    if let transactionID = writes.made[id] { return snapshot(of: id, as: transactionID) }
    var isNew = false
    if pending[id] == nil, writes.keeping.insert(id).inserted {
      defer { writes.keeping.remove(id) }
      let mutation = pending.make(query.transaction, id: id, at: now())
      do throws(DataSourceError) { try await archive?.keep([mutation]) } catch {
        // Who was given the same change meanwhile waits for its outcome.
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

  /// Why the server has not answered a change that it was sent; nil when it was not sent, and once it
  /// was answered.
  package func whyUnanswered(_ id: MutationID) -> String? {
    guard session.wasSent(id), case .offline(_, _, let reason) = status else { return nil }
    return reason
  }

  /// Waits for the server's answer to a mutation, and sends it first if necessary.
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

  /// Other processes may have left something since this one began.
  func sendLeftovers() {
    guard let archive else { return }
    Task { [weak self] in
      let left = await archive.pending()
      await self?.restore(left)
    }
  }

  /// What was restored waits to be sent like any other.
  func restore(_ restored: PendingMutations) {
    for mutation in restored.mutations
    where pending[mutation.id] == nil && writes.made[mutation.id] == nil
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

  /// A mutation may have been made when less was known of the server's attributes than is now.
  private func adoptKnown() {
    guard isSchemaCurrent, let schema, pending.adopt(schema) else { return }
    archive?.tell(.keep(pending.waiting))
  }

  // MARK: The server's word

  func confirm(_ id: MutationID, as transactionID: Int) {
    writes.remember(id, as: transactionID)
    note(transaction: transactionID)
    if pending.confirm(id, as: transactionID, at: stopwatch.milliseconds),
      let mutation = pending[id]
    {
      archive?.tell(.keep([mutation]))
      adoptAttributes(of: mutation)
      dropShown()
    }
    writes.resume(id, .confirmed(transactionID: transactionID))
  }

  /// The server's own word on attributes may come later than its answers that use them.
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
    for subject in documents.keys { take(schema, for: subject) }
  }

  func refuse(_ id: MutationID, _ error: ServerError) {
    guard let mutation = pending.reject(id) else { return }
    archive?.tell(.forget([id]))
    let isAwaited = writes.isAwaited(id)
    writes.resume(id, .refused(DataSourceError(error, operation: .put)))
    if !isAwaited {
      let isUnanswered = error.type == "timeout"
      log(isUnanswered ? error.message : "A change was refused: \(error.message)")
      writes.noteUnheard(PendingChanges.Refusal(id: id, reason: error.message))
    }
    if let preview = writes.previews.removeValue(forKey: id) {
      previewAnew(after: mutation, touching: preview.entities)
    }
  }

  /// What waits for the server's word, and what it refused of that.
  var pendingChanges: PendingChanges {
    var changes = pending.changes
    changes.refused = writes.unheard
    return changes
  }

  /// No caller waits for an offline server: pending mutations are sent when it is back.
  func releaseWriters() {
    for id in Array(writes.waiters.keys) where pending[id] != nil {
      writes.resume(id, .enqueued)
    }
  }

  /// The server rejects this session: changes that were not sent are not made.
  func refuseWriters(_ error: ServerError) {
    for id in Array(writes.waiters.keys) {
      if session.takeBack(id) {
        refuse(id, error)
      } else {
        writes.resume(id, .enqueued)
      }
    }
  }

  // MARK: What a change did

  /// What a mutation changes in the watched query that knows most of what was there before.
  private func preview(of mutation: PendingMutation) -> RemoteWrites.Preview {
    preview(of: mutation, in: documents.values.map(\.overlay.shown))
  }

  /// What was made after a mutation that the server refused did something else than it seemed, where
  /// both are about the same.
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

  /// The snapshot has the server's number, or a greater one that no state without the change has.
  ///
  /// - Parameter transactionID: The server's; nil when it has still to come.
  private func snapshot(of id: MutationID, as transactionID: Int?) -> StoreSnapshot {
    let preview = writes.previews.removeValue(forKey: id)
    var store = preview?.store ?? TripleStore()
    let number =
      transactionID.map { max($0, preview?.number ?? 0) } ?? preview?.number ?? lastState
    store.transactionID = number
    var history = ChangeHistory()
    // Who does not know what was there does not tell what to take back.
    if preview?.isKnown != false {
      history.append(preview?.changes ?? ChangeSet(), from: number - 1, to: number)
    }
    return StoreSnapshot(
      store, history: history, freshness: transactionID == nil ? .optimistic : .live,
      pending: pendingChanges
    ).counted(byServer: transactionID)
  }
}

/// Who waits for the server's word on a change, and what the last changes were.
struct RemoteWrites {
  enum Outcome: Sendable {
    case confirmed(transactionID: Int)
    case refused(DataSourceError)
    case enqueued
  }

  /// So many mutations are remembered, so that one that is given again is not made again.
  private static let maxRemembered = 4_096
  private static let maxUnreported = 32

  var waiters: [MutationID: [CheckedContinuation<Outcome, Never>]] = [:]
  var previews: [MutationID: Preview] = [:]
  /// Those that are being kept and are shown only then.
  var keeping: Set<MutationID> = []
  /// The last mutations that were rejected after their callers had stopped waiting.
  private(set) var unheard: [PendingChanges.Refusal] = []
  private(set) var made: [MutationID: Int] = [:]
  private var order: [MutationID] = []

  func isAwaited(_ id: MutationID) -> Bool { waiters[id] != nil }

  mutating func resume(_ id: MutationID, _ outcome: Outcome) {
    for waiter in waiters.removeValue(forKey: id) ?? [] { waiter.resume(returning: outcome) }
  }

  mutating func noteUnheard(_ refusal: PendingChanges.Refusal) {
    unheard.append(refusal)
    unheard.removeFirst(max(0, unheard.count - Self.maxUnreported))
  }

  mutating func remember(_ id: MutationID, as transactionID: Int) {
    if made.updateValue(transactionID, forKey: id) == nil { order.append(id) }
    guard order.count > 2 * Self.maxRemembered else { return }
    for id in order.prefix(Self.maxRemembered) { made[id] = nil }
    order.removeFirst(Self.maxRemembered)
  }
}
