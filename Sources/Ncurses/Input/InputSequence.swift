internal import TerminalUI

/// What the terminal's input begins with, such as an event, an answer or an incomplete sequence.
enum InputSequence: Equatable {
  case event(TerminalEvent, length: Int)
  case mouse(MouseReport, length: Int)
  /// The terminal's answer to a query.
  case answer(TerminalAnswer, length: Int)
  /// A complete sequence that is ignored.
  case nothing(length: Int)
  case pasteBegins(length: Int)
  /// The sequence is incomplete. If no more bytes arrive within `timeout`, its bytes are
  /// interpreted as keys.
  case incomplete(timeout: Duration)

  /// Parses one sequence, key or character.
  ///
  /// - Parameter isFinal: Whether no more bytes will follow. The result is then never `incomplete`.
  static func read(_ input: ArraySlice<UInt8>, isFinal: Bool) -> InputSequence {
    let step = first(input)
    guard isFinal, case .incomplete = step else { return step }
    guard input.first == 0x1B else { return .nothing(length: input.count) }
    if input.count == 1 { return .event(.key(.escape), length: 1) }
    if input.count == 2, let scalar = Unicode.Scalar(UInt32(input[input.startIndex + 1])) {
      return .event(.key(.alt(Character(scalar))), length: 2)
    }
    return .nothing(length: input.count)
  }

  private static func first(_ input: ArraySlice<UInt8>) -> InputSequence {
    let byte = input[input.startIndex]
    if byte == 0x1B { return escape(input) }
    if byte < 0x20 || byte == 0x7F { return .event(.key(control(byte)), length: 1) }
    return character(input)
  }

  /// Returns the key for a control byte.
  static func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x00: Key(.character(" "), .control)
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x1B: .escape
    case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
    default: .control(Character(Unicode.Scalar(byte + 0x40)))
    }
  }

  /// Parses one UTF-8 character. An invalid byte becomes U+FFFD.
  private static func character(_ input: ArraySlice<UInt8>) -> InputSequence {
    let first = input[input.startIndex]
    let length: Int
    switch first {
    case 0x20..<0x7F: return .event(.key(.character(Character(Unicode.Scalar(first)))), length: 1)
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return .event(.key(.character("\u{FFFD}")), length: 1)
    }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for (index, byte) in input.dropFirst().prefix(length - 1).enumerated() {
      guard byte & 0xC0 == 0x80 else {
        return .event(.key(.character("\u{FFFD}")), length: index + 1)
      }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    if input.count < length { return .incomplete(timeout: KeyDecoder.sequenceTimeout) }
    let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
    guard value >= least[length], let scalar = Unicode.Scalar(value) else {
      return .event(.key(.character("\u{FFFD}")), length: length)
    }
    if value < 0xA0 { return .nothing(length: length) }
    return .event(.key(.character(Character(scalar))), length: length)
  }

  private static func escape(_ input: ArraySlice<UInt8>) -> InputSequence {
    let rest = input.dropFirst()
    guard let second = rest.first else { return .incomplete(timeout: KeyDecoder.escapeTimeout) }
    switch second {
    case 0x1B: return .event(.key(.escape), length: 1)
    case UInt8(ascii: "["): return ControlSequence.read(input)
    case UInt8(ascii: "O"): return singleShift(input)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
      if let string = commandString(input) { return string }
    default: break
    }
    switch first(rest) {
    case .event(.key(var key), let length):
      key.modifiers.insert(.alt)
      return .event(.key(key), length: length + 1)
    case .incomplete(let timeout): return .incomplete(timeout: timeout)
    default: return .nothing(length: 2)
    }
  }

  /// Parses `ESC O` and a letter: keys in application mode.
  private static func singleShift(_ input: ArraySlice<UInt8>) -> InputSequence {
    let bytes = input.dropFirst(2)
    guard let first = bytes.first else {
      return .incomplete(timeout: KeyDecoder.escapeTimeout)
    }
    if first == 0x1B { return .event(.key(.alt("O")), length: 2) }
    // Some terminals place the modifiers before the letter, as in control sequences.
    guard (0x31...0x39).contains(first) else {
      guard let key = KeyCodes.singleShifted(first) else { return .nothing(length: 3) }
      return .event(.key(key), length: 3)
    }
    guard let letter = bytes.dropFirst().first else {
      return .incomplete(timeout: KeyDecoder.sequenceTimeout)
    }
    guard var key = KeyCodes.singleShifted(letter) else { return .nothing(length: 4) }
    key.modifiers.formUnion(KeyCodes.modifiers(Int(first) - 0x30))
    return .event(.key(key), length: 4)
  }

  private static func string(_ body: ArraySlice<UInt8>, length: Int) -> InputSequence {
    guard let answer = TerminalAnswer(command: body) else { return .nothing(length: length) }
    return .answer(answer, length: length)
  }

  /// Parses an answer of the terminal (`ESC ]`, `ESC P`, `ESC _`), which ends with BEL or ST. Nil
  /// if the bytes are a key pressed with alt.
  private static func commandString(_ input: ArraySlice<UInt8>) -> InputSequence? {
    let body = input.dropFirst(2)
    guard let third = body.first else { return .incomplete(timeout: KeyDecoder.escapeTimeout) }
    guard (0x30...0x39).contains(third) || third == 0x3E || third == 0x21 || third == 0x47 else {
      return nil
    }
    var wasEscape = false
    for (index, byte) in body.enumerated() {
      if byte == 0x07 { return string(body.prefix(index), length: index + 3) }
      if wasEscape {
        return string(body.prefix(index - 1), length: byte == 0x5C ? index + 3 : index + 2)
      }
      wasEscape = byte == 0x1B
    }
    return .incomplete(timeout: KeyDecoder.sequenceTimeout)
  }
}
