package import TerminalUI

/// A person's own programs for texts: the plug that the program fits.
///
/// Each takes the terminal until its program ends, however that ends.
package protocol OutsidePrograms: Sendable {
  /// Shows a text in the pager.
  /// - Returns: What went wrong, as a sentence.
  func page(_ text: String, on terminal: any Terminal) -> String?

  /// Lets a text be changed in the editor.
  /// - Parameter ending: Of the file's name, by which an editor knows what it holds: `.json`.
  func edit(_ text: String, ending: String, on terminal: any Terminal) -> EditedText
}

/// What an editor made of a text.
package enum EditedText: Sendable, Equatable {
  case changed(String)
  case unchanged
  /// Why there is no text, as a sentence.
  case failed(String)
}
