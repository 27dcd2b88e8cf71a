package import Sync
package import WebSockets

extension ServerLimits {
  /// For clients of a machine that is busy with other tests: slow clients are not disconnected.
  package static let patient: ServerLimits = {
    var limits = ServerLimits()
    limits.openingTime = 600_000
    limits.answerTime = 600_000
    return limits
  }()
}

extension ClientTimeouts {
  /// For the same servers.
  package static let endless: ClientTimeouts = {
    var timeouts = ClientTimeouts()
    (timeouts.opening, timeouts.answer, timeouts.confirmation) = (600_000, 600_000, 600_000)
    return timeouts
  }()
}

extension WebSocketListener.Configuration {
  /// On a port of its own, and for the same clients.
  package static let patient: WebSocketListener.Configuration = {
    var configuration = WebSocketListener.Configuration()
    configuration.silenceTimeout = 600
    return configuration
  }()
}

extension WebSocketClient {
  /// One that waits for a server as long as it takes.
  package static func patient(_ address: ServerAddress) -> WebSocketClient {
    WebSocketClient(address, timeout: .seconds(600))
  }
}
