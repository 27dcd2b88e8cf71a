import TerminalUI

/// What is under the mouse, to recognize double clicks on the same thing.
enum MousePlace: Sendable, Equatable {
  /// The line being typed, or its list of completions.
  case line, completions
  case tab(Int?)
  /// A breadcrumb.
  case crumb(Int)
  case footer(Key?)
  case overlay(Int, PaneTraits)
  case standing(MainPane?)
}
