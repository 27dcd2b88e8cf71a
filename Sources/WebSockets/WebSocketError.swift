import Triples

/// The reason why a server cannot be reached, or cannot be started.
package enum WebSocketError: Error, Hashable, Sendable {
  case address(String, reason: String)
  case unreachable(ServerAddress, reason: String)
  /// The server responded, but it did not accept the connection.
  case notAServer(ServerAddress, status: Int, said: String?)
  case cannotListen(host: String, port: Int, reason: String)
  case certificate(path: String, reason: String)
  /// The server would listen on a network address without a token.
  case tokenNeeded(host: String)
  /// The server would listen on a network address with a token that is easy to guess.
  case tokenTooShort(host: String)
}

extension WebSocketError: CustomStringConvertible {
  /// A sentence that says what failed, where, and what to do next.
  package var message: String {
    switch self {
    case .address(let text, let reason): "'\(text)' is not a valid server address: \(reason)."
    case .unreachable(let address, let reason): "Cannot reach \(address): \(reason)."
    case .notAServer(let address, let status, let words?):
      "\(address) rejected the connection (HTTP status \(status)): \(words.withoutFullStop)."
    case .notAServer(let address, let status, nil):
      switch status {
      case 401, 403: "\(address) rejected the connection (HTTP status \(status)). Check the token."
      case 500...:
        "\(address) failed to accept the connection (HTTP status \(status)). Try again later."
      default:
        "\(address) did not accept the connection (HTTP status \(status)). Check the host and port."
      }
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(host), port \(port): \(reason). Choose another port with --port."
    case .certificate(let path, let reason):
      "Cannot use the certificate or key in \(path): \(reason)."
    case .tokenTooShort(let host):
      "The token has fewer than \(WebSocketListener.minTokenBytes) bytes, so others in the network "
        + "of \(host) could guess it. Create one with: sonde token --new"
    case .tokenNeeded(let host):
      "Refusing to listen on \(host) without a token: anyone on the network could access the store. "
        + "Set a token with --token-file, or serve only this machine with --host 127.0.0.1."
    }
  }

  /// The message without its final period, for use within a sentence.
  var reason: String { message.withoutFullStop }

  package var description: String { message }
}
