import LiveQueries
import Sync
import Testing
import Triples

/// Performs the actions of a client session over real channels, but with simulated time.
actor SessionRunner {
  private var session: ClientSession
  private let connect: @Sendable () async throws(ChannelClosed) -> any MessageChannel
  private var channels: [ConnectionID: any MessageChannel] = [:]
  private var now: Int64 = 0
  private var wakeAt: Int64?
  private(set) var statuses: [ConnectionStatus] = []
  private(set) var confirmed: [MutationID: Int] = [:]
  private(set) var refused: [MutationID: ServerError] = [:]
  private(set) var results: [Value: QueryResult] = [:]
  private(set) var attributes: [Attribute] = []
  private var waiting: [Int: Waiter] = [:]
  private var lastWaiter = 0

  private struct Waiter {
    let isMet: (isolated SessionRunner) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private static let timeout = Duration.seconds(120)

  init(connect: @escaping @Sendable () async throws(ChannelClosed) -> any MessageChannel) {
    session = ClientSession(Opening(appID: "garden"), random: { 0 })
    self.connect = connect
  }

  func start() { perform(session.start(at: now)) }

  func stop() { perform(session.stop()) }

  func subscribe(to query: Value) { perform(session.subscribe(to: query, at: now)) }

  func transact(_ id: MutationID, _ transaction: Transaction) {
    perform(session.transact(id, transaction, at: now))
  }

  /// Advances the time.
  func pass(_ milliseconds: Int64) {
    now += milliseconds
    perform(session.wake(at: now))
  }

  /// Waits until a condition is true, and records an issue if that takes too long.
  ///
  /// - Parameter wanted: What is waited for.
  func wait(
    for wanted: String, at location: SourceLocation = #_sourceLocation,
    until isMet: @escaping @Sendable (isolated SessionRunner) -> Bool
  ) async {
    if isMet(self) { return }
    lastWaiter += 1
    let number = lastWaiter
    let limit = Task {
      try await Task.sleep(for: Self.timeout)
      giveUp(number, wanted, location)
    }
    await withCheckedContinuation {
      waiting[number] = Waiter(isMet: isMet, continuation: $0)
    }
    limit.cancel()
  }

  private func giveUp(_ number: Int, _ wanted: String, _ location: SourceLocation) {
    guard let waiter = waiting.removeValue(forKey: number) else { return }
    let status = statuses.last.map { "\($0)" } ?? "not started"
    Issue.record(
      "No \(wanted) in \(Self.timeout): \(confirmed.count) confirmed, \(refused.count) refused, \(status)",
      sourceLocation: location)
    waiter.continuation.resume()
  }

  var isLive: Bool { statuses.last == .live }

  private func perform(_ actions: [ClientSession.Action]) {
    for action in actions { perform(action) }
    // Skips the wait for the next attempt.
    if case .offline(_, let next?, _)? = statuses.last, wakeAt == next {
      wakeAt = nil
      now = max(now, next)
      Task { self.pass(0) }
    }
    for (number, waiter) in waiting where waiter.isMet(self) {
      waiting[number] = nil
      waiter.continuation.resume()
    }
  }

  private func perform(_ action: ClientSession.Action) {
    switch action {
    case .connect(let id):
      Task {
        do throws(ChannelClosed) { opened(id, try await connect()) } catch {
          lost(id, error.reason)
        }
      }
    case .disconnect(let id):
      let channel = channels.removeValue(forKey: id)
      Task { await channel?.close() }
    case .send(let envelope, let id): _ = channels[id]?.offer(MessageCoding.text(envelope))
    case .wake(let at): wakeAt = at
    case .status(let status): statuses.append(status)
    case .attributes(let all): attributes = all
    case .result(let query, let result, _): results[query] = result
    case .confirmed(let id, let transaction): confirmed[id] = transaction
    case .refused(let id, let error): refused[id] = error
    case .appStatus, .queryFailed, .note: break
    }
  }

  private func opened(_ id: ConnectionID, _ channel: any MessageChannel) {
    channels[id] = channel
    now += 1
    perform(session.opened(id, at: now))
    Task {
      for await text in channel.incoming { heard(text, id) }
      lost(id, channel.endReason ?? "the connection ended")
    }
  }

  private func heard(_ text: String, _ id: ConnectionID) {
    now += 1
    do throws(MessageFault) {
      for envelope in try MessageCoding.serverMessages(in: text) {
        perform(session.received(envelope, from: id, at: now))
      }
    } catch { perform(session.faulted(id, error, at: now)) }
  }

  private func lost(_ id: ConnectionID, _ reason: String) {
    channels[id] = nil
    perform(session.closed(id, reason: reason, at: now))
  }
}
