import NIOCore

/// Counts the received bytes of an incomplete message.
///
/// Many connections with incomplete messages could fill the memory, although each is within its own
/// limit. While all of them together exceed their common budget, those that send more are closed.
final class InboundByteMeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  let budget: ByteBudget
  /// The number of bytes since the last complete frame, including joined fragments.
  private var held = 0
  /// The time when the last byte arrived, even if its message is not complete.
  private(set) var lastHeard = NIODeadline.now()

  init(_ budget: ByteBudget) {
    self.budget = budget
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    held += bytes
    lastHeard = .now()
    budget.reserve(bytes)
    if budget.isExceeded, held > 1 << 20 {
      end()
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

  /// Records that the peer is alive without data from it, for example while it receives a long
  /// message.
  func recordActivity() { lastHeard = .now() }

  /// Records a complete frame, and the number of bytes kept from a fragmented message.
  func setHeldBytes(_ bytes: Int) {
    budget.reserve(bytes - held)
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
