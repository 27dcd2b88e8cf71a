#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A TCP connection to a local server that sends and receives raw bytes.
final class ByteConnection {
  private let socket: Int32

  /// - Parameter timeout: The limit of each call, in seconds.
  init(port: String, receiving bytes: Int32? = nil, timeout: Int = 120) throws {
    #if canImport(Glibc)
      socket = Self.system(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Self.system(AF_INET, SOCK_STREAM, 0)
    #endif
    if var bytes { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
    var timeout = timeval(tv_sec: timeout, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = (UInt16(port) ?? 0).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Refused(errno: errno) }
  }

  deinit { close(socket) }

  struct Refused: Error {
    let errno: Int32
  }

  private static func system(_ domain: Int32, _ type: Int32, _ kind: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.socket(domain, type, kind)
    #else
      Darwin.socket(domain, type, kind)
    #endif
  }

  /// - Returns: False when the other side takes no more.
  @discardableResult
  func say(_ bytes: [UInt8]) -> Bool {
    var said = 0
    while said < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes[said...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
      if count <= 0 { return false }
      said += count
    }
    return true
  }

  @discardableResult
  func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  /// Says a message of a WebSocket, masked with zeros.
  @discardableResult
  func say(message text: String) -> Bool { say(Self.frame(Array(text.utf8))) }

  /// Becomes a WebSocket.
  func upgrade() -> Bool {
    say(
      "GET /runtime/session?app_id=a HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
        + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    return hear(until: "\r\n\r\n").contains("101")
  }

  /// What comes until it has this in it, or nothing comes any more.
  func hear(until wanted: String) -> String {
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: heard, as: UTF8.self).contains(wanted) {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count <= 0 { break }
      heard += buffer.prefix(count)
    }
    return String(decoding: heard, as: UTF8.self)
  }

  /// - Parameter length: What the frame says of its length, when that is not true.
  static func frame(_ payload: [UInt8], length: UInt64? = nil) -> [UInt8] {
    let count = length ?? UInt64(payload.count)
    var bytes: [UInt8] = [0x81, 0x80 | 127]
    if length == nil, count < 126 { bytes = [0x81, 0x80 | UInt8(count)] }
    if bytes[1] == 0x80 | 127 {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(count >> UInt64(shift) & 255))
      }
    }
    return bytes + [0, 0, 0, 0] + payload
  }
}
