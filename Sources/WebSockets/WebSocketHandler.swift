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
      return reject("a frame with reserved bits", as: .protocolError)
    }
    if case .server = role, frame.maskKey == nil, frame.data.readableBytes > 0 {
      return reject("a frame that is not masked", as: .protocolError)
    }
    switch frame.opcode {
    case .ping: answer(frame, context)
    case .pong: break
    case .connectionClose: close(frame, context)
    case .text: begin(frame, context)
    case .continuation: proceed(frame, context)
    case .binary:
      reject("binary data instead of text", as: .unacceptableData)
    default: reject("a frame of unknown type", as: .protocolError)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let fault = error as? NIOWebSocketError else {
      messages.ended(reason: NetworkWords.reason(of: error))
      return context.close(promise: nil)
    }
    switch fault {
    case .invalidFrameLength:
      reject("a message of more than \(maxBytes) bytes", as: .messageTooLarge)
    default: reject("an invalid frame", as: .protocolError)
    }
  }

  // MARK: Frames

  private func begin(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard fragments == nil else {
      return reject("a message before the end of the previous one", as: .protocolError)
    }
    if frame.fin { return deliverText(frame.unmaskedData, context) }
    fragments = frame.unmaskedData
    intake.setHeldBytes(frame.data.readableBytes)
  }

  private func proceed(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
    guard var whole = fragments else {
      return reject("a continuation frame without a first frame", as: .protocolError)
    }
    guard whole.readableBytes + frame.data.readableBytes <= maxBytes else {
      return reject("a message of more than \(maxBytes) bytes", as: .messageTooLarge)
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
      return reject("text that is not UTF-8", as: .dataInconsistentWithMessage)
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
    messages.ended(reason: reason(of: frame))
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
  private func reason(of frame: WebSocketFrame) -> String {
    var data = frame.unmaskedData
    let reason =
      switch data.readWebSocketErrorCode() {
      case .goingAway?: "the server is shutting down"
      case .messageTooLarge?: "a message was too large for the \(role.peer)"
      case .policyViolation?: "the \(role.peer) rejected the connection"
      case .protocolError?: "the \(role.peer) reported a protocol error"
      default: "the \(role.peer) closed the connection"
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
      return giveUp("the \(role.peer) reads too slowly", context)
    }
    if NIODeadline.now() - intake.lastActivity >= silenceTimeout {
      let seconds = silenceTimeout.nanoseconds / 1_000_000_000
      return giveUp("no data arrived for \(seconds) s", context)
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

  /// Closes the connection because the peer violated the protocol.
  private func reject(_ sent: String, as code: WebSocketErrorCode) {
    messages.end(code: code, reason: "the \(role.peer) sent \(sent)")
  }

  private func giveUp(_ reason: String, _ context: ChannelHandlerContext) {
    messages.ended(reason: reason)
    context.close(promise: nil)
  }
}
