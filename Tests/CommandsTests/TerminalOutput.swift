/// Reads what a program sends to its terminal: text, and the orders among it.
struct TerminalOutput {
  /// Orders that the terminal layer never gives, and what no text may hold.
  private(set) var forbidden: [String] = []
  /// How many orders there were.
  private(set) var count = 0

  /// Private modes that are switched: cursor keys, blinking, cursor, mouse, focus, screen, paste,
  /// updates in one piece.
  private static let modes: Set<String> = [
    "1", "7", "12", "25", "1000", "1001", "1002", "1003", "1004", "1005", "1006", "1015", "1049",
    "2004", "2026",
  ]

  /// - Parameter mark: Stands in every order of the data, and in none of the program.
  init(_ bytes: [UInt8], mark: String) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x1B: readOrder(&rest, mark)
      // Line ends, and how the cursor is moved by a column or to a tab; character sets.
      case 0x08, 0x09, 0x0A, 0x0D, 0x0E, 0x0F: break
      case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069:
        forbid("U+" + String(scalar.value, radix: 16), before: rest)
      default: break
      }
    }
  }

  private mutating func forbid(
    _ order: String, before rest: ArraySlice<Unicode.Scalar>
  ) {
    let after = String(String.UnicodeScalarView(rest.prefix(30)))
    forbidden.append("\(order) before \(after.debugDescription)")
  }

  private mutating func readOrder(_ rest: inout ArraySlice<Unicode.Scalar>, _ mark: String) {
    count += 1
    guard let kind = rest.popFirst() else { return }
    switch kind {
    case "[": readControl(&rest, mark)
    case "]": readCommand(&rest)
    // Character sets, keypad, saved and restored cursor, a line up, the string terminator.
    case "(", ")": _ = rest.popFirst()
    case "=", ">", "7", "8", "M", "\\": break
    default: forbid("ESC \(kind)", before: rest)
    }
  }

  /// What stands between `ESC [` and its last letter.
  private mutating func readControl(_ rest: inout ArraySlice<Unicode.Scalar>, _ mark: String) {
    var text = ""
    while let next = rest.popFirst() {
      text.unicodeScalars.append(next)
      if (0x40...0x7E).contains(next.value) { break }
    }
    let parameters = text.dropLast()
    let isKnown: Bool
    switch text.last {
    case "h"?, "l"?:
      isKnown =
        parameters.first == "?"
        ? parameters.dropFirst().split(separator: ";").allSatisfy {
          Self.modes.contains(String($0))
        }
        : ["4", "34"].contains(parameters)
    case "t"?: isKnown = ["22;2", "23;2", "22;0;0", "23;0;0"].contains(parameters)
    case "c"?: isKnown = parameters.isEmpty
    case let letter?:
      isKnown =
        "ABCDEFGHIJKLMPSTXZ@bdfmr".contains(letter)
        && parameters.allSatisfy { "0123456789;:".contains($0) }
    case nil: isKnown = false
    }
    if !isKnown || parameters.contains(mark) { forbid("ESC [\(text)", before: rest) }
  }

  /// Titles, copies and the question for the background, each up to its end.
  private mutating func readCommand(_ rest: inout ArraySlice<Unicode.Scalar>) {
    var text = ""
    while let next = rest.popFirst(), next != "\u{7}" {
      if next == "\u{1B}" {
        if rest.popFirst() != "\\" { forbid("ESC ]\(text)", before: rest) }
        break
      }
      text.unicodeScalars.append(next)
    }
    let isTitle = text.hasPrefix("2;")
    let isCopy =
      text.hasPrefix("52;c;")
      && text.dropFirst(5).allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))
      }
    let hasControls = text.unicodeScalars.contains {
      $0.value < 0x20 || (0x7F..<0xA0).contains($0.value)
    }
    if hasControls || !(isTitle || isCopy || text == "11;?") {
      forbid("ESC ]\(text)", before: rest)
    }
  }
}
