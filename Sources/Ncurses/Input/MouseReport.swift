internal import TerminalUI

/// A report of the mouse, before clicks are counted.
struct MouseReport: Equatable {
  enum Kind: Equatable {
    case press(Mouse.Button)
    /// A release of a button; nil if the report does not contain the button.
    case release(Mouse.Button?)
    case drag(Mouse.Button)
    case scroll(Mouse.Action)
  }

  let kind: Kind
  let row: Int
  let column: Int
  let modifiers: Key.Modifiers

  /// Decodes the bits of a report. Rows and columns start at 1. Nil for moves without a button, and
  /// for unknown buttons.
  ///
  ///     bits  0-1 button (3 none)   2 shift   3 alt   4 control   5 moved   6 wheel   7 more buttons
  init?(bits: Int, column: Int, row: Int, isRelease: Bool) {
    var modifiers: Key.Modifiers = []
    if bits & 4 != 0 { modifiers.insert(.shift) }
    if bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 16 != 0 { modifiers.insert(.control) }
    self.modifiers = modifiers
    self.row = max(0, row - 1)
    self.column = max(0, column - 1)
    if bits >= 128 || bits < 0 { return nil }
    if bits & 64 != 0 {
      if isRelease { return nil }
      let directions: [Mouse.Action] = [.scrollUp, .scrollDown, .scrollLeft, .scrollRight]
      kind = .scroll(directions[bits & 3])
      return
    }
    let buttons: [Mouse.Button?] = [.left, .middle, .right, nil]
    if isRelease {
      kind = .release(buttons[bits & 3])
    } else if let button = buttons[bits & 3] {
      kind = bits & 32 != 0 ? .drag(button) : .press(button)
    } else {
      return nil
    }
  }
}
