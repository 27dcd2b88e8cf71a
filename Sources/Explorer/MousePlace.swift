import TerminalUI

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
