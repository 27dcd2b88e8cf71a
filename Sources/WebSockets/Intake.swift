import NIOCore

/// Counts what a connection has sent of a message that is not whole yet.
///
/// Many connections with half a message each could fill memory, each within its own limit; beyond
/// what all may hold together, whoever sends more is closed.
final class Intake: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  let budget: ByteBudget
  /// Since the last whole frame, and of fragments that were put together.
  private var held = 0
  /// When the last byte came: a long message over a slow line is heard long before it is whole.
  private(set) var lastHeard = NIODeadline.now()

  init(_ budget: ByteBudget) {
    self.budget = budget
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    held += bytes
    lastHeard = .now()
    budget.take(bytes)
    if budget.isExceeded, held > 1 << 20 {
      end()
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

  /// The peer cannot be heard now, but there is a sign that it lives.
  func noteLife() { lastHeard = .now() }

  /// A frame has come out whole; so much is kept of a message in parts.
  func keep(_ bytes: Int) {
    budget.take(bytes - held)
    held = bytes
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    budget.giveBack(held)
    held = 0
  }
}
