import Dispatch
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A simulated terminal. For each step, it waits for a frame with certain texts, records the time,
/// and sends the next events.
final class TimedTerminal: Terminal {
  struct Step {
    /// The texts that a frame must contain, in their order on the screen.
    let awaited: [String]
    /// The events to send after that frame.
    let events: [TerminalEvent]
  }

  let size = Size(columns: 120, rows: 40)
  var isMouseOn = false
  var usesPlainDrawings = false
  /// For each step, the time when the events before it were sent, and the time when its frame
  /// appeared; in milliseconds of ``Timing/now()``.
  private(set) var times: [(typed: Double, seen: Double)] = []

  /// The pause before events are sent, so that earlier work can finish.
  static let rest = Duration.milliseconds(100)

  private var steps: ArraySlice<Step>
  private var typed = Timing.now()
  private var events: [TerminalEvent] = []
  private let bell = SemaphoreWaker()

  /// Creates a terminal with steps. After the last one, it asks the program to exit.
  init(_ steps: [Step]) { self.steps = steps[...] }

  var waker: any Waker { bell }

  func draw(_ frame: Frame, theme: Theme) {
    let now = Timing.now()
    guard let step = steps.first, Self.shows(frame.text, step.awaited) else { return }
    times.append((typed, now))
    steps.removeFirst()
    events += steps.isEmpty ? [.hangup] : step.events
  }

  private static func shows(_ screen: String, _ texts: [String]) -> Bool {
    var rest = screen[...]
    for text in texts {
      guard let range = rest.firstRange(of: text) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
    if !events.isEmpty {
      pause(Self.rest)
      let all = events
      events = []
      typed = Timing.now()
      return all
    }
    guard let deadline else {
      bell.semaphore.wait()
      return [.wake]
    }
    let left = ContinuousClock.now.duration(to: deadline).components
    let nanoseconds = max(0, left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000)
    let isCalled = bell.semaphore.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    return isCalled == .success ? [.wake] : []
  }

  func redraw() {}
  func suspend() {}
  func copy(_ text: String) -> Bool { false }
  func setTitle(_ title: String) {}
  func ring() {}
  func run(
    _ arguments: [String], variables: [String: String]
  ) throws(TerminalError) -> Int32 { 0 }
}

private final class SemaphoreWaker: Waker {
  let semaphore = DispatchSemaphore(value: 0)

  func wake() { semaphore.signal() }
}
