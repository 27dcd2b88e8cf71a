import NIOCore

/// Counts the bytes received of a message that is not complete yet.
///
/// Many connections with incomplete messages could fill the memory, although each connection is
/// within its own limit. While all of them together exceed their common budget, a connection is
/// closed when its message exceeds 1 MiB.
final class InboundByteMeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  let budget: ByteBudget
  /// The number of bytes since the last complete frame, plus the fragments that are already joined.
  private var held = 0
  /// The time when the last byte arrived, even if it is part of an incomplete message.
  private(set) var lastActivity = NIODeadline.now()

  init(_ budget: ByteBudget) {
    self.budget = budget
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    held += bytes
    lastActivity = .now()
    budget.reserve(bytes)
    if budget.isExceeded, held > 1 << 20 {
      end()
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

  /// Records that the peer is alive although it sends no data, for example while it receives a long
  /// message.
  func recordActivity() { lastActivity = .now() }

  /// Records that a frame is complete, and how many bytes of a fragmented message are kept.
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
