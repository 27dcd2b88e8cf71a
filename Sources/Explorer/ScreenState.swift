import TerminalUI

/// The size of the screen, the sizes of panes that the user changed, what the mouse does, and the
/// input that waits.
struct ScreenState: Sendable, Equatable {
  var size: Size
  /// The sizes of panes that the user set.
  var splits = Splits()
  /// Whether this store is on the screen.
  var isInFront = true
  /// Whether the focused pane covers the screen.
  var isZoomed = false
  /// The place where a mouse button was last pressed.
  var pressed: MousePlace?
  /// What the mouse is dragging; nil if there is nothing.
  var drag: Drag?
  /// The input that waits for data.
  var queue = InputQueue()
  /// The breadcrumbs of the first line.
  let breadcrumbs = LastValue<BreadcrumbsInput, Breadcrumbs>()
  /// The key hints of the last line.
  let footer = LastValue<FooterInput, [NamedHint]>()

  /// Something that the mouse moves while its button is held.
  enum Drag: Sendable, Equatable {
    case divider(Splits.Divider)
    /// The right edge of a column, which begins at the column `start` of the screen.
    case column(label: String, start: Int)
    /// The contents of an open pane; `from` is the last position of the mouse.
    case pane(from: Position)
  }

  init(size: Size) { self.size = size }

  /// Records the place of a press.
  ///
  /// - Returns: Whether it is the second press of a double click whose first press opened or closed
  ///   a pane. This press was meant for something that is no longer under the mouse.
  mutating func press(_ place: MousePlace, clicks: Int) -> Bool {
    defer { pressed = place }
    return clicks > 1 && pressed != nil && pressed != place
  }

  /// Records that another store comes to the front. Ends dragging and discards queued input.
  mutating func leaveFront() { (isInFront, drag, queue) = (false, nil, InputQueue()) }
}

/// The thing under the mouse. Two clicks on the same thing are a double click.
enum MousePlace: Sendable, Equatable {
  /// The line being typed, or its list of completions.
  case line, completions
  case tab(Int?)
  /// A breadcrumb, given by the number of steps back to its view.
  case crumb(Int)
  case footer(Key?)
  case overlay(Int, PaneTraits)
  case standing(MainPane?)
}
