import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counts the wrong tokens from each client address, and delays each error longer than the previous
/// one.
///
/// All IPv6 addresses of one network (/64) count as one, since a client can use any of them.
package final class TokenAttempts: Sendable {
  private struct Peer {
    var count = 0
    /// The number of errors whose sending is being delayed.
    var pending = 0
    var last: ContinuousClock.Instant
  }

  /// The maximum number of delayed errors for each address. While an address has that many, its
  /// tokens are not checked.
  private static let maxPending = 5
  /// The first delay in milliseconds; each further delay is twice as long.
  private static let firstDelay: Int64 = 250
  private static let maxDelay: Int64 = 8_000
  /// The duration after which wrong tokens are forgotten.
  private static let memory = Duration.seconds(600)
  /// The maximum number of addresses to remember.
  private static let maxPeers = 10_000

  private let peers = Mutex<[String: Peer]>([:])

  package init() {}

  /// Returns the number of seconds until tokens from an address are checked again. Nil if they are
  /// checked now.
  package func wait(for address: String?) -> Int? {
    peers.withLock { peers in
      guard let peer = peers[Self.origin(address)], peer.pending >= Self.maxPending else {
        return nil
      }
      return Int(Self.delay(peer.count) / 1_000) + 1
    }
  }

  /// Records a wrong token. Call ``finished(from:)`` after sending the error.
  ///
  /// - Returns: The number of wrong tokens from the address, and the delay in milliseconds.
  package func failed(
    from address: String?, at now: ContinuousClock.Instant = .now
  ) -> (count: Int, delay: Int64) {
    peers.withLock { peers in
      let origin = Self.origin(address)
      if peers.count >= Self.maxPeers, peers[origin] == nil { Self.forgetOldest(&peers) }
      var peer = peers[origin] ?? Peer(last: now)
      if now - peer.last > Self.memory { peer.count = 0 }
      peer.count += 1
      peer.pending += 1
      peer.last = now
      peers[origin] = peer
      return (peer.count, Self.delay(peer.count))
    }
  }

  package func finished(from address: String?) {
    peers.withLock { $0[Self.origin(address)]?.pending -= 1 }
  }

  /// Removes the half of the addresses whose last attempts are the oldest.
  private static func forgetOldest(_ peers: inout [String: Peer]) {
    let times = peers.values.map(\.last).sorted()
    let middle = times[times.count / 2]
    peers = peers.filter { $0.value.pending > 0 || $0.value.last > middle }
  }

  /// Returns the address under which wrong tokens are counted. For IPv6, this is the network.
  private static func origin(_ address: String?) -> String {
    guard let address else { return "" }
    var bytes = in6_addr()
    guard address.contains(":"), inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    let octets = withUnsafeBytes(of: bytes) { Array($0) }
    // IPv4 addresses mapped to IPv6 only differ in their last four bytes.
    let isMapped = octets.prefix(10).allSatisfy { $0 == 0 } && octets[10...11] == [255, 255]
    return isMapped
      ? address : octets.prefix(8).map { String($0, radix: 16) }.joined(separator: ".")
  }

  private static func delay(_ count: Int) -> Int64 {
    min(maxDelay, firstDelay << Int64(min(count - 1, 10)))
  }
}
