import NIOCore
import NIOHTTP1
import Sync

// Writes responses as the network accepts them, and applies timeouts.
extension HTTPRequestHandler {
  func send(_ reply: HTTPReply, isLast: Bool, _ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    var headers = HTTPHeaders()
    headers.add(name: "Content-Type", value: reply.contentType)
    headers.add(name: "Content-Length", value: String(reply.text.utf8.count))
    headers.add(name: "Access-Control-Allow-Origin", value: "*")
    if reply.status == 401 { headers.add(name: "WWW-Authenticate", value: "Bearer") }
    for (name, value) in reply.headers { headers.add(name: name, value: value) }
    if isLast { headers.replaceOrAdd(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
    let bytes = reply.text.utf8.count
    budget.reserve(bytes)
    written += bytes
    phase = .replying(bytes: bytes, isLast: isLast)
    lastProgress = .now()
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = context.channel.allocator.buffer(string: reply.text)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    if context.channel.isWritable { endReply(context) }
  }

  /// Ends a response after the network has accepted it, and reads the next request.
  func endReply(_ context: ChannelHandlerContext) {
    guard case .replying(let bytes, let isLast) = phase else { return }
    budget.giveBack(bytes)
    lastProgress = .now()
    phase = isLast ? .closing : .receiving
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    guard isLast else { return }
    guard !isWhole, hasBody else {
      return end.whenComplete { _ in bound.value.close(promise: nil) }
    }
    // If the connection were closed while the peer still sends, it would be reset, and the response
    // would be lost. So the rest of the request is read and dropped for a short time.
    context.eventLoop.scheduleTask(in: WebSocketRole.goodbyeTimeout) {
      bound.value.close(promise: nil)
    }
  }

  private var hasBody: Bool {
    guard let headers = head?.headers else { return false }
    return headers.contains(name: "Transfer-Encoding")
      || headers.first(name: "Content-Length").map { $0 != "0" } == true
  }

  // MARK: Time

  func tick(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    let unsent: Int
    switch phase {
    case .closing: return
    case .working(let task):
      guard now - lastProgress >= .milliseconds(limits.requestTime) else { return }
      task?.cancel()
      return refuse(.timedOut(limits.requestTime), context)
    case .receiving: unsent = 0
    case .replying(let bytes, _): unsent = bytes
    case .streaming(let events):
      written = events.outbox.writtenBytes
      unsent = events.outbox.unsentBytes
      if unsent == 0 {
        lastProgress = now
        return keepAlive(events, at: now)
      }
    }
    let progress = outflow.progress(of: context.channel, written: written)
    if progress >= WriteProgress.minBytes { lastProgress = now }
    if outflow.isTooSlow(progress, unsent: unsent, budget)
      || now - lastProgress >= .milliseconds(limits.openingTime)
    {
      context.close(promise: nil)
    }
  }

  /// The interval of comments that keep event streams open.
  private static let eventPeriod = TimeAmount.seconds(15)

  private func keepAlive(_ events: EventStream, at now: NIODeadline) {
    guard now - lastKeepAlive >= Self.eventPeriod else { return }
    lastKeepAlive = now
    events.keepAlive()
  }
}
