package import Sync
package import WebSockets

extension ServerLimits {
  /// Limits that do not disconnect clients of a machine that is busy with other tests.
  package static let forTests: ServerLimits = {
    var limits = ServerLimits()
    limits.openingTime = 600_000
    limits.answerTime = 600_000
    return limits
  }()
}

extension ClientTimeouts {
  /// Timeouts for a server on a busy machine.
  package static let forTests: ClientTimeouts = {
    var timeouts = ClientTimeouts()
    (timeouts.opening, timeouts.answer, timeouts.confirmation) = (600_000, 600_000, 600_000)
    return timeouts
  }()
}

extension WebSocketListener.Configuration {
  /// A free port, and a timeout for clients on a busy machine.
  package static let forTests: WebSocketListener.Configuration = {
    var configuration = WebSocketListener.Configuration()
    configuration.silenceTimeout = 600
    return configuration
  }()
}

extension WebSocketClient {
  /// A client with a timeout for a server on a busy machine.
  package static func forTests(_ address: ServerAddress) -> WebSocketClient {
    WebSocketClient(address, timeout: .seconds(600))
  }
}
