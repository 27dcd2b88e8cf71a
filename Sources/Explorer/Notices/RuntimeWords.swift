/// Texts about the event loop and about missing tools, such as the editor.
package enum RuntimeWords {
  package static let noEditor = "No editor is available"
  package static let noFiles = "This program cannot write files"
  package static let noOtherStores = "This program cannot open other stores"
  package static func noTheme(_ name: String) -> String { "There is no theme '\(name)'." }

  // MARK: Texts too long

  static let tooLongForPager = "The text is too long for the pager"
  static func tableTooLong(maxRows: Int) -> String {
    "A Markdown table is limited to \(maxRows) rows. Use CSV for more."
  }
  static func textTableTooLong(rows: Int, maxRows: Int) -> String {
    "The result has \(rows) rows, but a text table can have at most \(maxRows). Use CSV instead."
  }

  // MARK: Quitting

  static func waiting(for what: String) -> String {
    "Waiting until \(what) committed (ctrl-c quits now)"
  }
  static func notChanged(_ reason: String) -> String { "Not changed: \(reason)" }
  static func outcomeUnknown(of what: String) -> String {
    "Quit without knowing whether \(what) committed"
  }
}
