import NIOCore

/// Counts what a connection has sent of a message that is not whole yet.
///
/// Many connections with half a message each could fill memory, each within its own limit; beyond
/// what all may hold together, whoever sends more is closed.
final class Intake: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let budget: ByteBudget
  /// Since the last whole frame, and of fragments that were put together.
  private var held = 0

  init(_ budget: ByteBudget) {
    self.budget = budget
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    held += bytes
    budget.take(bytes)
    if budget.isExceeded, held > 1 << 20 {
      end()
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

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
