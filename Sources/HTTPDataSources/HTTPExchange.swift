import DataSources
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends one request on one connection and receives its response.
final class HTTPExchange: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let head: HTTPRequestHead
  private let body: [UInt8]
  private let address: HTTPAddress
  private let maxResponseBytes: Int
  private let promise: EventLoopPromise<HTTPAnswer>
  private var answer = HTTPAnswer(status: 0, body: [])

  init(
    _ head: HTTPRequestHead, _ body: [UInt8], to address: HTTPAddress, maxResponseBytes: Int,
    _ promise: EventLoopPromise<HTTPAnswer>
  ) {
    self.head = head
    self.body = body
    self.address = address
    self.maxResponseBytes = maxResponseBytes
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !body.isEmpty {
      let buffer = context.channel.allocator.buffer(bytes: body)
      context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
    }
    let end = context.eventLoop.makePromise(of: Void.self)
    end.futureResult.cascadeFailure(to: promise)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: end)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer.status = Int(head.status.code)
    case .body(let part):
      guard answer.body.count + part.readableBytes <= maxResponseBytes else {
        promise.fail(
          DataSourceError.failed(
            "The response of \(address) is larger than the limit of \(maxResponseBytes) bytes."))
        return
      }
      answer.body += part.readableBytesView
    case .end: promise.succeed(answer)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Without TLS, there is no certificate.
    let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
    let known = SecureFailure.error(
      error, from: address, certificate: certificate, now: WallClock().now)
    promise.fail(known ?? error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(
      DataSourceError(
        .network(status: nil), "\(address) closed the connection before it responded.")
    )
  }
}
