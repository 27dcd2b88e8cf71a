import InstaQL
import LiveQueries
import Triples

/// One distinct query on a server: who hears of it, and what they heard last.
struct ServedQuery {
  /// A session that waits for the first answer.
  struct Waiter {
    let session: String
    let eventID: String?
    let original: Value
    /// When it was asked, in milliseconds of the server's stopwatch.
    let since: Int64
  }

  /// The answer that was told last.
  struct Told {
    /// Every transaction up to this one is in it.
    var processed: Int
    let digest: UInt64
    /// The text, when it is short enough to be kept for those who come later.
    let text: WrittenResult?
    let answer: LiveAnswer
  }

  /// A longer text is written anew for those who come later, in bytes.
  static let longestKept = 32 << 10

  /// Tells this one from another that was served under the same query before.
  let number: Int
  /// The manager's name for it, once it is subscribed there.
  var subscription: SubscriptionID?
  /// Reads the results.
  var reading: Task<Void, Never>?
  /// Sessions that have been answered and hear of changes.
  var listeners: Set<String> = []
  var waiting: [Waiter] = []
  /// Sessions that wait and asked the same once more.
  private var repeats: [Waiter] = []
  private(set) var told: Told?

  init(number: Int) {
    self.number = number
  }

  var isUnused: Bool { listeners.isEmpty && waiting.isEmpty }

  /// More than these are not kept in mind; who asks so often does not listen anyway.
  private static let mostRepeats = 1_000

  /// Notes that a session asked once more.
  /// - Returns: False when it does not wait, and so can be told at once.
  mutating func note(again waiter: Waiter) -> Bool {
    guard waiting.contains(where: { $0.session == waiter.session }),
      repeats.count < Self.mostRepeats
    else { return false }
    repeats.append(waiter)
    return true
  }

  /// Takes out what a session asked once more.
  mutating func takeRepeats(of session: String) -> [Waiter] {
    if repeats.isEmpty { return [] }
    defer { repeats.removeAll { $0.session == session } }
    return repeats.filter { $0.session == session }
  }

  /// Notes an answer.
  /// - Returns: Whether those who listen have to be told.
  mutating func take(_ result: DigestedResult, of answer: LiveAnswer) -> Bool {
    let processed = answer.snapshot.transactionID
    if told?.digest == result.digest {
      told?.processed = processed
      return false
    }
    let isShort = result.written.result.utf8.count <= Self.longestKept
    told = Told(
      processed: processed, digest: result.digest, text: isShort ? result.written : nil,
      answer: answer)
    return true
  }

  /// An error was told: whatever comes next is news.
  mutating func forgetTold() { told = nil }
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
