package import TerminalUI

/// One line at the bottom of the screen: a state and, where it helps, its cause.
///
/// Keys are hints beside the sentence and never words in it: the line takes their names from the
/// keymap. The wording of all notices stands in this folder, in one table for each area.
package struct Notice: Sendable, Equatable {
  package let text: String
  package private(set) var hints: [KeyHint]
  package private(set) var isError: Bool
  /// For a rejected change, the number of the newest change that was sent by then: the notice stays
  /// until it is dismissed or a later change is reported.
  private(set) var refusedBy: Int?

  package init(_ text: String, hints: [KeyHint] = [], isError: Bool = false) {
    self.text = text
    self.hints = hints
    self.isError = isError
  }

  /// Something that failed.
  package static func error(_ text: String, hints: [KeyHint] = []) -> Notice {
    Notice(text, hints: hints, isError: true)
  }

  /// The same notice with other hints.
  package func hinting(_ hints: KeyHint...) -> Notice {
    var notice = self
    notice.hints = hints
    return notice
  }

  /// The same notice, kept until it is dismissed or a change after `number` is reported.
  func keptUntil(after number: Int) -> Notice {
    var notice = self
    notice.refusedBy = number
    return notice
  }
}

/// A key that helps now, and what it does.
package struct KeyHint: Sendable, Equatable {
  enum Stroke: Sendable, Equatable {
    case command(Intent)
    case key(Key)
  }

  let stroke: Stroke
  /// Nil for the command's own label.
  let label: String?

  /// The key that the keymap has for a command.
  package static func key(_ command: Intent, _ label: String? = nil) -> KeyHint {
    KeyHint(stroke: .command(command), label: label)
  }

  static let undoData = key(.undoTransaction, "undo")

  /// A key that no keymap changes, such as those that edit a line.
  package static func press(_ key: Key, _ label: String) -> KeyHint {
    KeyHint(stroke: .key(key), label: label)
  }
}
