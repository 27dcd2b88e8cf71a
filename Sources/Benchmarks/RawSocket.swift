#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A plain socket to a server on this machine, for clients that do not follow the protocol.
final class RawSocket: Sendable {
  enum Fault: Error { case noConnection, noAnswer }

  let descriptor: Int32

  /// Connects to a port on this machine.
  ///
  /// - Parameter receiving: The size of the receive buffer in bytes; nil for the default.
  init(port: Int, receiving: Int32? = nil) throws {
    #if canImport(Glibc)
      descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if var receiving {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiving, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Fault.noConnection }
  }

  deinit { close(descriptor) }

  /// Sends bytes.
  ///
  /// - Parameter timeout: How long to wait for the server to read them, in milliseconds.
  /// - Returns: Whether all bytes were sent.
  @discardableResult
  func send(_ bytes: [UInt8], timeout: Int32 = 2_000) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        sendNow($0)
      }
      if count > 0 {
        sent += count
        continue
      }
      guard errno == EAGAIN else { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&waiting, 1, timeout) > 0 else { return false }
    }
    return true
  }

  private func sendNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      return Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
    #else
      return Darwin.send(descriptor, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
    #endif
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Receives the next bytes. Nil at the end, or if nothing arrives in time.
  func receive(timeout: Int32 = 5_000) -> [UInt8]? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, timeout) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Receives text until it contains `wanted`.
  /// - Throws: An error if the text does not arrive.
  @discardableResult
  func receive(until wanted: String) throws -> String {
    var text = ""
    while !text.contains(wanted) {
      guard let bytes = receive() else { throw Fault.noAnswer }
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  // MARK: WebSockets

  /// Turns the connection into a WebSocket and opens a session over it.
  func openSession() throws {
    send(
      "GET /runtime/session?app_id=bench HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    try receive(until: "\r\n\r\n")
    sendText(#"{"op":"init","client-event-id":"i","app-id":"bench"}"#)
    try receive(until: "init-ok")
  }

  /// Sends a text as a WebSocket message.
  @discardableResult
  func sendText(_ text: String) -> Bool { send(Self.frame(Array(text.utf8))) }

  /// Sends a pong. Without it, the server closes a session whose client does not answer pings.
  func sendPong() { send(Self.frame([], opcode: 10)) }

  /// Returns a WebSocket frame whose mask consists of zeros.
  ///
  /// - Parameter length: The length to write into the header; nil for the actual length.
  static func frame(_ payload: [UInt8], opcode: UInt8 = 1, length: Int? = nil) -> [UInt8] {
    let length = length ?? payload.count
    var bytes: [UInt8] = [0x80 | opcode]
    switch length {
    case ..<126: bytes.append(0x80 | UInt8(length))
    case ..<65_536: bytes += [0x80 | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    default:
      bytes += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    }
    return bytes + [0, 0, 0, 0] + payload
  }
}
