import Triples

/// Why a server cannot be called or opened.
package enum WebSocketError: Error, Hashable, Sendable {
  case address(String, reason: String)
  case unreachable(ServerAddress, reason: String)
  /// The server answered, but opens no session there.
  case notAServer(ServerAddress, status: Int, said: String?)
  case cannotListen(host: String, port: Int, reason: String)
  case certificate(path: String, reason: String)
  /// An address that others reach, and no token.
  case tokenNeeded(host: String)
  /// The same with a token that could be guessed.
  case tokenTooShort(host: String)
}

extension WebSocketError: CustomStringConvertible {
  /// One sentence: where, what, and what to do next.
  package var message: String {
    switch self {
    case .address(let text, let reason): "'\(text)' is no address of a server: \(reason)."
    case .unreachable(let address, let reason): "Cannot reach \(address): \(reason)."
    case .notAServer(let address, let status, let words?):
      "\(address) refuses the session (HTTP status \(status)): \(words.withoutFullStop)."
    case .notAServer(let address, let status, nil):
      "\(address) does not speak this protocol (HTTP status \(status)). Check host and port."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(host), port \(port): \(reason). Choose another with --port."
    case .certificate(let path, let reason):
      "The certificate or key in \(path) cannot be used: \(reason)."
    case .tokenTooShort(let host):
      "The token has fewer than \(WebSocketListener.minTokenBytes) bytes, and could be guessed by others "
        + "in the network of \(host). Make one with: sonde token --new"
    case .tokenNeeded(let host):
      "Everybody in the network could read and change the store at \(host). "
        + "Set a token with --token-file, or serve this machine only with --host 127.0.0.1."
    }
  }

  /// The same without a full stop, to stand within a sentence.
  var reason: String { message.withoutFullStop }

  package var description: String { message }
}
