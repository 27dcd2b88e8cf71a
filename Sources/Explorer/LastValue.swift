import Synchronization

/// The last value computed from an input, which is computed again only if the input differs.
///
/// The input must contain everything that the computation reads. Copies of the owner share the
/// value, which is safe because each access compares the input.
final class LastValue<Input: Equatable & Sendable, Value: Sendable>: Sendable, Equatable {
  /// A value with its input, on the heap so that reading it copies only a reference.
  private final class Entry: Sendable {
    let input: Input
    let value: Value

    init(_ input: Input, _ value: Value) { (self.input, self.value) = (input, value) }
  }

  private let last = Mutex<Entry?>(nil)

  /// Returns the value of an input, from the last access or else computed by `work`.
  func callAsFunction(of input: Input, _ work: () -> Value) -> Value {
    if let last = last.withLock({ $0 }), last.input == input { return last.value }
    let value = work()
    let entry = Entry(input, value)
    last.withLock { $0 = entry }
    return value
  }

  /// Always returns true, since a cache does not affect equality.
  static func == (a: LastValue, b: LastValue) -> Bool { true }
}
