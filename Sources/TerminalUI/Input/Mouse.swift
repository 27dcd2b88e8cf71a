/// What the mouse did, and where: cells from 0, always inside the screen.
package struct Mouse: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left, middle, right
  }

  package enum Action: Hashable, Sendable {
    /// `clicks` is 2 for a double click and 3 for a triple one; each is also reported as it grows.
    case press(Button, clicks: Int)
    case release(Button)
    /// Moved with a button held.
    case drag(Button)
    case scrollUp, scrollDown, scrollLeft, scrollRight
  }

  package var action: Action
  package var row: Int
  package var column: Int
  package var modifiers: Key.Modifiers

  package init(_ action: Action, row: Int, column: Int, modifiers: Key.Modifiers = []) {
    self.action = action
    self.row = row
    self.column = column
    self.modifiers = modifiers
  }
}
