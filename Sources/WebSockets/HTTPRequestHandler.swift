import NIOCore
import NIOHTTP1
import NIOWebSocket
import Sync
import Triples

/// Answers requests that are no sessions, one after the other.
final class HTTPRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let routes: AdminRoutes
  private let admission: Admission
  private let intake: Intake
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false
  private var events: EventStream?
  private var timer: Scheduled<Void>?
  private var keepingAlive: RepeatedTask?
  private var outflow = Outflow()
  /// A request is being worked on.
  private var isAnswering = false
  private var isRemoved = false

  /// How often a reader of events hears at least something.
  private static let eventPeriod = TimeAmount.seconds(15)
  /// How long a request may take to arrive, and a connection may lie idle.
  private let longestRequest: TimeAmount

  init(
    _ routes: AdminRoutes, _ admission: Admission, _ intake: Intake, longestRequest: TimeAmount
  ) {
    self.longestRequest = longestRequest
    self.routes = routes
    self.admission = admission
    self.intake = intake
  }

  func handlerAdded(context: ChannelHandlerContext) { restartTimer(context) }

  func handlerRemoved(context: ChannelHandlerContext) {
    isRemoved = true
    stopTimers()
  }

  private func stopTimers() {
    timer?.cancel()
    keepingAlive?.cancel()
    keepingAlive = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimers()
    events?.end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A WebSocket that is refused: the request comes after this, as any other, and is told why.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
      isTooLarge = false
    case .body(let part):
      guard body.count + part.readableBytes <= routes.mostBytes else {
        (isTooLarge, body) = (true, [])
        return
      }
      if !isTooLarge { body += part.readableBytesView }
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let head, events == nil else { return }
    isAnswering = true
    timer?.cancel()
    let question = HTTPQuestion(
      method: head.method.rawValue, path: Self.path(of: head), token: Self.token(of: head),
      body: body, parameters: HTTPQuestion.parameters(of: head.uri), user: ActingUser(head.headers))
    body = []
    intake.keep(0)
    if isTooLarge { return reply(.tooLarge, context) }
    guard admission.admits(head) else { return reply(.strangeOrigin, context) }
    let routes = routes
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask { await routes.outcome(of: question) }
      .whenSuccess { outcome in
        let (handler, context) = bound.value
        switch outcome {
        case .reply(let reply): handler.reply(reply, context)
        case .events(let query, let form):
          let events = EventStream(
            context.channel,
            saying: [
              MessageCoding.text(
                ClientEnvelope(.addQuery(query, form), eventID: EntityID.random().text))
            ])
          handler.begin(events, context)
          Task { await routes.server.serve(events, isTrusted: true) }
        case .session(let isTrusted):
          let events = EventStream(context.channel)
          routes.sessions.add(events)
          handler.begin(events, context)
          Task {
            await routes.server.serve(events, isTrusted: isTrusted)
            routes.sessions.remove(events)
          }
        }
      }
  }

  private func begin(_ events: EventStream, _ context: ChannelHandlerContext) {
    self.events = events
    guard context.channel.isActive else { return events.end() }
    events.begin()
    keepingAlive = context.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.eventPeriod, delay: Self.eventPeriod
    ) { _ in events.keepAlive() }
  }

  private func reply(_ reply: HTTPReply, _ context: ChannelHandlerContext) {
    isAnswering = false
    guard context.channel.isActive, let asked = head else { return }
    var headers = HTTPHeaders()
    headers.add(name: "Content-Type", value: "application/json")
    headers.add(name: "Content-Length", value: String(reply.json.utf8.count))
    headers.add(name: "Access-Control-Allow-Origin", value: "*")
    for (name, value) in reply.headers { headers.add(name: name, value: value) }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = context.channel.allocator.buffer(string: reply.json)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (handler, context) = bound.value
      guard context.channel.isActive else { return }
      if asked.isKeepAlive { handler.restartTimer(context) } else { context.close(promise: nil) }
    }
    _ = outflow.flows(context.channel)
    restartTimer(context)
  }

  /// Who takes an answer has as long for each part of it as for a request.
  private func restartTimer(_ context: ChannelHandlerContext) {
    guard !isAnswering, !isRemoved else { return }
    timer?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: longestRequest) {
      let (handler, context) = bound.value
      if handler.outflow.flows(context.channel) {
        handler.restartTimer(context)
      } else {
        context.close(promise: nil)
      }
    }
  }

  private static func path(of head: HTTPRequestHead) -> String {
    String(head.uri.prefix { $0 != "?" })
  }

  private static func token(of head: HTTPRequestHead) -> String? {
    guard let value = head.headers.first(name: "Authorization") else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }
}
