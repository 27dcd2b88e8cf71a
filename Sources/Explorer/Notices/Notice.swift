package import TerminalUI

/// A message in the last line of the screen. It states a fact and, if it helps, the cause.
///
/// Keys are hints next to the sentence and never part of it; their names come from the keymap. This
/// folder contains the texts of all notices, in one table per topic.
package struct Notice: Sendable, Equatable {
  package let text: String
  package private(set) var hints: [KeyHint]
  package private(set) var isError: Bool
  /// For a notice about a rejection, the number of the newest change submitted before it; otherwise
  /// nil.
  ///
  /// Such a notice stays until it is dismissed or a later change is reported.
  private(set) var rejectedAfterChange: Int?
  /// Whether the hints of the last line stay visible below the notice.
  private(set) var keepsHints = false

  package init(_ text: String, hints: [KeyHint], isError: Bool = false) {
    self.text = text
    self.hints = hints
    self.isError = isError
  }

  package init(_ text: String, _ hints: KeyHint...) { self.init(text, hints: hints) }

  /// Returns a notice that reports an error.
  package static func error(_ text: String, hints: [KeyHint]) -> Notice {
    Notice(text, hints: hints, isError: true)
  }
  package static func error(_ text: String, _ hints: KeyHint...) -> Notice {
    .error(text, hints: hints)
  }

  /// Returns a copy of the notice with other hints.
  package func hinting(_ hints: KeyHint...) -> Notice {
    var notice = self
    notice.hints = hints
    return notice
  }

  /// A copy of the notice above the hints of the last line, for a notice that no key caused.
  package var aboveHints: Notice {
    var notice = self
    notice.keepsHints = true
    return notice
  }

  /// Returns a copy of the notice that stays until a change later than `number` is reported. The
  /// user can also dismiss it.
  func keptUntil(after number: Int) -> Notice {
    var notice = self
    notice.rejectedAfterChange = number
    return notice
  }
}

/// A hint at a key that is useful now, with a label for its effect.
package struct KeyHint: Sendable, Equatable {
  enum Stroke: Sendable, Equatable {
    case command(Command)
    case key(Key)
  }

  let stroke: Stroke
  /// The label that describes the effect; nil uses the command's own label.
  let label: String?

  /// Returns the hint for the key that is bound to a command.
  package static func key(_ command: Command, _ label: String? = nil) -> KeyHint {
    KeyHint(stroke: .command(command), label: label)
  }

  static let undoData = key(.undoTransaction, "undo")

  /// Returns the hint for a key that cannot be rebound, such as a line-editing key.
  package static func press(_ key: Key, _ label: String) -> KeyHint {
    KeyHint(stroke: .key(key), label: label)
  }
}

extension String {
  /// The text with a period at its end, unless it already ends with a punctuation mark.
  var asSentence: String { ".?!…".contains(last ?? ".") ? self : self + "." }
}
