import NIOCore

/// Whether what was sent over a connection still leaves it: who takes a long message slowly is there,
/// although nothing else can be said to them or heard from them.
struct Outflow {
  /// Less than this since it was asked before is no slow line but somebody who holds on to what they
  /// do not want, in bytes.
  private static let least = 64 << 10

  private var left = 0

  /// Whether more has left than was to be since this was asked before.
  mutating func flows(_ channel: any Channel) -> Bool {
    let now = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let gone = left - now
    if gone < Self.least, now > 0, now <= left { return false }
    left = now
    return gone >= Self.least
  }
}
