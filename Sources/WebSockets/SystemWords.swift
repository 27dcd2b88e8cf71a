import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Returns the system's description of an error, for use within a sentence.
func reason(ofErrno code: Int32) -> String {
  let words = String(cString: strerror(code))
  guard let first = words.first else { return "error \(code)" }
  return first.lowercased() + words.dropFirst()
}

/// Descriptions of errors of the network, whose own descriptions are meant for developers.
enum NetworkWords {
  /// Returns the reason why a connection failed, for use within a sentence.
  static func reason(of error: any Error) -> String {
    if error is CancellationError { return "the attempt was canceled" }
    if let error = error as? NIOConnectionError {
      if error.dnsAError != nil || error.dnsAAAAError != nil { return unknownHost }
      return error.connectionErrors.first.map { reason(of: $0.error) } ?? failed
    }
    if error is SocketAddressError || error is SocketAddressError.UnknownHost {
      return unknownHost
    }
    if let error = error as? IOError { return WebSockets.reason(ofErrno: error.errnoCode) }
    if case ChannelError.connectTimeout = error { return "the connection timed out" }
    if error is HTTPParserError {
      return "the server does not speak HTTP. Check host and port"
    }
    if error is NIOHTTPClientUpgradeError {
      return "the server does not support WebSockets. Check host and port"
    }
    if error is NIOSSLError || error is BoringSSLError { return reason(ofTLS: "\(error)") }
    return (error as? WebSocketError)?.reason ?? failed
  }

  private static let unknownHost = "the host does not exist"
  private static let failed = "the connection failed"

  /// Returns the reason for a failed TLS handshake.
  ///
  /// - Parameter error: The error as text, because NIOSSL provides BoringSSL's reasons only as
  ///   text.
  private static func reason(ofTLS error: String) -> String {
    if error.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate is not trusted. Set SSL_CERT_FILE to a file with the certificate of "
        + "its authority"
    }
    let signsOfNoTLS = ["EOF during handshake", "WRONG_VERSION_NUMBER", "HTTP_REQUEST"]
    if signsOfNoTLS.contains(where: error.contains) {
      return "the server ended the TLS handshake. If it does not use TLS, use ws:// instead of "
        + "wss://"
    }
    let name = error.split(separator: ":").first { $0.allSatisfy { $0.isUppercase || $0 == "_" } }
    return "the TLS handshake failed" + (name.map { " (\($0))" } ?? "")
  }
}

extension WebSocketError {
  /// Returns the error for a file that cannot be read, or does not contain what it should.
  static func unusable(_ path: String, lacking content: String) -> WebSocketError {
    let isReadable = access(path, R_OK) == 0
    return .certificate(
      path: path,
      reason: isReadable ? "it contains no \(content)" : WebSockets.reason(ofErrno: errno))
  }
}
