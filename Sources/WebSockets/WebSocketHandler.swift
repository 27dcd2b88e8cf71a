import NIOCore
import NIOWebSocket
import Triples

/// Converts frames to messages. It joins fragments, answers pings, and closes the connection if the
/// peer violates the protocol.
///
/// - Source: RFC 6455 §5 and §7; pings as in InstantDB's server.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The interval of pings; nil sends pings only while the peer is silent.
  private let pingPeriod: TimeAmount?
  /// How long a peer may be silent before the connection is closed.
  private let silenceTimeout: TimeAmount
  private let maxBytes: Int
  private let role: WebSocketRole
  private let messages: WebSocketChannel
  private let intake: InboundByteMeter
  private var fragments: ByteBuffer?
  private var outflow = WriteProgress()
  private var timer: RepeatedTask?
  /// Whether the peer sent a close frame or violated the protocol. If so, further frames are
  /// ignored.
  private var isClosing = false

  init(
    _ messages: WebSocketChannel, role: WebSocketRole, maxBytes: Int, intake: InboundByteMeter,
    pingPeriod: TimeAmount?, silenceTimeout: TimeAmount
  ) {
    self.messages = messages
    self.role = role
    self.maxBytes = maxBytes
    self.intake = intake
    self.pingPeriod = pingPeriod
    self.silenceTimeout = silenceTimeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    intake.recordActivity()
    let period = pingPeriod ?? .nanoseconds(silenceTimeout.nanoseconds / 2)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: period, delay: period) { _ in
      let (handler, context) = bound.value
      handler.tick(context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    messages.ended(reason: "the connection was closed")
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { messages.outbox.flush() }
    context.fireChannelWritabilityChanged()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if isClosing { return intake.setHeldBytes(0) }
    if messages.isEnding, frame.opcode != .connectionClose { return intake.setHeldBytes(0) }
    intake.setHeldBytes(fragments?.readableBytes ?? 0)
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return messages.end(code: .protocolError, reason: "a frame with reserved bits")
    }
    if case .server = role, frame.maskKey == nil, frame.data.readableBytes > 0 {
      return messages.end(code: .protocolError, reason: "a frame that is not masked")
    }
    switch frame.opcode {
    case .ping: answer(frame, context)
    case .pong: break
    case .connectionClose: close(frame, context)
    case .text: begin(frame, context)
    case .continuation: proceed(frame, context)
    case .binary:
      messages.end(code: .unacceptableData, reason: "binary data instead of text")
    default: messages.end(code: .protocolError, reason: "a frame of unknown type")
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let fault = error as? NIOWebSocketError else {
      messages.ended(reason: "\(error)")
      return context.close(promise: nil)
    }
    switch fault {
    case .invalidFrameLength:
      messages.end(code: .messageTooLarge, reason: "a message of more than \(maxBytes) bytes")
    default: messages.end(code: .protocolError, reason: "invalid frames")
    }
  }

  // MARK: Frames

  private func begin(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard fragments == nil else {
      return messages.end(
        code: .protocolError, reason: "a message before the end of the previous one")
    }
    if frame.fin { return deliverText(frame.unmaskedData, context) }
    fragments = frame.unmaskedData
    intake.setHeldBytes(frame.data.readableBytes)
  }

  private func proceed(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard var whole = fragments else {
      return messages.end(
        code: .protocolError, reason: "a continuation frame without a first frame")
    }
    guard whole.readableBytes + frame.data.readableBytes <= maxBytes else {
      return messages.end(
        code: .messageTooLarge, reason: "a message of more than \(maxBytes) bytes")
    }
    fragments = nil
    var part = frame.unmaskedData
    whole.writeBuffer(&part)
    if frame.fin {
      intake.setHeldBytes(0)
      deliverText(whole, context)
    } else {
      intake.setHeldBytes(whole.readableBytes)
      fragments = whole
    }
  }

  private func deliverText(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let text = String(validating: data.readableBytesView, as: UTF8.self) else {
      return messages.end(code: .dataInconsistentWithMessage, reason: "text that is not UTF-8")
    }
    guard messages.inbox.deliver(text) else { return }
    context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
  }

  /// Answers a ping, if the network accepts the pong. So a peer that sends pings without reading
  /// gets no more answers.
  private func answer(_ ping: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard context.channel.isWritable else { return }
    let pong = WebSocketFrame(
      fin: true, opcode: .pong, maskKey: role.maskKey(), data: ping.unmaskedData)
    context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
  }

  /// Processes the first close frame. It is answered if the network accepts the answer. Later
  /// frames are ignored.
  private func close(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    isClosing = true
    fragments = nil
    intake.setHeldBytes(0)
    let isAnswer = messages.isEnding
    messages.ended(reason: Self.reason(of: frame))
    guard !isAnswer, context.channel.isWritable else { return context.close(promise: nil) }
    let echo = WebSocketFrame(
      fin: true, opcode: .connectionClose, maskKey: role.maskKey(), data: frame.unmaskedData)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(echo)).whenComplete { _ in
      bound.value.close(promise: nil)
    }
    messages.closeSoon()
  }

  /// Returns the reason why the peer closed the connection. If the peer sent a text, the reason
  /// includes it.
  private static func reason(of frame: WebSocketFrame) -> String {
    var data = frame.unmaskedData
    let reason =
      switch data.readWebSocketErrorCode() {
      case .goingAway?: "the server is shutting down"
      case .messageTooLarge?: "a message was too large for the peer"
      case .policyViolation?: "the peer rejected the connection"
      case .protocolError?: "the peer reported a protocol error"
      default: "the peer closed the connection"
      }
    let words = String(decoding: data.readableBytesView, as: UTF8.self)
    return words.isEmpty ? reason : "\(reason): \(words.withoutFullStop)"
  }

  // MARK: Time

  private func tick(_ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    let outbox = messages.outbox
    let sent = outflow.progress(of: context.channel, written: outbox.writtenBytes)
    // If a peer's messages are not read, or if it is receiving a long message, nothing arrives from
    // it. So it counts as alive.
    if messages.inbox.isFull, context.channel.isWritable { intake.recordActivity() }
    if sent >= WriteProgress.minBytes { intake.recordActivity() }
    if outflow.isTooSlow(sent, unsent: outbox.unsentBytes, outbox.budget) {
      return giveUp("the peer reads too slowly", context)
    }
    if NIODeadline.now() - intake.lastActivity >= silenceTimeout {
      let seconds = silenceTimeout.nanoseconds / 1_000_000_000
      return giveUp("no data for \(seconds) s", context)
    }
    guard isPingDue, !messages.isEnding, context.channel.isWritable else { return }
    let ping = WebSocketFrame(
      fin: true, opcode: .ping, maskKey: role.maskKey(), data: ByteBuffer())
    context.writeAndFlush(wrapOutboundOut(ping), promise: nil)
  }

  /// Whether to send a ping.
  ///
  /// Servers usually send pings themselves. If a server sends no pings, a ping from this end shows
  /// whether the server is alive although it has nothing to send.
  private var isPingDue: Bool {
    if pingPeriod != nil { return true }
    return NIODeadline.now() - intake.lastActivity >= .nanoseconds(silenceTimeout.nanoseconds / 4)
  }

  private func giveUp(_ reason: String, _ context: ChannelHandlerContext) {
    messages.ended(reason: reason)
    context.close(promise: nil)
  }
}
