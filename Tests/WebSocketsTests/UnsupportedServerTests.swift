import NIOCore
import NIOPosix
import SyncTestSupport
import Sync
import Testing
import WebSockets

/// A server that answers every connection with the same bytes.
private struct CannedServer {
  let port: Int
  private let listening: any Channel

  static func open(_ answer: String) async throws -> CannedServer {
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answerer(answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return CannedServer(port: listening.localAddress?.port ?? 0, listening: listening)
  }

  func close() async throws { try await listening.close() }

  private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: String

    init(_ answer: String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer(string: answer)).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }
}

@Suite("A client of a server that does not open a session", .timeLimit(.minutes(10)))
struct UnsupportedServerTests {
  @Test(
    "reports the server's message or an unsupported protocol",
    arguments: [
      (
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 29\r\n\r\n{\"message\":\"Members only.\"}  ",
        "rejected the connection (HTTP status 403): Members only"
      ),
      (
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 11\r\n\r\nTry later.\n",
        "rejected the connection (HTTP status 502): Try later"
      ),
      (
        "HTTP/1.1 404 Not Found\r\n\r\n<html>No</html>",
        "did not accept the connection (HTTP status 404). Check the host and port"
      ),
      (
        "HTTP/1.1 302 Found\r\nLocation: https://x.io/\r\nContent-Length: 0\r\n\r\n",
        "rejected the connection (HTTP status 302): the server has moved to https://x.io/"
      ),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP status 200): hi"),
      ("220 mail.example.org ESMTP\r\n", "the server does not speak HTTP"),
      (
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Accept: wrong\r\n\r\n",
        "the server does not support WebSockets"
      ),
      (
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
        "(HTTP status 401). Check the token"
      ),
      ("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "(HTTP status 503). Try again later"),
      ("", "the server closed the connection before it responded"),
    ])
  func refused(_ answer: String, _ words: String) async throws {
    let server = try await CannedServer.open(answer)
    let address = ServerAddress(host: "127.0.0.1", port: server.port, appID: "garden")
    let error = await #expect(throws: ChannelClosed.self) {
      _ = try await WebSocketClient.forTests(address).connect()
    }
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    #expect(error?.reason.hasSuffix(".") == false)
    try await server.close()
  }

  @Test("a client reads frames in one packet with the response to the handshake")
  func earlyFrame() async throws {
    var limits = ServerLimits.forTests
    limits.connections = 0
    // Rejected immediately, so the error directly follows the handshake.
    try await Wire.socket.serveGarden(limits: limits) { served in
      let network = try await FaultyNetwork.open(to: try #require(served.listener).port) { _ in
        FaultyNetwork.Fault(joinsFor: .milliseconds(100))
      }
      let address = ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden")
      for _ in 0..<5 {
        let peer = Peer(try await WebSocketClient.forTests(address).connect())
        #expect(try await peer.hearError().type == "rate-limited")
      }
      await network.close()
    }
  }
}
