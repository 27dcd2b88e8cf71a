package import TerminalUI

/// Decodes the bytes from a terminal into events: keys, mouse, paste and focus.
///
/// It does not access a terminal: it receives bytes, in pieces of any size, with their arrival
/// times, and returns events. Unknown sequences are dropped as a whole, so that no part of them is
/// mistaken for typed keys.
///
/// - Source: ECMA-48 §5.4, xterm's ctlseqs, the kitty keyboard protocol.
package struct KeyDecoder {
  /// The maximum time to wait for more bytes after an escape byte. Without more bytes, the escape
  /// byte is the escape key.
  package static let escapeTimeout = Duration.milliseconds(25)
  /// The maximum time to wait for the rest of a sequence that a user cannot type.
  static let sequenceTimeout = Duration.milliseconds(500)
  /// The maximum pause within a paste. After a longer pause, the paste ends without its end marker.
  static let pasteTimeout = Duration.seconds(2)
  /// The maximum time between the two presses of a double click.
  static let doubleClickTime = Duration.milliseconds(400)
  /// A click within this time after the window gained focus is ignored, since it was meant to give
  /// focus.
  static let focusingTime = Duration.milliseconds(100)
  /// The maximum length of a sequence in bytes.
  static let maxSequenceBytes = 4_096

  /// The time at which to call `expire(at:into:)` if no byte arrives.
  package private(set) var deadline: ContinuousClock.Instant?

  /// The appearance that fits the terminal's background; nil until the terminal has reported it.
  package private(set) var appearance: Theme.Appearance?
  /// Whether the terminal has reported its device attributes. The device attributes are queried
  /// last, so no other answer follows.
  package private(set) var hasIdentified = false

  private var pending: [UInt8] = []
  private var head = 0
  private var paste: PasteBuffer?
  private var clicks = ClickCounter()

  package init() {}

  /// Decodes bytes that arrived at `now`.
  ///
  /// - Complexity: O(bytes).
  package mutating func feed(
    _ bytes: some Sequence<UInt8>, at now: ContinuousClock.Instant,
    into events: inout [TerminalEvent]
  ) {
    pending.append(contentsOf: bytes)
    decode(at: now, isFinal: false, into: &events)
  }

  /// Ends the wait for more bytes if the deadline has passed. A lone escape then becomes a key.
  package mutating func expire(
    at now: ContinuousClock.Instant, into events: inout [TerminalEvent]
  ) {
    guard let deadline, deadline <= now else { return }
    if let text = paste?.finish() {
      paste = nil
      pending.removeAll()
      head = 0
      if !text.isEmpty { events.append(.paste(text)) }
    }
    decode(at: now, isFinal: true, into: &events)
  }

  private mutating func decode(
    at now: ContinuousClock.Instant, isFinal: Bool, into events: inout [TerminalEvent]
  ) {
    deadline = nil
    while head < pending.count {
      if paste != nil {
        guard consumePaste(at: now, into: &events) else { break }
        continue
      }
      switch InputSequence.read(pending[head...], isFinal: isFinal) {
      case .event(let event, let length):
        head += length
        if case .focus(let isOurs) = event { clicks.recordFocus(isOurs, at: now) }
        events.append(event)
      case .mouse(let report, let length):
        head += length
        if let mouse = clicks.count(report, at: now) { events.append(.mouse(mouse)) }
      case .nothing(let length): head += length
      case .answer(let answer, let length):
        head += length
        switch answer {
        case .background(let appearance): self.appearance = appearance
        case .deviceAttributes: hasIdentified = true
        }
      case .pasteBegins(let length):
        head += length
        paste = PasteBuffer()
        deadline = now + Self.pasteTimeout
      case .incomplete(let timeout):
        if pending.count - head > Self.maxSequenceBytes {
          head = pending.count
        } else {
          deadline = now + timeout
        }
        compact()
        return
      }
    }
    // An open paste must end eventually, even if this call added nothing to it.
    if paste != nil, deadline == nil { deadline = now + Self.pasteTimeout }
    compact()
  }

  /// Moves pending bytes into the paste and returns whether the paste has ended.
  private mutating func consumePaste(
    at now: ContinuousClock.Instant, into events: inout [TerminalEvent]
  ) -> Bool {
    guard let used = paste?.consume(pending[head...]) else { return true }
    head += used
    guard paste?.isComplete == true, let text = paste?.finish() else {
      deadline = now + Self.pasteTimeout
      return false
    }
    paste = nil
    deadline = nil
    if !text.isEmpty { events.append(.paste(text)) }
    return true
  }

  private mutating func compact() {
    if head == pending.count {
      pending.removeAll(keepingCapacity: pending.count <= 65_536)
    } else {
      pending.removeFirst(head)
    }
    head = 0
  }
}

/// The bytes of a paste that have arrived so far.
private struct PasteBuffer {
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  private(set) var isComplete = false

  /// Appends bytes up to the end marker, which may arrive in pieces. Returns the number of bytes
  /// used.
  mutating func consume(_ input: ArraySlice<UInt8>) -> Int {
    var matched = 0
    var index = input.startIndex
    while index < input.endIndex {
      let byte = input[index]
      index += 1
      if byte == Self.end[matched] {
        matched += 1
        if matched == Self.end.count {
          isComplete = true
          return index - input.startIndex
        }
        continue
      }
      if matched > 0 {
        append(Self.end[..<matched])
        matched = byte == Self.end[0] ? 1 : 0
        if matched == 1 { continue }
      }
      append(CollectionOfOne(byte))
    }
    // A marker that is only partly there is left for the next call.
    return input.count - matched
  }

  private mutating func append(_ more: some Collection<UInt8>) {
    if bytes.count + more.count <= TerminalLimits.pasteBytes { bytes.append(contentsOf: more) }
  }

  /// Returns the pasted text. Line breaks are line feeds, invalid UTF-8 becomes U+FFFD, and an
  /// incomplete last character is dropped.
  func finish() -> String {
    var kept = bytes[...]
    if bytes.count >= TerminalLimits.pasteBytes - 3 {
      while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
      if let last = kept.last, last >= 0xC0 { kept.removeLast() }
    }
    var lines: [UInt8] = []
    lines.reserveCapacity(kept.count)
    var wasReturn = false
    for byte in kept {
      if byte == 0x0D {
        lines.append(0x0A)
      } else if byte != 0x0A || !wasReturn {
        lines.append(byte)
      }
      wasReturn = byte == 0x0D
    }
    return String(decoding: lines, as: UTF8.self)
  }
}

/// Counts clicks, and ignores clicks that only give focus to the window.
private struct ClickCounter {
  private var last: (button: Mouse.Button, row: Int, column: Int, at: ContinuousClock.Instant)?
  private var clicks = 0
  private var held: Mouse.Button?
  /// Whether the window had focus at the last report, and when it regained focus.
  private var isFocused = true
  private var focusedAt: ContinuousClock.Instant?
  /// Whether the pressed button gave focus to the window. The button's reports are ignored until it
  /// is released.
  private var isFocusing = false

  mutating func recordFocus(_ isOurs: Bool, at now: ContinuousClock.Instant) {
    // Some terminals report focus as soon as focus reports are enabled. The window had the focus
    // before, so it did not regain it.
    if isOurs, !isFocused { focusedAt = now }
    isFocused = isOurs
  }

  mutating func count(_ report: MouseReport, at now: ContinuousClock.Instant) -> Mouse? {
    if isFocusing(report, at: now) { return nil }
    var action: Mouse.Action
    switch report.kind {
    case .press(let button):
      let isAgain =
        last.map {
          $0.button == button && $0.row == report.row && $0.column == report.column
            && now - $0.at <= KeyDecoder.doubleClickTime
        } ?? false
      clicks = isAgain && clicks < 3 ? clicks + 1 : 1
      last = (button, report.row, report.column, now)
      held = button
      action = .press(button, clicks: clicks)
    case .release(let button):
      // X10 reports do not tell which button was released.
      guard let button = button ?? held else { return nil }
      held = nil
      action = .release(button)
    case .drag(let button): action = .drag(button)
    case .scroll(let direction): action = direction
    }
    return Mouse(action, row: report.row, column: report.column, modifiers: report.modifiers)
  }

  /// Returns whether a report belongs to the click that gave focus to the window.
  private mutating func isFocusing(
    _ report: MouseReport, at now: ContinuousClock.Instant
  ) -> Bool {
    switch report.kind {
    case .press:
      isFocusing = focusedAt.map { now - $0 < KeyDecoder.focusingTime } ?? false
      focusedAt = nil
      return isFocusing
    case .release:
      defer { isFocusing = false }
      return isFocusing
    case .drag: return isFocusing
    case .scroll: return false
    }
  }
}
