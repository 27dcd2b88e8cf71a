private import Synchronization

/// A terminal for tests: events go in by hand, frames are kept.
package final class ScriptedTerminal: Terminal {
  package private(set) var size: Size
  package var isMouseOn = true
  /// Every frame that was drawn, oldest first.
  package private(set) var frames: [Frame] = []
  package private(set) var copied: [String] = []
  package private(set) var titles: [String] = []
  package private(set) var programs: [[String]] = []
  package private(set) var suspensions = 0
  package private(set) var redraws = 0
  package private(set) var rings = 0
  /// The deadlines that `wait` was called with.
  package private(set) var deadlines: [ContinuousClock.Instant?] = []
  /// What `run` answers.
  package var exitStatus: Int32 = 0

  private var batches: [[TerminalEvent]]
  private let bell = ScriptedWaker()

  /// - Parameter batches: what each `wait` returns, in order; after the last comes `hangup`. An empty
  ///   batch is a deadline that has come.
  package init(size: Size, batches: [[TerminalEvent]] = []) {
    self.size = size
    self.batches = batches
  }

  /// A terminal on which each key is pressed for itself.
  package convenience init(size: Size, keys: [Key]) {
    self.init(size: size, batches: keys.map { [.key($0)] })
  }

  package var waker: any Waker { bell }
  package var lastFrame: Frame? { frames.last }

  package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
    deadlines.append(deadline)
    let woken: [TerminalEvent] = bell.takeCall() ? [.wake] : []
    guard !batches.isEmpty else { return woken.isEmpty ? [.hangup] : woken }
    let events = batches.removeFirst()
    for case .resize(let size) in events { self.size = size }
    return events + woken
  }

  package func draw(_ frame: Frame, theme: Theme) { frames.append(frame) }
  package func redraw() { redraws += 1 }
  package func ring() { rings += 1 }
  package func setTitle(_ title: String) { titles.append(title) }

  package func suspend() {
    suspensions += 1
    batches.insert([.resumed], at: 0)
  }

  package func copy(_ text: String) -> Bool {
    guard text.utf8.count <= TerminalLimits.clipboardBytes else { return false }
    copied.append(text)
    return true
  }

  package func run(_ arguments: [String]) throws(TerminalError) -> Int32 {
    programs.append(arguments)
    return exitStatus
  }
}

private final class ScriptedWaker: Waker {
  private let isCalled = Atomic(false)

  func wake() { isCalled.store(true, ordering: .releasing) }
  func takeCall() -> Bool { isCalled.exchange(false, ordering: .acquiring) }
}
