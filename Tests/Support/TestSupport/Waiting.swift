package import DataSourcesTesting
import Synchronization

/// The error of a wait that took too long. It names what was awaited and what was there instead.
package struct WaitedInVain: Error, CustomStringConvertible {
  package let description: String

  fileprivate init(_ wanted: String, _ instead: String, _ timeout: Duration, _ place: String) {
    let end = instead.isEmpty ? "" : ", but \(instead)"
    description = "\(place): waited \(timeout) \(wanted)\(end)"
  }
}

/// The timeout of a wait. Machines that run many tests at a time are slow.
package let waitTimeout = Duration.seconds(60)

/// Returns what `body` returns, and cancels the test's task if that takes too long.
/// - Parameters:
///   - wanted: What is awaited, such as "the second answer".
///   - instead: What was there instead, a sentence; it is read after a wait in vain.
///   - body: A wait that ends when the task is canceled, such as a loop over a stream.
/// - Throws: ``WaitedInVain`` after `timeout`.
package func awaiting<Answer>(
  _ wanted: String, timeout: Duration = waitTimeout, instead: @autoclosure () -> String = "",
  file: String = #fileID, line: Int = #line, _ body: () async throws -> Answer
) async throws -> Answer {
  let wait = Wait()
  let alarm = Task {
    try await Task.sleep(for: timeout)
    wait.expire()
  }
  defer { alarm.cancel() }
  let result: Result<Answer, any Error>
  do { result = .success(try await body()) } catch { result = .failure(error) }
  guard wait.end() else {
    throw WaitedInVain("for \(wanted)", instead(), timeout, "\(file):\(line)")
  }
  return try result.get()
}

/// Waits until a condition is true, which it checks again and again.
/// - Parameter condition: The condition in words, such as "two tasks wait".
/// - Throws: ``WaitedInVain`` after `timeout`.
package func waitUntil(
  _ condition: String, timeout: Duration = waitTimeout,
  instead: @autoclosure () -> String = "", file: String = #fileID, line: Int = #line,
  _ isSo: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + timeout
  while !(try await isSo()) {
    guard ContinuousClock.now < deadline else {
      throw WaitedInVain("until \(condition)", instead(), timeout, "\(file):\(line)")
    }
    await Task.yield()
  }
}

extension AsyncIteratorProtocol {
  /// Returns the next element that satisfies a condition; nil when the sequence ends before it.
  /// - Throws: ``WaitedInVain`` after a minute.
  package mutating func next(
    _ wanted: String, file: String = #fileID, line: Int = #line,
    where isWanted: (Element) throws -> Bool
  ) async throws -> Element? {
    var (count, last): (Int, Element?) = (0, nil)
    return try await awaiting(wanted, instead: news(count, last), file: file, line: line) {
      while let element = try await next(isolation: #isolation) {
        if try isWanted(element) { return element }
        (count, last) = (count + 1, element)
      }
      return nil
    }
  }
}

extension AsyncSequence {
  /// Returns the first element that satisfies a condition; nil when the sequence ends before it.
  /// - Throws: ``WaitedInVain`` after a minute.
  package func first(
    _ wanted: String, file: String = #fileID, line: Int = #line,
    where isWanted: (Element) throws -> Bool
  ) async throws -> Element? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(wanted, file: file, line: line, where: isWanted)
  }

  /// The same sequence, which throws ``WaitedInVain`` when its next element or its end takes longer
  /// than a minute.
  /// - Parameter wanted: What a test awaits of the sequence, such as "three reports".
  package func awaited(
    _ wanted: String, file: String = #fileID, line: Int = #line
  ) -> AwaitedSequence<Self> {
    AwaitedSequence(base: self, wanted: wanted, file: file, line: line)
  }
}

extension Task {
  /// Returns the value of the task, and cancels the task if that takes too long.
  /// - Throws: ``WaitedInVain`` after a minute.
  package func awaited(
    _ wanted: String, file: String = #fileID, line: Int = #line
  ) async throws -> Success {
    try await awaiting(wanted, file: file, line: line) {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension ManualClock {
  /// Waits until at least `count` tasks sleep on this clock.
  /// - Throws: ``WaitedInVain`` after a minute.
  package func awaitSleepers(
    _ count: Int, file: String = #fileID, line: Int = #line
  ) async throws {
    try await awaiting("\(count) tasks that sleep", file: file, line: line) {
      await sleepers(count)
    }
  }
}

/// A sequence whose next element or end must come within a minute.
package struct AwaitedSequence<Base: AsyncSequence>: AsyncSequence {
  fileprivate let base: Base
  fileprivate let wanted: String
  fileprivate let file: String
  fileprivate let line: Int

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), wanted: wanted, file: file, line: line)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: Base.AsyncIterator
    fileprivate let wanted: String
    fileprivate let file: String
    fileprivate let line: Int
    fileprivate var count = 0
    fileprivate var last: Base.Element?

    package mutating func next() async throws -> Base.Element? {
      try await next(isolation: #isolation)
    }

    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Base.Element? {
      let (count, last) = (count, last)
      let element = try await awaiting(
        wanted, instead: news(count, last), file: file, line: line
      ) {
        try await base.next(isolation: #isolation)
      }
      (self.count, self.last) = (count + 1, element)
      return element
    }
  }
}

/// What a sequence has delivered, a sentence.
private func news<Element>(_ count: Int, _ last: Element?) -> String {
  guard let last else { return "nothing came" }
  return "element \(count) was \(summary(of: last))"
}

/// A description of a value, without content that may be a whole store.
private func summary(of value: some Any) -> String {
  if let value = value as? any CustomStringConvertible {
    return String(value.description.prefix(1_000))
  }
  let name = Mirror(reflecting: value).children.first?.label
  return (["\(type(of: value))"] + (name.map { [$0] } ?? [])).joined(separator: ".")
}

/// A wait of the current task, which is either over or has expired.
private final class Wait: Sendable {
  /// Sendable because the task is only canceled, under the lock, while it waits and so exists.
  private struct Waiter: @unchecked Sendable {
    let task: UnsafeCurrentTask?
  }

  private enum State {
    /// The task exists at least until its wait is over, and it is not retained longer.
    case going(Waiter)
    case over, expired
  }

  private let state = Mutex(State.going(Waiter(task: withUnsafeCurrentTask { $0 })))

  /// Cancels the task, unless the wait is over.
  func expire() {
    state.withLock { state in
      guard case .going(let waiter) = state else { return }
      waiter.task?.cancel()
      state = .expired
    }
  }

  /// Ends the wait. Returns false if it has expired.
  func end() -> Bool {
    state.withLock { state in
      if case .expired = state { return false }
      state = .over
      return true
    }
  }
}
