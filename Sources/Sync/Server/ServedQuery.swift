import InstaQL
import LiveQueries
import Triples

/// A distinct query on a server. It has the query's subscribers, and the last answer that each of
/// them received.
struct ServedQuery {
  /// A session that waits for the first answer to the query.
  struct Waiter {
    let session: String
    let eventID: String?
    let original: Value
    /// The time of the subscription, in milliseconds of the server's stopwatch.
    let since: Int64
  }

  /// The answer that was encoded last.
  struct LastAnswer {
    /// The newest transaction that the answer includes.
    var processed: Int
    let digest: UInt64
    /// The text of the answer, which is kept for later subscribers if it is short; otherwise nil.
    let text: WrittenResult?
    let bytes: Int
  }

  /// The maximum size in bytes of an answer whose text is kept for later subscribers.
  static let maxKeptBytes = 32 << 10

  /// The number of this query. It distinguishes the query from an equal one that ended earlier.
  let number: Int
  /// The subscription in the query manager; nil until it exists.
  var subscription: SubscriptionID?
  /// Passes the newest result from the query manager to the server. Nil until the query is
  /// subscribed.
  var results: NewestResult?
  /// The sessions that received an answer, with the digest of their last answer. The digest is nil
  /// after a failure.
  var listeners: [String: UInt64?] = [:]
  var waiting: [Waiter] = []
  /// Repeated subscriptions, by sessions that still wait for the first answer.
  private var repeats: [Waiter] = []
  /// The newest answer, which may not be encoded yet. Nil before the first answer, and after a
  /// failure.
  var newest: LiveAnswer?
  /// Whether the newest answer has not been encoded yet, because no reader has had room for it.
  var isUnwritten = false
  /// Whether an answer is being encoded.
  var isWriting = false
  private(set) var lastAnswer: LastAnswer?

  init(number: Int) {
    self.number = number
  }

  var isUnused: Bool { listeners.isEmpty && waiting.isEmpty }

  /// The maximum number of repeated subscriptions that are remembered.
  private static let maxRepeats = 1_000

  /// Records a repeated subscription.
  ///
  /// - Returns: False if the session is not waiting for the first answer, so that the server can
  ///   answer it immediately.
  mutating func recordRepeat(_ waiter: Waiter) -> Bool {
    guard waiting.contains(where: { $0.session == waiter.session }),
      repeats.count < Self.maxRepeats
    else { return false }
    repeats.append(waiter)
    return true
  }

  /// Removes and returns the repeated subscriptions of a session.
  mutating func removeRepeats(of session: String) -> [Waiter] {
    if repeats.isEmpty { return [] }
    defer { repeats.removeAll { $0.session == session } }
    return repeats.filter { $0.session == session }
  }

  /// Records that this answer was encoded last.
  mutating func recordAnswer(_ result: DigestedResult, of answer: LiveAnswer) {
    let bytes = result.written.result.utf8.count
    lastAnswer = LastAnswer(
      processed: answer.snapshot.transactionID, digest: result.digest,
      text: bytes <= Self.maxKeptBytes ? result.written : nil, bytes: bytes)
  }

  /// The text of the newest answer. Nil if the text is too long to keep, or if the answer is not
  /// encoded yet.
  var keptText: WrittenResult? { isUnwritten ? nil : lastAnswer?.text }

  /// Forgets all answers after a failure, so that the next answer is sent even if it is equal.
  mutating func forgetAnswers() {
    lastAnswer = nil
    newest = nil
    isUnwritten = false
    for session in listeners.keys { listeners[session] = .some(nil) }
  }
}

/// An encoded result with its digest. Equal digests mean equal results.
struct DigestedResult: Sendable {
  let written: WrittenResult
  let digest: UInt64

  init(_ written: WrittenResult) {
    self.written = written
    digest = Self.digest(
      of: written.result, from: Self.digest(of: written.meta ?? "", from: Self.seed))
  }

  /// A random seed. It prevents clients from constructing different results with equal digests.
  private static let seed = UInt64.random(in: .min ... .max)

  private static func digest(of text: String, from seed: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = seed ^ UInt64(bytes.count)
      let raw = UnsafeRawBufferPointer(bytes)
      var place = 0
      while place + 8 <= raw.count {
        let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        hash = mix(hash ^ word)
        place += 8
      }
      while place < raw.count {
        hash = mix(hash ^ UInt64(raw[place]))
        place += 1
      }
      return hash
    }
  }

  /// Mixes the bits, so that each input bit affects every output bit.
  private static func mix(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
