internal import TerminalUI

/// A control sequence: `ESC [`, parameters, and a final letter.
struct ControlSequence {
  private static let maxBytes = 128

  /// The character `<`, `?` or `>` before the parameters; 0 if there is none.
  let prefix: UInt8
  /// The numeric parameters, each split at its colons. A missing number is 0.
  let parameters: [[Int]]
  let final: UInt8
  let length: Int

  static func read(_ input: ArraySlice<UInt8>) -> InputSequence {
    guard let third = input.dropFirst(2).first else {
      return .incomplete(timeout: KeyDecoder.escapeTimeout)
    }
    if third == UInt8(ascii: "[") { return linuxFunctionKey(input) }
    if third == UInt8(ascii: "M") { return oldMouse(input) }
    var body = input.dropFirst(2)
    while let byte = body.first {
      if (0x40...0x7E).contains(byte) {
        let start = input.startIndex + 2
        let sequence = ControlSequence(
          input[start..<body.startIndex], final: byte,
          length: body.startIndex + 1 - input.startIndex)
        return sequence.meaning
      }
      let length = body.startIndex - input.startIndex
      // A control byte aborts the sequence and is handled as a separate key.
      guard (0x20...0x3F).contains(byte), length < maxBytes else {
        return .nothing(length: length)
      }
      body = body.dropFirst()
    }
    return .incomplete(timeout: KeyDecoder.sequenceTimeout)
  }

  private init(_ body: ArraySlice<UInt8>, final: UInt8, length: Int) {
    self.final = final
    self.length = length
    var body = body
    let first = body.first ?? 0
    prefix = (0x3C...0x3F).contains(first) ? body.removeFirst() : 0
    var parameters = [[0]]
    for byte in body {
      switch byte {
      case 0x30...0x39:
        let last = parameters.count - 1
        let part = parameters[last].count - 1
        parameters[last][part] = min(parameters[last][part] * 10 + Int(byte) - 0x30, 9_999_999)
      case UInt8(ascii: ":"): parameters[parameters.count - 1].append(0)
      case UInt8(ascii: ";"): parameters.append([0])
      default: break
      }
    }
    self.parameters = parameters
  }

  private func parameter(_ index: Int, part: Int = 0) -> Int {
    guard index < parameters.count, part < parameters[index].count else { return 0 }
    return parameters[index][part]
  }

  private var meaning: InputSequence {
    switch prefix {
    case 0: return plain
    case UInt8(ascii: "<"): return mouse
    case UInt8(ascii: "?") where final == UInt8(ascii: "c"):
      return .answer(.deviceAttributes, length: length)
    default: return .nothing(length: length)
    }
  }

  private var plain: InputSequence {
    // In the kitty protocol, event type 3 is the release of a key.
    if parameter(1, part: 1) == 3 { return .nothing(length: length) }
    let modifiers = KeyCodes.modifiers(parameter(1))
    switch final {
    case UInt8(ascii: "~"): return numbered(modifiers)
    case UInt8(ascii: "^"): return numbered(modifiers.union(.control))
    case UInt8(ascii: "@"): return numbered(modifiers.union([.control, .shift]))
    case UInt8(ascii: "u"): return key(KeyCodes.unicode(parameters), modifiers)
    case UInt8(ascii: "Z"): return key(Key(.tab, .shift), modifiers)
    case UInt8(ascii: "I"): return .event(.focus(true), length: length)
    case UInt8(ascii: "O"): return .event(.focus(false), length: length)
    case UInt8(ascii: "R") where parameter(0) != 1 || parameters.count != 2:
      return .nothing(length: length)  // a cursor position report, not F3
    default: return key(KeyCodes.lettered(final), modifiers)
    }
  }

  private func numbered(_ modifiers: Key.Modifiers) -> InputSequence {
    switch parameter(0) {
    case 200: return .pasteBegins(length: length)
    case 27 where parameters.count == 3:
      return key(KeyCodes.unicode([parameters[2], parameters[1]]), modifiers)
    default: return key(KeyCodes.numbered(parameter(0)), modifiers)
    }
  }

  private func key(_ key: Key?, _ modifiers: Key.Modifiers) -> InputSequence {
    guard var key else { return .nothing(length: length) }
    if case .character = key.code {
      // The character already includes the effect of shift.
      key.modifiers.formUnion(modifiers.subtracting(.shift))
    } else {
      key.modifiers.formUnion(modifiers)
    }
    return .event(.key(key), length: length)
  }

  private var mouse: InputSequence {
    guard parameters.count == 3, final == UInt8(ascii: "M") || final == UInt8(ascii: "m"),
      let report = MouseReport(
        bits: parameter(0), column: parameter(1), row: parameter(2),
        isRelease: final == UInt8(ascii: "m"))
    else { return .nothing(length: length) }
    return .mouse(report, length: length)
  }

  /// Parses an X10 mouse report, `ESC [ M` and three bytes, from terminals without SGR reports.
  private static func oldMouse(_ input: ArraySlice<UInt8>) -> InputSequence {
    let bytes = Array(input.dropFirst(3).prefix(3))
    guard bytes.count == 3 else { return .incomplete(timeout: KeyDecoder.sequenceTimeout) }
    let bits = Int(bytes[0]) - 32
    let isRelease = bits & 3 == 3 && bits & 64 == 0 && bits & 32 == 0
    guard bytes.allSatisfy({ $0 >= 32 }),
      let report = MouseReport(
        bits: bits, column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32, isRelease: isRelease)
    else { return .nothing(length: 6) }
    return .mouse(report, length: 6)
  }

  /// Parses F1 to F5 of the Linux console: `ESC [ [ A`.
  private static func linuxFunctionKey(_ input: ArraySlice<UInt8>) -> InputSequence {
    guard let letter = input.dropFirst(3).first else {
      return .incomplete(timeout: KeyDecoder.sequenceTimeout)
    }
    guard (0x41...0x45).contains(letter) else { return .nothing(length: 3) }
    return .event(.key(.function(Int(letter) - 0x40)), length: 4)
  }
}
