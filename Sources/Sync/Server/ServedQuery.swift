import InstaQL
import LiveQueries
import Triples

/// One distinct query on a server: who hears of it, and what each of them heard last.
struct ServedQuery {
  /// A session that waits for the first answer.
  struct Waiter {
    let session: String
    let eventID: String?
    let original: Value
    /// When it was asked, in milliseconds of the server's stopwatch.
    let since: Int64
  }

  /// The answer that was written last.
  struct Told {
    /// Every transaction up to this one is in it.
    var processed: Int
    let digest: UInt64
    /// The text, when it is short enough to be kept for those who come later.
    let text: WrittenResult?
    let bytes: Int
  }

  /// A longer text is written anew for those who come later, in bytes.
  static let maxKeptBytes = 32 << 10

  /// Tells this one from another that was served under the same query before.
  let number: Int
  /// The manager's name for it, once it is subscribed there.
  var subscription: SubscriptionID?
  /// Reads the results.
  var reading: Task<Void, Never>?
  /// Sessions that have been answered and hear of changes, with the digest of what each was sent
  /// last; nil after a failure.
  var listeners: [String: UInt64?] = [:]
  var waiting: [Waiter] = []
  /// Sessions that wait and asked the same once more.
  private var repeats: [Waiter] = []
  /// The newest answer, written or not; nil before the first one and after a failure.
  var newest: LiveAnswer?
  /// Whether the newest answer has not been written: every reader is too slow to be sent it now.
  var isUnwritten = false
  /// An answer is being written.
  var isWriting = false
  private(set) var told: Told?

  init(number: Int) {
    self.number = number
  }

  var isUnused: Bool { listeners.isEmpty && waiting.isEmpty }

  /// More than these are not kept in mind; who asks so often does not listen anyway.
  private static let maxRepeats = 1_000

  /// Notes that a session asked once more.
  /// - Returns: False when it does not wait, and so can be told at once.
  mutating func note(again waiter: Waiter) -> Bool {
    guard waiting.contains(where: { $0.session == waiter.session }),
      repeats.count < Self.maxRepeats
    else { return false }
    repeats.append(waiter)
    return true
  }

  /// Removes and returns what a session asked once more.
  mutating func takeRepeats(of session: String) -> [Waiter] {
    if repeats.isEmpty { return [] }
    defer { repeats.removeAll { $0.session == session } }
    return repeats.filter { $0.session == session }
  }

  /// Notes an answer that was written.
  mutating func note(_ result: DigestedResult, of answer: LiveAnswer) {
    let bytes = result.written.result.utf8.count
    told = Told(
      processed: answer.snapshot.transactionID, digest: result.digest,
      text: bytes <= Self.maxKeptBytes ? result.written : nil, bytes: bytes)
  }

  /// The text of the newest answer, if it is kept.
  var keptText: WrittenResult? { isUnwritten ? nil : told?.text }

  /// Notes that the query failed: whatever comes next is news.
  mutating func forgetAnswers() {
    told = nil
    newest = nil
    isUnwritten = false
    for session in listeners.keys { listeners[session] = .some(nil) }
  }
}

/// A written result, and a number by which equal ones are known.
struct DigestedResult: Sendable {
  let written: WrittenResult
  let digest: UInt64

  init(_ written: WrittenResult) {
    self.written = written
    digest = Self.digest(
      of: written.result, from: Self.digest(of: written.meta ?? "", from: Self.seed))
  }

  /// Not to be guessed, so that nobody makes two answers look alike.
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

  /// Every bit of the input has a say in every bit of the answer.
  private static func mix(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
