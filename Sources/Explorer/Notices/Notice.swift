package import TerminalUI

/// A message in the last line of the screen: a state and, if it helps, its cause.
///
/// Keys are hints next to the sentence and never part of it; their names come from the keymap. This
/// folder contains the texts of all notices in one table per topic.
package struct Notice: Sendable, Equatable {
  package let text: String
  package private(set) var hints: [KeyHint]
  package private(set) var isError: Bool
  /// The number of the newest change sent before a rejection; nil for other notices.
  ///
  /// The notice stays until it is dismissed or a later change is reported.
  private(set) var refusedBy: Int?

  package init(_ text: String, hints: [KeyHint] = [], isError: Bool = false) {
    self.text = text
    self.hints = hints
    self.isError = isError
  }

  /// A notice of an error.
  package static func error(_ text: String, hints: [KeyHint] = []) -> Notice {
    Notice(text, hints: hints, isError: true)
  }

  /// A copy of the notice with other hints.
  package func hinting(_ hints: KeyHint...) -> Notice {
    var notice = self
    notice.hints = hints
    return notice
  }

  /// A copy of the notice that is kept until it is dismissed or a change after `number` is
  /// reported.
  func keptUntil(after number: Int) -> Notice {
    var notice = self
    notice.refusedBy = number
    return notice
  }
}

/// A useful key with a label for its effect.
package struct KeyHint: Sendable, Equatable {
  enum Stroke: Sendable, Equatable {
    case command(Intent)
    case key(Key)
  }

  let stroke: Stroke
  /// The label of the key; nil for the command's own label.
  let label: String?

  /// The hint for the key bound to a command.
  package static func key(_ command: Intent, _ label: String? = nil) -> KeyHint {
    KeyHint(stroke: .command(command), label: label)
  }

  static let undoData = key(.undoTransaction, "undo")

  /// The hint for a key that cannot be rebound, such as those that edit a line.
  package static func press(_ key: Key, _ label: String) -> KeyHint {
    KeyHint(stroke: .key(key), label: label)
  }
}

extension String {
  /// The text with a period at its end, unless it ends with another end mark.
  var asSentence: String { ".?!…".contains(last ?? ".") ? self : self + "." }
}
