import NIOCore
import NIOHTTP1
import NIOWebSocket
import Sync
import Triples

/// Answers HTTP requests that do not open WebSocket sessions, one at a time.
///
/// A request is accepted or rejected by its head, before its body is read. The next request of the
/// connection is read only after the network has accepted the response.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  enum Phase {
    /// The handler waits for a request, or for the rest of one.
    case receiving
    /// The task handles the request. The task is nil while the rejection of the request is delayed.
    case working(Task<Void, Never>?)
    /// The handler has written the response, and waits until the network has accepted it.
    case replying(bytes: Int, isLast: Bool)
    case streaming(EventStream)
    /// The connection is closing, and further input is dropped.
    case closing
  }

  private let routes: AdminRoutes
  private let admission: OriginPolicy
  let intake: InboundByteMeter
  let budget: ByteBudget
  let limits: ServerLimits
  private let connections: Connections
  var phase = Phase.receiving
  var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var maxBodyBytes = 0
  /// The number of the current request.
  private var number = 0
  var written = 0
  var outflow = WriteProgress()
  var lastProgress = NIODeadline.now()
  var lastKeepAlive = NIODeadline.now()
  /// Whether the whole request has been received.
  var isWhole = false
  private var ticking: RepeatedTask?

  /// The size in bytes above which a response is replaced by an error, if the byte budget is
  /// exceeded.
  private static let longReplyBytes = 64 << 10

  init(
    _ routes: AdminRoutes, _ admission: OriginPolicy, _ intake: InboundByteMeter,
    _ limits: ServerLimits,
    _ connections: Connections
  ) {
    self.connections = connections
    self.routes = routes
    self.admission = admission
    self.intake = intake
    self.limits = limits
    budget = intake.budget
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    let period = TimeAmount.milliseconds(min(limits.openingTime / 3 + 1, 5_000))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    ticking = context.eventLoop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in
      let (handler, context) = bound.value
      handler.tick(context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    ticking?.cancel()
    ticking = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    ticking?.cancel()
    switch phase {
    case .receiving, .closing: break
    case .working(let task): task?.cancel()
    case .replying(let bytes, _): budget.giveBack(bytes)
    case .streaming(let events): events.drop()
    }
    phase = .closing
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A WebSocket upgrade was rejected. The request is then handled like any other, and gets an
    // error.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      switch phase {
      case .replying: endReply(context)
      case .streaming(let events): events.flush()
      case .receiving, .working, .closing: break
      }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .receiving = phase else {
      intake.setHeldBytes(0)
      return
    }
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let part):
      guard body.count + part.readableBytes <= maxBodyBytes else {
        return refuse(.tooLarge, context)
      }
      body += part.readableBytesView
      lastProgress = .now()
    case .end: answer(context)
    }
  }

  // MARK: Requests

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    self.head = head
    body = []
    isWhole = false
    number += 1
    lastProgress = .now()
    guard admission.admits(head) else {
      routes.server.report(
        .refused(address: context.remoteAddress?.ipAddress, reason: "foreign origin or host"))
      return refuse(.strangeOrigin, context)
    }
    switch routes.gate(request(head, context)) {
    case .open(let maxBytes):
      maxBodyBytes = maxBytes
      if let length = head.headers.first(name: "Content-Length").flatMap({ Int($0) }),
        length > maxBytes
      {
        refuse(.tooLarge, context)
      }
    case .refused(let reply): refuse(reply, context)
    case .delayed(let reply, let delay):
      phase = .working(nil)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let server = routes.server
      let address = context.remoteAddress?.ipAddress
      context.eventLoop.scheduleTask(in: .milliseconds(delay)) {
        let (handler, context) = bound.value
        server.attempts.finished(from: address)
        handler.refuse(reply, context)
      }
    }
  }

  /// Sends a response before the body is received, and drops the rest of the body.
  func refuse(_ reply: HTTPReply, _ context: ChannelHandlerContext) {
    body = []
    intake.setHeldBytes(0)
    send(reply, isLast: true, context)
  }

  private func request(
    _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) -> HTTPRequest {
    HTTPRequest(
      method: head.method.rawValue, path: String(head.uri.prefix { $0 != "?" }),
      token: Self.token(of: head), body: body, address: context.remoteAddress?.ipAddress,
      connection: ObjectIdentifier(context.channel).hashValue,
      parameters: HTTPRequest.parameters(of: head.uri), user: ActingUser(head.headers))
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let head else { return }
    isWhole = true
    let request = request(head, context)
    // The received body counts toward the budget until the request is answered.
    intake.setHeldBytes(body.count)
    body = []
    let routes = routes
    let number = number
    let loop = context.eventLoop
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    phase = .working(
      Task {
        let outcome = await routes.outcome(of: request)
        loop.execute { bound.value.0.finish(outcome, number, bound.value.1) }
      })
    lastProgress = .now()
  }

  private func finish(
    _ outcome: AdminRoutes.Outcome, _ number: Int, _ context: ChannelHandlerContext
  ) {
    guard number == self.number, case .working = phase else { return }
    intake.setHeldBytes(0)
    switch outcome {
    case .reply(let reply):
      let isLong = reply.text.utf8.count > Self.longReplyBytes
      send(
        isLong && budget.isExceeded ? .overloaded : reply, isLast: head?.isKeepAlive != true,
        context)
    case .events(let query, let form):
      let events = EventStream(
        context.channel, budget: budget,
        saying: [
          MessageCoding.text(
            ClientEnvelope(.addQuery(query, form), eventID: EntityID.random().text))
        ], whenOpen: whenOpen(context))
      begin(events, context)
      let (routes, address) = (routes, context.remoteAddress?.ipAddress)
      Task { await routes.server.serve(events, isTrusted: true, address: address) }
    case .session(let isTrusted):
      let address = context.remoteAddress?.ipAddress
      let events = EventStream(
        context.channel, budget: budget, whenOpen: whenOpen(context))
      routes.sessions.add(events, from: address)
      begin(events, context)
      let routes = routes
      Task {
        await routes.server.serve(events, isTrusted: isTrusted, address: address)
        routes.sessions.remove(events)
      }
    }
  }

  /// Returns an action that marks the connection as one with an open session. Then the connection
  /// is not closed when too many connections have no session.
  private func whenOpen(_ context: ChannelHandlerContext) -> @Sendable () -> Void {
    let (connections, channel) = (connections, context.channel)
    return { connections.markOpen(channel) }
  }

  private func begin(_ events: EventStream, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return events.drop() }
    phase = .streaming(events)
    lastProgress = .now()
    events.begin()
  }

  private static func token(of head: HTTPRequestHead) -> String? {
    guard let value = head.headers.first(name: "Authorization") else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
