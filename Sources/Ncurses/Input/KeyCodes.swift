internal import TerminalUI

/// Maps the numbers and letters in control sequences to keys.
enum KeyCodes {
  /// Decodes modifiers. The number is one more than the sum of shift 1, alt 2 and control 4.
  static func modifiers(_ number: Int) -> Key.Modifiers {
    let bits = max(0, number - 1)
    // The raw bits are combined, because set operations on a type of another module are not
    // inlined.
    return Key.Modifiers(
      rawValue: (bits & 1 != 0 ? Key.Modifiers.shift.rawValue : 0)
        | (bits & (2 | 32) != 0 ? Key.Modifiers.alt.rawValue : 0)
        | (bits & 4 != 0 ? Key.Modifiers.control.rawValue : 0))
  }

  /// Returns the key for the letter after `ESC O`, including keys of the numeric keypad.
  static func singleShifted(_ letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "X"): .character("=")
    case UInt8(ascii: "a"): Key(.up, .control)
    case UInt8(ascii: "b"): Key(.down, .control)
    case UInt8(ascii: "c"): Key(.right, .control)
    case UInt8(ascii: "d"): Key(.left, .control)
    case 0x6A...0x79: .character(Character(Unicode.Scalar(letter - 0x40)))
    default: lettered(letter)
    }
  }

  /// Returns the key for the letter after `ESC [`.
  static func lettered(_ letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P"), UInt8(ascii: "Q"), UInt8(ascii: "R"), UInt8(ascii: "S"):
      .function(Int(letter) - 0x4F)
    case UInt8(ascii: "a"): Key(.up, .shift)
    case UInt8(ascii: "b"): Key(.down, .shift)
    case UInt8(ascii: "c"): Key(.right, .shift)
    case UInt8(ascii: "d"): Key(.left, .shift)
    default: nil
    }
  }

  /// Returns the key for the number in `ESC [ number ~`.
  static func numbered(_ number: Int) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  /// Returns the key for `code:shifted;modifiers;text` of the kitty protocol.
  static func unicode(_ parameters: [[Int]]) -> Key? {
    let code = parameters[0][0]
    switch code {
    case 9: return .tab
    case 13, 57_414: return .enter
    case 27: return .escape
    case 8, 127: return .backspace
    case 57_376...57_398: return .function(code - 57_376 + 13)
    case 57_399...57_408: return .character(Character(Unicode.Scalar(UInt8(code - 57_399 + 0x30))))
    case 57_409...57_413: return .character(Array("./*-+")[code - 57_409])
    case 57_415: return .character("=")
    case 57_417...57_426:
      let keys: [Key] = [
        .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
      ]
      return keys[code - 57_417]
    case 0..<32, 57_344...63_743: return nil
    default: return character(parameters)
    }
  }

  /// Returns the first character of the text that a key types; nil if it types none.
  private static func typed(_ text: [Int]) -> Character? {
    guard text[0] > 32 else { return nil }
    let scalars = text.compactMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }
    return String(String.UnicodeScalarView(scalars)).first
  }

  private static func character(_ parameters: [[Int]]) -> Key? {
    let code = parameters[0]
    let modifiers = parameters.count > 1 ? modifiers(parameters[1][0]) : []
    var value = code[0]
    if modifiers.isSubset(of: .shift), parameters.count > 2, let typed = typed(parameters[2]) {
      return .character(typed)
    }
    if modifiers.contains(.shift), code.count > 1, code[1] > 32 { value = code[1] }
    guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { return nil }
    var character = Character(scalar)
    if modifiers.contains(.shift), !modifiers.contains(.control), value == code[0],
      let upper = character.uppercased().first
    {
      character = upper
    }
    return .character(character)
  }
}
