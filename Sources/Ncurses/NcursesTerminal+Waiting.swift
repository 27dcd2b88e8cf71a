internal import CTerminal
package import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Waiting for keys, signals and wakers, all in one `poll`.
extension NcursesTerminal {
  static let readBytes = 16_384
  /// No key sends so many.
  private static let bytesOfKey = 32
  /// Keys that are sent at once may come in pieces. So often in one turn the next piece is waited for,
  /// a millisecond each time, so that all of them make one frame.
  private static let mostWaitsForPieces = 3
  /// So much input is taken at a time, which nobody types; more waits until a frame was drawn and it was
  /// looked whether a signal came.
  private static let mostBytesInOneTurn = 1 << 14
  /// How long the terminal may take to say what it is like.
  private static let answerPatience = Duration.milliseconds(150)

  package func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
    while true {
      var events = waiting
      waiting.removeAll()
      let next = [deadline, decoder.deadline].compactMap(\.self).min()
      take(within: events.isEmpty ? Self.milliseconds(until: next) : 0, into: &events)
      decoder.expire(at: .now, into: &events)
      events += waiting
      waiting.removeAll()
      if !events.isEmpty { return events.map(clamped) }
      if let deadline, deadline <= .now { return [] }
    }
  }

  /// Asks the terminal what is behind its text, and waits for the answer as long as a terminal may
  /// take for it; keys that come meanwhile are kept.
  ///
  /// Far away that is seen: draw something first.
  ///
  /// - Returns: Which kind of theme fits; nil when nobody knows.
  package func askAppearance() -> Theme.Appearance? {
    guard profile.isModern else { return profile.appearance }
    send(TerminalAnswer.question)
    let deadline = ContinuousClock.now + Self.answerPatience
    while !decoder.hasIdentified, ContinuousClock.now < deadline, !waiting.contains(.hangup) {
      var events: [TerminalEvent] = []
      take(within: Self.milliseconds(until: deadline), into: &events)
      waiting += events
    }
    return decoder.appearance ?? profile.appearance
  }

  /// -1 waits for ever; parts of a millisecond are waited for.
  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    if left <= .zero { return 0 }
    let (seconds, attoseconds) = left.components
    if seconds >= Int64(Int32.max) / 1_000 { return .max }
    let parts = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(seconds * 1_000 + parts)
  }

  private func take(within timeout: Int32, into events: inout [TerminalEvent]) {
    var sources = [STDIN_FILENO, signalPipe.readEnd, pipeWaker.readEnd].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&sources, nfds_t(sources.count), timeout)
    guard count > 0 else { return }
    // Input before signals: what was typed before a signal came belongs before it.
    if sources[0].revents != 0 { readInput(into: &events) }
    if sources[1].revents != 0 { readSignals(into: &events) }
    if sources[2].revents != 0 {
      pipeWaker.takeCall()
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
        // The end of input, or an error: nobody will type here again.
        events.append(.hangup)
        return
      }
      total += count
      decoder.feed(input[..<count], at: .now, into: &events)
      // One key comes alone; only what comes in pieces may have another one behind it.
    } while (count >= Self.bytesOfKey || events.count > 1) && total < Self.mostBytesInOneTurn
      && isMoreInput(afterWaits: &waits)
  }

  private func isMoreInput(afterWaits waits: inout Int) -> Bool {
    if isInputReady(within: 0) { return true }
    guard waits < Self.mostWaitsForPieces else { return false }
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

  /// Reports may name cells of a screen that was larger a moment ago.
  private func clamped(_ event: TerminalEvent) -> TerminalEvent {
    guard case .mouse(var mouse) = event else { return event }
    mouse.row = min(mouse.row, max(0, size.rows - 1))
    mouse.column = min(mouse.column, max(0, size.columns - 1))
    return .mouse(mouse)
  }
}
