import TerminalUI

// Notices about output: the clipboard, files, the pager and the editor.
extension Notice {
  // MARK: Clipboard

  package static func copied(bytes: Int) -> Notice {
    Notice(
      "Copied \(NumberText.bytes(bytes)) to the clipboard.", hints: [.key(.copy, "other forms")])
  }
  package static func tooLongToCopy(limit: Int) -> Notice {
    Notice(
      "Not copied: terminals accept at most \(NumberText.grouped(limit)) bytes.",
      hints: [.key(.export)])
  }
  package static func tooManyRowsToCopy(_ rows: Int) -> Notice {
    Notice(
      "Not copied: \(NumberText.grouped(rows)) rows are too many for the clipboard.",
      hints: [.key(.export)])
  }

  // MARK: Export

  /// Returns the notice that a file was written.
  ///
  /// - Parameter rows: The number of rows; nil for the whole store.
  package static func exported(rows: Int?, to path: String, bytes: Int?) -> Notice {
    let what =
      rows.map { $0 == 1 ? "1 row" : "\(NumberText.grouped($0)) rows" } ?? "the store"
    let size = bytes.map { " (\(NumberText.bytes($0)))" } ?? ""
    return Notice("Exported \(what) to \(path)\(size).", hints: [.key(.export, "export more")])
  }
  package static func piped(rows: Int, into command: String) -> Notice {
    let what = rows == 1 ? "1 row" : "\(NumberText.grouped(rows)) rows"
    return Notice("Piped \(what) into “\(command)”.", hints: [.key(.pipe, "pipe again")])
  }
  package static func commandFailed(_ reason: String) -> Notice {
    .error(reason, hints: [.key(.pipe, "pipe again")])
  }
  package static let storeNotPipeable = Notice(
    "A command receives rows, not the whole store. Choose another format.")
  package static let commandNeeded = Notice("Enter a command after the |.")
  package static func notOverwritten(_ path: String) -> Notice {
    Notice("\(path) already exists; nothing was written.", hints: [.key(.export)])
  }
  package static func exportFailed(_ reason: String) -> Notice {
    .error(reason, hints: [.key(.export)])
  }
  package static let exportCanceled = Notice(
    "Export canceled; nothing was written.", hints: [.key(.export)])
  package static let stillExporting = Notice(
    "Still writing the file.", hints: [.key(.cancel, "cancel")])
  package static let onlyTheseRows = Notice(
    "Nothing else to export: no rows are selected, and all rows are shown.")
  package static let typeFileName = Notice("Type the name of the file.")
  package static let fileNameNeeded = Notice("Enter a file name.")
  package static let exportKeys = Notice(
    "",
    hints: [
      .key(.down, "next field"), .key(.right, "change"), .key(.open, "save"),
      .key(.cancel, "cancel"),
    ])
  package static func overwrites(_ path: String) -> Notice {
    Notice("\(path) already exists.", hints: [.key(.open, "overwrite")])
  }
  package static let exporting = Notice("Writing …", hints: [.key(.cancel, "cancel")])
  package static func exporting(_ done: String) -> Notice {
    Notice("Writing: \(done)", hints: [.key(.cancel, "cancel")])
  }

  // MARK: Pager and editor

  package static func notForPager(_ title: String) -> Notice {
    Notice("\(title) cannot be opened in the pager.", hints: [.key(.copy)])
  }
  package static func pagerFailed(_ reason: String) -> Notice {
    .error(reason, hints: [.key(.outside, "try again")])
  }
  package static func tooLongForPager(_ reason: String) -> Notice {
    .error("\(reason).", hints: [.key(.export)])
  }
  package static func unedited(again: KeyHint) -> Notice {
    Notice("Nothing was changed in the editor.", hints: [again])
  }
  package static func editorFailed(_ reason: String, again: KeyHint) -> Notice {
    .error(reason, hints: [again])
  }
  package static let editedTextTooLong = Notice.error(
    "Too long: a value has at most 4 MB.", hints: [.press(.escape, "discard")])
}
