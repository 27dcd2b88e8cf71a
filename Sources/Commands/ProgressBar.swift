import LiveQueries
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Shows the progress of long work on a line of standard error. It is hidden if standard error is
/// not a terminal.
final class ProgressBar: Sendable {
  private let isShown = CommonOptions.isProgressShown && isatty(STDERR_FILENO) == 1
  private let state = Mutex(State())

  private struct State {
    var drawn = ""
  }

  private static let width = 30

  /// Returns a report that draws the bar after `title`.
  func report(_ title: String) -> ProgressReport {
    guard isShown else { return .unread }
    let title = TerminalSanitizer.line(title)
    return ProgressReport { progress in self.draw(Self.line(title, progress)) }
  }

  private static func line(_ title: String, _ progress: LoadingProgress) -> String {
    guard let fraction = progress.fraction else {
      return "\(title)  \(progress.done) \(progress.unit.rawValue)"
    }
    let filled = Int(fraction * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "\(title)  [\(bar)] \(Int(fraction * 100))%"
  }

  private func draw(_ line: String) {
    state.withLock { state in
      guard state.drawn != line else { return }
      state.drawn = line
      Self.send("\r\(line)\u{1B}[K")
    }
  }

  /// Shows a bar while `work` reads a store.
  static func during<Result: Sendable>(
    _ location: StoreLocation,
    _ work: @escaping @Sendable (ProgressReport) async throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bar = ProgressBar()
    defer { bar.end() }
    let report = bar.report("Reading " + location.name)
    return try waiting { () async throws(Failure) in try await work(report) }
  }

  /// Clears the bar, so that other output can follow.
  func end() {
    state.withLock { state in
      if !state.drawn.isEmpty { Self.send("\r\u{1B}[K") }
      state.drawn = ""
    }
  }

  private static func send(_ text: String) {
    // The bar is not essential, so errors of writing are ignored.
    _ = try? Output.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
