import DataSources
import LiveQueries
import Sync
import Synchronization
import Testing
import Triples

/// Hands out `1`, `2`, `3`, … as names.
private final class Names: Sendable {
  private let last = Atomic(0)

  func next() -> String { "\(last.wrappingAdd(1, ordering: .relaxed).newValue)" }
}

private func session() -> ClientSession {
  let names = Names()
  return ClientSession(
    Opening(appID: "app", versions: [:]), newID: { names.next() }, random: { 0 })
}

private let first = ConnectionID(number: 1)
private let second = ConnectionID(number: 2)
private let third = ConnectionID(number: 3)
private let teas: Value = ["teas": [:]]
private let cups: Value = ["cups": [:]]
private let rows = QueryResult.joinRows(JoinRows())
private let label = Attribute(id: AttributeID("a1"), namespace: "teas", label: "label")
private let change = Transaction([.addTriple(.id(EntityID("t")), label.id, "Sencha")])
private let info = SessionInfo(sessionID: "s", appID: "app", attributes: [label])
private let opening = ClientEnvelope(.start(Opening(appID: "app", versions: [:])), eventID: "1")

/// A session that is ready at the moment 100.
private func readySession(_ prepare: (inout ClientSession) -> Void = { _ in }) -> ClientSession {
  var session = session()
  prepare(&session)
  _ = session.start(at: 0)
  _ = session.opened(first, at: 50)
  _ = session.received(ServerEnvelope(.started(info), eventID: "1"), from: first, at: 100)
  return session
}

@Suite("A client's session: opening")
struct ClientSessionOpeningTests {
  @Test("starts by connecting")
  func start() {
    var session = session()
    #expect(
      session.start(at: 0) == [.status(.connecting), .connect(first), .wake(at: 10_000)])
    #expect(session.start(at: 1) == [])
  }

  @Test("sends credentials once connected")
  func opened() {
    var session = session()
    _ = session.start(at: 0)
    #expect(session.opened(first, at: 5) == [.send(opening, over: first), .wake(at: 10_005)])
  }

  @Test("sends everything queued, in order, once opened")
  func ready() {
    var session = session()
    _ = session.start(at: 0)
    #expect(session.subscribe(to: teas, at: 1) == [])
    #expect(session.subscribe(to: cups, at: 2) == [])
    #expect(session.transact(MutationID("m1"), change, at: 3) == [])
    _ = session.opened(first, at: 5)

    let actions = session.received(ServerEnvelope(.started(info)), from: first, at: 6)

    #expect(
      actions == [
        .status(.live), .appStatus(.active), .attributes([label]),
        .send(ClientEnvelope(.addQuery(teas), eventID: "2"), over: first),
        .send(ClientEnvelope(.addQuery(cups), eventID: "3"), over: first),
        .send(ClientEnvelope(.transact(change), eventID: "m1"), over: first),
        .wake(at: 6_006),
      ])
  }

  @Test("abandons a server after ten seconds")
  func silence() {
    var session = session()
    _ = session.start(at: 0)
    #expect(session.wake(at: 10_000).prefix(1) == [.disconnect(first)])

    _ = session.opened(second, at: 10_001)
    let actions = session.wake(at: 20_001)
    #expect(
      actions == [
        .disconnect(second),
        .status(
          .offline(
            since: 10_000, nextTry: 21_001,
            reason: "the server did not accept the connection in time")),
        .wake(at: 21_001),
      ])
  }

  @Test("ends when the token is rejected, and reports it")
  func refused() {
    var session = session()
    _ = session.subscribe(to: teas, at: 0)
    _ = session.start(at: 0)
    _ = session.opened(first, at: 1)
    let error = ServerError(
      type: "record-not-found", "Record not found", hint: ["record-type": "app-admin-token"],
      original: ["op": "init"])

    let actions = session.received(
      ServerEnvelope(.failed(error), eventID: "1"), from: first, at: 2)

    #expect(
      actions == [.status(.refused(error)), .disconnect(first), .queryFailed(teas, error)])
    #expect(session.wake(at: 60_000) == [])
    #expect(session.retryNow(at: 60_000).contains(.connect(second)))
  }

  @Test("retries after a failure of the server", arguments: [429, 500, 502, 503, 504])
  func serverFault(status: Int) {
    var session = session()
    _ = session.start(at: 0)
    _ = session.opened(first, at: 1)
    let error = ServerError(status: status, type: nil, "Oops.", original: ["op": "init"])

    let actions = session.received(ServerEnvelope(.failed(error)), from: first, at: 2)

    #expect(actions.contains(.connect(second)))
  }
}

@Suite("A client's session: losing the server")
struct ClientSessionReconnectTests {
  @Test("retries at once, then after 1, 2, … 10, 10 seconds")
  func backoff() {
    var session = readySession()
    var now: Int64 = 5_000
    #expect(
      session.closed(first, reason: "gone", at: now) == [
        .status(.offline(since: 5_000, nextTry: nil, reason: "gone")), .connect(second),
        .wake(at: 15_000),
      ])

    var waits: [Int64] = []
    for number in 2...13 {
      let actions = session.closed(ConnectionID(number: number), reason: "refused", at: now)
      guard case .status(.offline(let since, let next?, "refused"))? = actions.first else {
        Issue.record("no next try was told: \(actions)")
        return
      }
      #expect(since == 5_000)
      waits.append(next - now)
      #expect(session.wake(at: next - 1) == [.wake(at: next)])
      now = next
      #expect(session.wake(at: now).contains(.connect(ConnectionID(number: number + 1))))
    }
    #expect(waits == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10].map { $0 * 1_000 })
  }

  @Test("adds jitter of up to a quarter")
  func jitter() {
    let policy = ClientSession.reconnection
    #expect(policy.wait(before: 2, chance: 0.5) == .zero)
    #expect(policy.wait(before: 3, chance: 0) == .seconds(1))
    #expect(policy.wait(before: 4, chance: 1) == .milliseconds(1_500))
  }

  @Test("sends everything again with the same mutation ids")
  func replay() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    _ = session.transact(MutationID("m1"), change, at: 201)
    _ = session.transact(MutationID("m2"), change, at: 202)
    _ = session.received(
      ServerEnvelope(.transacted(transactionID: 4), eventID: "m1"), from: first, at: 203)
    _ = session.closed(first, reason: "gone", at: 2_000)
    _ = session.opened(second, at: 2_001)

    let actions = session.received(ServerEnvelope(.started(info)), from: second, at: 2_002)

    let sent = actions.compactMap { action -> ClientMessage? in
      if case .send(let envelope, over: second) = action { return envelope.message }
      return nil
    }
    #expect(sent == [.addQuery(teas), .transact(change)])
    #expect(
      actions.contains(
        .send(ClientEnvelope(.transact(change), eventID: "m2"), over: second)))
    #expect(session.pendingCount == 1)
  }

  @Test("backs off from a server that ends sessions at once")
  func flapping() {
    var session = readySession()
    #expect(session.closed(first, reason: "gone", at: 101).contains(.connect(second)))
    _ = session.opened(second, at: 102)
    _ = session.received(ServerEnvelope(.started(info)), from: second, at: 103)
    #expect(
      session.closed(second, reason: "gone", at: 104).contains(
        .status(.offline(since: 104, nextTry: 1_104, reason: "gone"))))
  }

  @Test("ignores late messages of old connections")
  func late() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 150)
    _ = session.closed(first, reason: "gone", at: 2_000)
    #expect(
      session.received(
        ServerEnvelope(.queryAdded(teas, rows, processed: 1)), from: first, at: 2_001) == [])
    #expect(session.closed(first, reason: "again", at: 2_002) == [])
    #expect(session.opened(first, at: 2_003) == [.disconnect(first)])
  }

  @Test("abandons a connection with invalid messages")
  func nonsense() {
    var session = readySession()
    let actions = session.faulted(first, MessageFault(reason: "it is not an object"), at: 5_000)
    #expect(actions.first == .disconnect(first))
    #expect(actions.contains(.connect(second)))
  }

  @Test("can reconnect at once, and stop")
  func byHand() {
    var session = readySession()
    _ = session.closed(first, reason: "gone", at: 5_000)
    _ = session.closed(second, reason: "gone", at: 5_000)
    #expect(session.retryNow(at: 5_001).contains(.connect(third)))
    #expect(session.stop() == [.disconnect(third)])
    #expect(session.wake(at: 100_000) == [])
  }
}

@Suite("A client's session: queries")
struct ClientSessionQueryTests {
  @Test("subscribes to a query once, and reports each answer")
  func answers() {
    var session = readySession()
    #expect(
      session.subscribe(to: teas, at: 200) == [
        .send(ClientEnvelope(.addQuery(teas), eventID: "2"), over: first), .wake(at: 30_200),
      ])
    #expect(session.subscribe(to: teas, at: 201) == [])
    #expect(
      session.received(
        ServerEnvelope(.queryAdded(teas, rows, processed: nil)), from: first, at: 202)
        == [.result(teas, rows, processed: 0)])
    #expect(
      session.received(
        ServerEnvelope(
          .refreshed(
            Refresh(
              processed: 9, computations: [.init(cups, rows), .init(teas, rows)],
              attributes: [label]))), from: first, at: 203)
        == [.attributes([label]), .result(teas, rows, processed: 9)])
  }

  @Test("ignores outdated answers within a connection")
  func overtaken() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    _ = session.received(
      ServerEnvelope(.refreshed(Refresh(processed: 9, computations: [.init(teas, rows)]))),
      from: first, at: 201)
    let late = ServerEnvelope(.queryAdded(teas, rows, processed: 8))
    let old = session.received(late, from: first, at: 202)
    #expect(old == [])

    _ = session.closed(first, reason: "gone", at: 2_000)
    _ = session.opened(second, at: 2_001)
    _ = session.received(ServerEnvelope(.started(info)), from: second, at: 2_002)
    let other = session.received(late, from: second, at: 2_003)
    #expect(other.first == .result(teas, rows, processed: 8))
  }

  @Test("unsubscribes an unused query and ignores its answers")
  func unsubscribe() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    #expect(
      session.unsubscribe(from: teas) == [
        .send(ClientEnvelope(.removeQuery(teas), eventID: "3"), over: first)
      ])
    #expect(session.unsubscribe(from: teas) == [])
    #expect(
      session.received(
        ServerEnvelope(.queryAdded(teas, rows, processed: 1)), from: first, at: 201) == [])
  }

  @Test("unsubscribes a failed query, as a server may have kept it")
  func takesBackFailed() {
    var session = readySession { _ = $0.subscribe(to: teas, at: 0) }
    _ = session.received(
      ServerEnvelope(.queryAdded(teas, rows, processed: 1)), from: first, at: 101)
    let error = ServerError(
      type: nil, "No.", original: ["op": "add-query", "q": teas])
    #expect(
      session.received(ServerEnvelope(.failed(error)), from: first, at: 102)
        == [.queryFailed(teas, error)])
    let actions = session.unsubscribe(from: teas)
    #expect(actions == [.send(ClientEnvelope(.removeQuery(teas), eventID: "3"), over: first)])
  }

  @Test("reports why a query failed, by id or by original message")
  func failure() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    _ = session.subscribe(to: cups, at: 201)
    let plain = ServerError(type: "validation-failed", "No.")
    let shown = ServerError(
      type: "validation-failed", "No.", original: ["op": "add-query", "q": cups])

    #expect(
      session.received(ServerEnvelope(.failed(plain), eventID: "2"), from: first, at: 202)
        .contains(.queryFailed(teas, plain)))
    #expect(
      session.received(ServerEnvelope(.failed(shown)), from: first, at: 203)
        .contains(.queryFailed(cups, shown)))
  }

  @Test("reports an answer later than thirty seconds, and still accepts it")
  func timeout() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    guard case .queryFailed(teas, let error)? = session.wake(at: 30_200).first else {
      Issue.record("nothing was said")
      return
    }
    #expect(error.type == "timeout")
    #expect(
      session.received(
        ServerEnvelope(.queryAdded(teas, rows, processed: 1)), from: first, at: 30_300)
        == [.result(teas, rows, processed: 1)])
  }

  @Test("fails queries while the app is disabled, and reconnects when enabled")
  func disabled() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    let actions = session.received(
      ServerEnvelope(.appStatusChanged(.disabled)), from: first, at: 300)
    #expect(actions.first == .appStatus(.disabled))
    guard case .queryFailed(teas, let error)? = actions.last else {
      Issue.record("the query was not failed")
      return
    }
    #expect(error.message == "The server has disabled this app.")
    #expect(
      session.received(ServerEnvelope(.appStatusChanged(.active)), from: first, at: 5_000)
        .contains(.connect(second)))
  }
}

@Suite("A client's session: mutations")
struct ClientSessionMutationTests {
  private let one = MutationID("m1")
  private let two = MutationID("m2")

  @Test("sends a mutation under its id and reports its transaction")
  func confirmed() {
    var session = readySession()
    #expect(
      session.transact(one, change, at: 200) == [
        .send(ClientEnvelope(.transact(change), eventID: "m1"), over: first), .wake(at: 6_200),
      ])
    #expect(
      session.received(
        ServerEnvelope(.transacted(transactionID: 7), eventID: "m1"), from: first, at: 201)
        == [.confirmed(one, transactionID: 7)])
    #expect(session.pendingCount == 0)
  }

  @Test("reports a rejection in the server's words")
  func refused() {
    var session = readySession()
    _ = session.transact(one, change, at: 200)
    let error = ServerError(type: "permission-denied", "You may not.", hint: ["expected": "x"])
    #expect(
      session.received(ServerEnvelope(.failed(error), eventID: "m1"), from: first, at: 201)
        == [.refused(one, error)])
  }

  @Test("an error that names no request is part of the timeouts that follow")
  func remark() {
    var session = readySession()
    _ = session.subscribe(to: teas, at: 200)
    let error = ServerError(type: nil, "Out of tea.")
    #expect(
      session.received(ServerEnvelope(.failed(error)), from: first, at: 201)
        == [.note("Out of tea.")])
    guard case .queryFailed(teas, let timeout)? = session.wake(at: 30_200).first else {
      Issue.record("the query did not time out")
      return
    }
    #expect(timeout.type == "timeout")
    #expect(timeout.message.hasSuffix("no answer in 30 seconds. The server reported: Out of tea."))
  }

  @Test("sends an unanswered mutation again, and drops it after three timeouts")
  func silence() {
    var session = readySession()
    _ = session.transact(one, change, at: 2_000)
    _ = session.transact(two, change, at: 2_000)
    var now: Int64 = 8_000
    for number in 1...2 {
      let old = ConnectionID(number: number)
      let new = ConnectionID(number: number + 1)
      let actions = session.wake(at: now)
      #expect(actions.prefix(1) == [.disconnect(old)])
      #expect(actions.contains(.connect(new)))
      _ = session.opened(new, at: now)
      let sent = session.received(ServerEnvelope(.started(info)), from: new, at: now)
      #expect(
        sent.contains(.send(ClientEnvelope(.transact(change), eventID: "m1"), over: new)))
      now += 6_000
    }
    guard case .refused(one, let error)? = session.wake(at: now).first else {
      Issue.record("the mutation was not given up")
      return
    }
    #expect(error.type == "timeout")
    // It is unknown whether the change was made; nothing else is reported.
    #expect(error.message.contains("may or may not have been applied"))
  }

  @Test("keeps a mutation through any number of broken connections")
  func flappingLine() {
    var session = readySession()
    _ = session.transact(one, change, at: 2_000)
    var now: Int64 = 3_000
    for number in 1...20 {
      let (old, new) = (ConnectionID(number: number), ConnectionID(number: number + 1))
      var actions = session.closed(old, reason: "gone.", at: now)
      #expect(session.wasSent(one))
      // Chance decides when it tries again.
      for _ in 0..<10 where !actions.contains(.connect(new)) {
        for case .wake(let moment) in actions { now = max(now, moment) }
        actions += session.wake(at: now)
      }
      #expect(actions.contains(.connect(new)))
      for case .status(.offline(_, _, let reason)) in actions { #expect(reason == "gone") }
      _ = session.opened(new, at: now)
      let sent = session.received(ServerEnvelope(.started(info)), from: new, at: now)
      #expect(
        sent.contains(.send(ClientEnvelope(.transact(change), eventID: "m1"), over: new)))
    }
    #expect(session.pendingCount == 1)
  }

  @Test("treats a repeated creation that exists as confirmed")
  func createdBefore() {
    var session = readySession()
    _ = session.transact(one, change, at: 200)
    _ = session.closed(first, reason: "gone", at: 2_000)
    _ = session.opened(second, at: 2_001)
    _ = session.received(ServerEnvelope(.started(info)), from: second, at: 2_002)
    let error = ServerError(
      type: "validation-failed",
      "Validation failed for tx-step: Creating entities that exist: t")
    #expect(
      session.received(ServerEnvelope(.failed(error), eventID: "m1"), from: second, at: 2_003)
        == [.confirmed(one, transactionID: 0)])
  }

  @Test("rejects mutations of a read-only app at once")
  func readOnly() {
    var session = readySession()
    _ = session.received(ServerEnvelope(.appStatusChanged(.readOnly)), from: first, at: 150)
    guard case .refused(one, let error)? = session.transact(one, change, at: 200).first else {
      Issue.record("it was taken")
      return
    }
    #expect(error.type == "app-read-only")
  }

  @Test("can cancel only mutations that were not sent")
  func cancelUnsent() {
    var session = readySession { session in
      _ = session.transact(MutationID("m1"), change, at: 0)
    }
    let wasSent = session.cancelUnsent(one)
    #expect(!wasSent)
    _ = session.closed(first, reason: "gone", at: 2_000)
    _ = session.transact(two, change, at: 2_001)
    let waited = session.cancelUnsent(two)
    #expect(waited)
    #expect(session.pendingCount == 1)
  }

  @Test("keeps ten thousand mutations in order", .timeLimit(.minutes(10)))
  func many() {
    var session = readySession()
    for number in 0..<10_000 {
      _ = session.transact(MutationID("m\(number)"), change, at: 200)
    }
    for number in stride(from: 9_999, through: 0, by: -1) where number % 3 != 0 {
      _ = session.received(
        ServerEnvelope(.transacted(transactionID: 1), eventID: "m\(number)"), from: first, at: 201)
    }
    #expect(session.pendingCount == 3_334)
  }
}
