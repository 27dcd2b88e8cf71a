/// A mouse event and its cell, counted from 0 and always within the screen.
package struct Mouse: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left, middle, right
  }

  package enum Action: Hashable, Sendable {
    /// A press of a button.
    ///
    /// `clicks` is 2 for a double click and 3 for a triple click; each press is reported.
    case press(Button, clicks: Int)
    case release(Button)
    /// A move of the mouse while a button is held.
    case drag(Button)
    case scrollUp, scrollDown, scrollLeft, scrollRight
  }

  package var action: Action
  package var row: Int
  package var column: Int
  package var modifiers: Key.Modifiers

  package var position: Position { Position(row: row, column: column) }

  package init(_ action: Action, row: Int, column: Int, modifiers: Key.Modifiers = []) {
    self.action = action
    self.row = row
    self.column = column
    self.modifiers = modifiers
  }
}
