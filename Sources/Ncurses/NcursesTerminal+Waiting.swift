internal import CTerminal
package import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Waits for keys, signals and wakers in a single `poll`.
extension NcursesTerminal {
  static let readBytes = 16_384
  /// The maximum length of a single key in bytes.
  private static let bytesOfKey = 32
  /// The maximum number of one-millisecond waits for further input. Keys that arrive in quick
  /// succession then produce only one frame.
  private static let maxWaitsForPieces = 3
  /// The maximum number of bytes to process at a time, which is more than a person types.
  ///
  /// Further bytes are read after a frame has been drawn and signals have been checked.
  private static let maxBytesPerTurn = 1 << 14
  /// The maximum time to wait for the terminal's answers.
  private static let answerTimeout = Duration.milliseconds(150)

  package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
    while true {
      var events = waiting
      waiting.removeAll()
      let next = [deadline, decoder.deadline].compactMap(\.self).min()
      readEvents(within: events.isEmpty ? Self.milliseconds(until: next) : 0, into: &events)
      decoder.expire(at: .now, into: &events)
      events += waiting
      waiting.removeAll()
      if !events.isEmpty { return events.map(clamped) }
      if let deadline, deadline <= .now { return [] }
    }
  }

  /// Queries the terminal's background color (OSC 11) and waits for the answer.
  ///
  /// Keys that arrive meanwhile are kept. The wait is noticeable on slow connections, so draw
  /// something before it.
  ///
  /// - Returns: The appearance of themes that fit the background; nil if it is unknown.
  package func askAppearance() -> Theme.Appearance? {
    guard profile.isModern else { return profile.appearance }
    send(TerminalAnswer.question)
    let deadline = ContinuousClock.now + Self.answerTimeout
    while !decoder.hasIdentified, ContinuousClock.now < deadline, !waiting.contains(.hangup) {
      var events: [TerminalEvent] = []
      readEvents(within: Self.milliseconds(until: deadline), into: &events)
      waiting += events
    }
    return decoder.appearance ?? profile.appearance
  }

  /// Returns the milliseconds until the deadline, rounded up; -1 if there is no deadline.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    if left <= .zero { return 0 }
    let (seconds, attoseconds) = left.components
    if seconds >= Int64(Int32.max) / 1_000 { return .max }
    let parts = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(seconds * 1_000 + parts)
  }

  private func readEvents(within timeout: Int32, into events: inout [TerminalEvent]) {
    var sources = [STDIN_FILENO, signalPipe.readEnd, pipeWaker.readEnd].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&sources, nfds_t(sources.count), timeout)
    guard count > 0 else { return }
    // Input is read before signals, because the user typed it before they arrived.
    if sources[0].revents != 0 { readInput(into: &events) }
    if sources[1].revents != 0 { readSignals(into: &events) }
    if sources[2].revents != 0 {
      pipeWaker.drainPipe()
      events.append(.wake)
    }
  }

  private func readInput(into events: inout [TerminalEvent]) {
    var total = 0
    var count = 0
    var waits = 0
    repeat {
      count = input.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      if count <= 0 {
        // The input has ended or failed, so no more will follow.
        events.append(.hangup)
        return
      }
      total += count
      decoder.feed(input[..<count], at: .now, into: &events)
      // A single key needs no further wait. Input that arrives in pieces may continue.
    } while (count >= Self.bytesOfKey || events.count > 1) && total < Self.maxBytesPerTurn
      && isMoreInput(afterWaits: &waits)
  }

  private func isMoreInput(afterWaits waits: inout Int) -> Bool {
    if isInputReady(within: 0) { return true }
    guard waits < Self.maxWaitsForPieces else { return false }
    waits += 1
    return isInputReady(within: 1)
  }

  private func isInputReady(within milliseconds: Int32) -> Bool {
    var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&source, 1, milliseconds) > 0 && source.revents & Int16(POLLIN) != 0
  }

  private func readSignals(into events: inout [TerminalEvent]) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(signalPipe.readEnd, &bytes, bytes.count)
    guard count > 0 else { return }
    var isResized = false
    for byte in bytes[..<count] {
      switch Int32(byte) {
      case SIGWINCH: isResized = true
      case SIGTSTP: suspend()
      case SIGCONT: resume()
      case let signal:
        ct_signals_seen()
        events.append(.terminate(signal))
      }
    }
    if isResized, updateSize() { events.append(.resize(size)) }
  }

  /// Returns the event with its mouse position limited to the screen.
  ///
  /// The screen may have been larger when the position was reported.
  private func clamped(_ event: TerminalEvent) -> TerminalEvent {
    guard case .mouse(var mouse) = event else { return event }
    mouse.row = min(mouse.row, max(0, size.rows - 1))
    mouse.column = min(mouse.column, max(0, size.columns - 1))
    return .mouse(mouse)
  }
}
