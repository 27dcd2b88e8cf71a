import LiveQueries
import TerminalUI
import Widgets

/// The progress of loading a store, shown in place of the rows until they are loaded.
///
///     Opening tasks.sonde
///     ███████████░░░░░░░░░  57%
///     3,480,000 of 6,100,000 rows · 1,200,000 a second · 2 s left
///     ctrl-c cancel
struct LoadingProgressView: Sendable, Equatable {
  /// The newest progress; nil if none was reported, for example while connecting to a server.
  private var newest: LoadingProgress?
  /// The time and progress at the first tick of this stage.
  private var begin: Mark?
  private var now: ContinuousClock.Instant?

  private struct Mark: Sendable, Equatable {
    let time: ContinuousClock.Instant
    let done: Int
  }

  init(_ progress: LoadingProgress?) { newest = progress }

  mutating func showProgress(_ progress: LoadingProgress?) {
    // A new stage of loading counts in another unit or starts again, and has its own rate.
    if progress?.unit != newest?.unit || (progress?.done ?? 0) < (newest?.done ?? 0) { begin = nil }
    newest = progress
  }

  mutating func tick(_ now: ContinuousClock.Instant) {
    self.now = now
    if begin == nil { begin = Mark(time: now, done: newest?.done ?? 0) }
  }

  /// The progress in percent; nil if the total is unknown.
  var percent: Int? { newest?.fraction.map { Int($0 * 100) } }

  /// The number of bytes or rows per second; nil until it can be measured.
  private var rate: Double? {
    guard let newest, let begin, let now, now - begin.time >= Self.minRateInterval,
      newest.done > begin.done
    else { return nil }
    return Double(newest.done - begin.done) / ((now - begin.time) / .seconds(1))
  }

  /// The minimum time over which the rate is measured, since it fluctuates at first.
  private static let minRateInterval = Duration.milliseconds(200)

  /// The progress, the rate and the remaining time as text.
  private var words: String {
    guard let newest else { return "" }
    var text = [newest.done, newest.total].compactMap { $0 }.map { newest.unit.text($0) }
      .joined(separator: " of ")
    if newest.unit == .rows { text += " rows" }
    guard let rate else { return text }
    text += " · \(newest.unit.text(Int(min(1e15, rate)))) a second"
    guard let total = newest.total, total > newest.done else { return text }
    let left = Int64(min(1e9, Double(total - newest.done) / rate))
    return text + (left < 1 ? " · almost done" : " · \(NumberText.grouped(left)) s left")
  }

  private static let maxBarWidth = 40

  /// Draws the progress.
  ///
  /// - Parameter name: The name or address of the store.
  func draw(_ name: String, _ keys: KeyNames, into frame: inout Frame, area: Rect) {
    let width = max(0, area.columns - 2)
    let isServer = name.contains("://")
    var lines: [(text: String, role: Role)] = [
      ("\(isServer ? "Connecting to" : "Opening") \(name)", .text)
    ]
    if let percent {
      let room = max(0, min(Self.maxBarWidth, width - 7))
      let filled = room * percent / 100
      let bar =
        String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
      lines.append(("\(bar)  \(percent)%", .progress))
    }
    if newest != nil || isServer {
      let words = isServer ? "No answer yet" : words
      lines += TextLines.wrapped(words, width: max(1, width), limit: 3).map { ($0, .dim) }
    }
    lines += [(keys.line(.cancelLoading), .dim)]
    for (number, line) in lines.prefix(max(0, area.rows)).enumerated() {
      frame.write(line.text, line.role, in: area.line(number))
    }
  }
}

extension LoadingProgress.Unit {
  /// Returns a count as text: bytes with their unit, rows as a plain number.
  fileprivate func text(_ count: Int) -> String {
    switch self {
    case .bytes: NumberText.bytes(count)
    case .rows: NumberText.grouped(count)
    }
  }
}
