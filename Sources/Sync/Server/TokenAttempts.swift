import Synchronization

/// Wrong tokens by the address that they came from: each is answered later than the one before.
package final class TokenAttempts: Sendable {
  private struct Peer {
    var count = 0
    /// Answers that are still held back.
    var pending = 0
    var last: ContinuousClock.Instant
  }

  /// Answers that are held back at a time for one address; while there are as many, no token from
  /// there is looked at.
  private static let maxPending = 5
  /// The first delay, in milliseconds; each further one is twice as long.
  private static let firstDelay: Int64 = 250
  private static let maxDelay: Int64 = 8_000
  /// After so long without another one, wrong tokens are forgotten.
  private static let memory = Duration.seconds(600)
  /// Addresses that are remembered.
  private static let maxPeers = 10_000

  private let peers = Mutex<[String: Peer]>([:])

  package init() {}

  /// How long an address has to wait before a token from there is looked at, in seconds; nil when
  /// there is nothing to wait for.
  package func wait(for address: String?) -> Int? {
    peers.withLock { peers in
      guard let peer = peers[address ?? ""], peer.pending >= Self.maxPending else { return nil }
      return Int(Self.delay(peer.count) / 1_000) + 1
    }
  }

  /// Notes a wrong token. ``finished(from:)`` is to be called when it has been answered.
  ///
  /// - Returns: How many came from there, and how long the answer is held back, in milliseconds.
  package func failed(
    from address: String?, at now: ContinuousClock.Instant = .now
  ) -> (count: Int, delay: Int64) {
    peers.withLock { peers in
      if peers.count >= Self.maxPeers { peers = peers.filter { $0.value.pending > 0 } }
      var peer = peers[address ?? ""] ?? Peer(last: now)
      if now - peer.last > Self.memory { peer.count = 0 }
      peer.count += 1
      peer.pending += 1
      peer.last = now
      peers[address ?? ""] = peer
      return (peer.count, Self.delay(peer.count))
    }
  }

  package func finished(from address: String?) {
    peers.withLock { $0[address ?? ""]?.pending -= 1 }
  }

  private static func delay(_ count: Int) -> Int64 {
    min(maxDelay, firstDelay << Int64(min(count - 1, 10)))
  }
}
