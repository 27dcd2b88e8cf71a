import Sync
import Testing
import Triples

private let limits = {
  var limits = ServerLimits()
  limits.subscriptions = 2
  limits.messageRate = 10
  limits.messageBurst = 10
  limits.refusals = 2
  limits.rooms = 1
  limits.presenceBytes = 40
  limits.subscriptionBytes = 400
  limits.roomNameBytes = 40
  return limits
}()

private func session(
  _ access: AccessRule = AccessRule(), isOpen: Bool = true
) -> ServerSession {
  var session = ServerSession(id: "s", access: access, limits: limits, at: 0)
  if isOpen { session.openTrusted() }
  return session
}

private func message(_ text: String) throws -> ReceivedMessage {
  try #require(try MessageCoding.clientMessages(in: text).first)
}

private let opening = #"{"op":"init","client-event-id":"1","app-id":"app","__admin-token":"open"}"#
private let query = #"{"op":"add-query","client-event-id":"q","q":{"teas":{}}}"#
private let teas: Value = ["teas": [:]]

extension ServerSession.Action {
  /// The error that is sent, if this is one.
  fileprivate var error: ServerError? {
    switch self {
    case .send(let envelope), .refuseToken(let envelope, _):
      if case .failed(let error) = envelope.message { return error }
      return nil
    default: return nil
    }
  }
}

@Suite("Server session")
struct ServerSessionTests {
  @Test("opens for any client if no token is required")
  func open() throws {
    var session = session(isOpen: false)
    let actions = session.received(try message(opening), at: 0)
    #expect(actions == [.open(appID: "app", isAdmin: true, eventID: "1")])
    #expect(session.isOpen)
  }

  @Test("rejects wrong tokens without repeating them")
  func token() throws {
    for (token, isRight) in [("open", true), ("ope", false), ("opened", false), ("", false)] {
      var session = session(AccessRule(token: token), isOpen: false)
      let action = try #require(session.received(try message(opening), at: 0).first)
      #expect(session.isOpen == isRight)
      #expect((action.error == nil) == isRight)
      if let error = action.error {
        #expect(error.type == "record-not-found")
        #expect(error.recordType == "app-admin-token")
        #expect(!MessageCoding.text(ServerEnvelope(.failed(error))).contains("open"))
      }
    }
  }

  @Test("tells a missing token from a wrong one")
  func missingToken() throws {
    let bare = #"{"op":"init","client-event-id":"1","app-id":"app"}"#
    for (text, isMissing) in [(bare, true), (opening, false)] {
      var session = session(AccessRule(token: "right"), isOpen: false)
      guard case .refuseToken(_, let found)? = session.received(try message(text), at: 0).first
      else {
        Issue.record("\(text) is not rejected")
        continue
      }
      #expect(found == isMissing)
    }
  }

  @Test("ends after three wrong tokens")
  func wrongTokens() throws {
    var session = session(AccessRule(token: "right"), isOpen: false)
    for _ in 1...2 { #expect(session.received(try message(opening), at: 0).count == 1) }
    #expect(
      session.received(try message(opening), at: 0).last == .end(reason: "3 wrong tokens"))
  }

  @Test("limits the size of queries and room names")
  func bytes() throws {
    var session = session()
    let long = String(repeating: "a", count: 240)
    func say(_ text: String) throws -> ServerError? {
      session.received(try message(text), at: 0).first?.error
    }
    #expect(try say(#"{"op":"add-query","q":{"\#(long)":{}}}"#) == nil)
    #expect(try say(#"{"op":"add-query","q":{"\#(long)b":{}}}"#)?.status == 429)
    #expect(try say(#"{"op":"remove-query","q":{"\#(long)":{}}}"#) == nil)
    #expect(try say(#"{"op":"add-query","q":{"\#(long)b":{}}}"#) == nil)
    #expect(try say(#"{"op":"join-room","room-id":"\#(long)"}"#)?.status == 429)
  }

  @Test("counts at least 20 bytes for each value of a query, and 80 for each object")
  func valueBytes() throws {
    func refusal(_ items: Int) throws -> ServerError? {
      var session = session()
      let list = Array(repeating: "1", count: items).joined(separator: ",")
      return session.received(
        try message(#"{"op":"add-query","q":{"a":[\#(list)]}}"#), at: 0
      ).first?.error
    }
    // The query counts as 80 bytes, its list and 15 items as 320.
    #expect(try refusal(15) == nil)
    #expect(try refusal(16)?.message.contains("400 bytes") == true)
  }

  @Test("must be opened first, and only once")
  func order() throws {
    var session = session(isOpen: false)
    let early = try #require(session.received(try message(query), at: 0).first?.error)
    #expect(
      early.message == "Validation failed for init: `init` has not run for this session.")
    #expect(early.originalQuery == teas)
    _ = session.received(try message(opening), at: 0)
    let late = try #require(session.received(try message(opening), at: 0).first?.error)
    #expect(
      late.message == "Validation failed for init: `init` has already run for this session.")
  }

  @Test("treats queries with reordered keys as equal")
  func equalQueries() throws {
    var session = session()
    let one = try message(#"{"op":"add-query","q":{"teas":{"$":{"limit":1,"offset":2}}}}"#)
    let other = try message(
      #"{"op":"add-query","client-event-id":"2","q":{"teas":{"$":{"offset":2,"limit":1}}}}"#)
    let asked: Value = ["teas": ["$": ["limit": 1, "offset": 2]]]
    _ = session.received(one, at: 0)
    let again = session.received(other, at: 0)
    #expect(
      again
        == [.subscribeAgain(SubscriptionKey(query: asked), eventID: "2", original: other.original)])
  }

  @Test("removes a query in its form, and always answers")
  func remove() throws {
    var session = session()
    _ = session.received(
      try message(#"{"op":"add-query","q":{"teas":{}},"return-type":"tree"}"#), at: 0)
    let removal = try message(#"{"op":"remove-query","client-event-id":"3","q":{"teas":{}}}"#)
    let answer = ServerSession.Action.send(ServerEnvelope(.queryRemoved(teas), eventID: "3"))
    let removed = session.received(removal, at: 0)
    #expect(removed == [.unsubscribe(SubscriptionKey(query: teas, form: .tree)), answer])
    let again = session.received(removal, at: 0)
    #expect(again == [answer])
  }

  @Test("limits the number of queries")
  func manyQueries() throws {
    var session = session()
    for number in 1...2 {
      let actions = session.received(
        try message(#"{"op":"add-query","q":{"n\#(number)":{}}}"#), at: 0)
      #expect(actions.first?.error == nil)
    }
    let error = session.received(try message(query), at: 0).first?.error
    #expect(error?.type == "rate-limited")
    #expect(session.subscriptions.count == 2)
  }

  @Test("rejects changes of a read-only store")
  func readOnly() throws {
    var session = session(AccessRule(allowsWriting: false))
    let error = session.received(
      try message(#"{"op":"transact","tx-steps":[]}"#), at: 0
    ).first?.error
    #expect(error?.type == "app-read-only")
  }

  @Test("names unknown messages in its answer")
  func unknown() throws {
    var session = session()
    let error = session.received(try message(#"{"op":"dance"}"#), at: 0).first?.error
    #expect(error?.message == "Invalid op")
    #expect(error?.hint == ["op": "dance"])
  }

  @Test("answers a flood with errors, ends it, and recovers later")
  func flood() throws {
    var session = session()
    for _ in 0..<10 {
      #expect(session.received(try message(query), at: 0).first?.error?.status != 429)
    }
    #expect(session.received(try message(query), at: 0).first?.error?.status == 429)
    #expect(session.received(try message(query), at: 1_000).first?.error?.status != 429)
    for _ in 0..<9 { _ = session.received(try message(query), at: 1_000) }
    #expect(session.received(try message(query), at: 1_000).count == 1)
    #expect(
      session.received(try message(query), at: 1_000).last == .end(reason: "too many messages"))
  }

  @Test("ends after too many invalid texts")
  func nonsense() {
    var session = session()
    let error = ServerError(type: "param-malformed", "No.")
    #expect(session.faulted(error, at: 0).count == 1)
    #expect(session.faulted(error, at: 0).count == 1)
    #expect(session.faulted(error, at: 0).last == .end(reason: "unreadable messages"))
  }

  @Test("forgets old errors")
  func oldRefusals() {
    var session = session()
    let error = ServerError(type: "param-malformed", "No.")
    for minute in 0..<10 { #expect(session.faulted(error, at: Int64(minute) * 61_000).count == 1) }
  }

  @Test("rejects broadcasts to rooms that were not entered")
  func rooms() throws {
    var session = session()
    let presence = try message(#"{"op":"set-presence","room-id":"bar","data":{}}"#)
    #expect(
      session.received(presence, at: 0).first?.error?.message
        == "Validation failed for room: You have not entered this room yet.")
    _ = session.received(try message(#"{"op":"join-room","room-id":"bar"}"#), at: 0)
    let actions = session.received(presence, at: 0)
    #expect(actions == [.setPresence(room: "bar", data: [:], eventID: nil)])
    let other = session.received(try message(#"{"op":"join-room","room-id":"pub"}"#), at: 0)
    #expect(other.first?.error?.status == 429)
    #expect(
      other.first?.error?.message
        == "You have reached the limit of 1 rooms. Leave one before entering 'pub'.")
    let long = try message(
      #"{"op":"set-presence","room-id":"bar","data":{"a":"\#(String(repeating: "a", count: 50))"}}"#
    )
    let refusal = session.received(long, at: 0).first?.error
    #expect(refusal?.status == 429)
    #expect(
      refusal?.message
        == "The message to the room 'bar' has 58 bytes and exceeds the limit of 40. Send less, or "
        + "keep the data in the store.")
  }

  @Test("limits the presence of all rooms together")
  func presenceBytes() throws {
    var limits = ServerLimits()
    limits.connectionPresenceBytes = 60
    var session = ServerSession(id: "s", access: AccessRule(), limits: limits, at: 0)
    session.openTrusted()
    func show(_ letters: Int, in room: String) throws -> ServerSession.Action? {
      let data = #"{"a":"\#(String(repeating: "a", count: letters))"}"#
      return session.received(
        try message(#"{"op":"join-room","room-id":"\#(room)","data":\#(data)}"#), at: 0
      ).first
    }
    #expect(try show(20, in: "bar")?.error == nil)
    #expect(try show(20, in: "pub")?.error == nil)
    let refusal = try show(20, in: "inn")?.error
    #expect(refusal?.status == 429)
    #expect(
      refusal?.message
        == "The presence data of this connection in all rooms would have 84 bytes and exceed the limit of "
        + "60. Send less, or keep the data in the store.")
    // What is shown in a room takes the place of what was shown there before.
    #expect(try show(22, in: "pub")?.error == nil)
    _ = session.received(try message(#"{"op":"leave-room","room-id":"bar"}"#), at: 0)
    #expect(try show(20, in: "inn")?.error == nil)
  }

  @Test(
    "knows by its version which client cannot miss the attributes",
    arguments: [
      ("v0.20.5", false), ("0.21.0", false), ("1.0.0", false), ("v0.20.4", true),
      ("v0.20.5-dev", false), ("new", true), ("", true), ("0.99999999999999999999.1", true),
    ])
  func versions(_ version: String, _ wants: Bool) throws {
    var session = session(isOpen: false)
    let text =
      #"{"op":"init","app-id":"a","versions":{"@instantdb/core":"\#(version)"}}"#
    _ = session.received(try message(text), at: 0)
    #expect(session.wantsAttributes == wants)
  }

  @Test("times out if it is not opened")
  func overdue() {
    var session = session(isOpen: false)
    #expect(!session.isOverdue(at: 14_999))
    #expect(session.isOverdue(at: 15_000))
    session.openTrusted()
    #expect(!session.isOverdue(at: 15_000))
  }
}
