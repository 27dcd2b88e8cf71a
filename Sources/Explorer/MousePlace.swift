import TerminalUI

/// The thing under the mouse, to recognize double clicks on it.
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
