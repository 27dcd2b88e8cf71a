import TerminalUI

// Notices about output: the clipboard, files, the pager and the editor.
extension Notice {
  // MARK: Clipboard

  package static func copied(bytes: Int) -> Notice {
    Notice("Copied \(NumberText.bytes(bytes)) to the clipboard.", .key(.copy, "other formats"))
  }
  package static func tooLongToCopy(limit: Int) -> Notice {
    Notice(
      "Not copied: the text is longer than the \(NumberText.grouped(limit)) bytes that a terminal accepts.",
      .key(.export))
  }
  package static func tooManyRowsToCopy(_ rows: Int) -> Notice {
    Notice(
      "Not copied: \(NumberText.grouped(rows)) rows are too many for the clipboard.", .key(.export))
  }

  // MARK: Export

  /// Returns the notice that a file was written.
  ///
  /// - Parameters:
  ///   - rows: The number of rows; nil for the whole store.
  ///   - remarks: The sentences about data that the export lacks. For a whole store, only the first
  ///     one is shown.
  package static func exported(
    rows: Int?, to path: String, bytes: Int?, remarks: [String] = []
  ) -> Notice {
    let what = rows.map { NumberText.count($0, "row") } ?? "the store"
    let size = bytes.map { " (\(NumberText.bytes($0)))" } ?? ""
    var sentences = remarks
    if rows == nil, let first = remarks.first, remarks.count > 1 {
      sentences = ["\(first) (\(remarks.count - 1) more; 'sonde export' lists them)"]
    }
    return Notice(
      (["Exported \(what) to \(path)\(size)."] + sentences).joined(separator: " "),
      .key(.export, "export more"))
  }
  package static func piped(rows: Int, into command: String) -> Notice {
    Notice("Piped \(NumberText.count(rows, "row")) into “\(command)”.", .key(.pipe, "pipe again"))
  }
  package static func commandRunning(_ name: String) -> Notice {
    Notice("Running “\(name)” …", .key(.interrupt, "cancel"))
  }
  package static func commandCanceled(_ name: String) -> Notice { Notice("Canceled “\(name)”.") }
  /// Returns the notice that a command ended.
  ///
  /// - Parameter isHidden: Whether the output was not shown, so that the notice offers to view it.
  package static func commandEnded(
    _ command: ShellCommand, _ output: CommandOutput, isHidden: Bool = false
  ) -> Notice {
    // A command that wrote too much was terminated, so its exit status is not a failure.
    if output.status != 0, !output.isCut {
      return commandFailed(command.name, status: output.status, error: output.error)
    }
    let lines = output.text.split(whereSeparator: \.isNewline)
    let view = KeyHint.key(.outside, "view the output")
    switch command.output {
    case .notice:
      guard let first = lines.first else { break }
      guard lines.count > 1 else { return Notice("“\(command.name)”: \(first)") }
      return Notice(
        "“\(command.name)”: \(first) (first of \(NumberText.grouped(lines.count)) lines)", view)
    case .pager:
      guard isHidden else { break }
      let count = NumberText.count(lines.count, "line")
      return Notice("“\(command.name)” is done: \(count) of output.", view)
    case .terminal, .none: break
    }
    return Notice("“\(command.name)” is done.")
  }
  /// Returns the notice that a command failed.
  ///
  /// - Parameter error: The last line of the command's standard error; nil if there is none.
  package static func commandFailed(_ name: String, status: Int32, error: String?) -> Notice {
    let reason = error.map { ": \($0)" } ?? "."
    return switch status {
    case 130: .error("“\(name)” was interrupted\(reason)")
    case 129...: .error("“\(name)” was ended by signal \(status - 128)\(reason)")
    default: .error("“\(name)” exited with status \(status)\(reason)")
    }
  }
  package static let outputCut = Notice("Only the first 4 MB of the output are shown.")
  package static func commandNotRun(_ name: String, _ reason: String) -> Notice {
    .error("“\(name)”: \(reason)")
  }
  package static func commandChanged(_ name: String) -> Notice {
    Notice("“\(name)” was not run: its settings file has changed.", .key(.palette, "commands"))
  }
  package static func commandOnlyFor(_ name: String, _ namespaces: [String]) -> Notice {
    Notice("The command “\(name)” is only for rows of \(namespaces.joined(separator: ", ")).")
  }
  /// Returns the notice that a project's settings define commands that need the user's permission.
  package static func projectCommands(_ count: Int, in file: String) -> Notice {
    Notice(
      "\(file) defines "
        + (count == 1
          ? "a command that is not allowed to run yet."
          : "\(count) commands that are not allowed to run yet."),
      .key(.palette, "commands"))
  }
  package static func commandNeedsRow(_ name: String) -> Notice {
    Notice("The command “\(name)” needs a row. Move the cursor to a row.")
  }
  package static let storeNotPipeable = Notice(
    "The whole store cannot be piped into a command. Choose a format with rows.")
  package static let commandNeeded = Notice("Enter a command after “|”.")
  package static func notOverwritten(_ path: String) -> Notice {
    Notice("\(path) already exists; nothing was written.", .key(.export))
  }
  package static func exportFailed(_ reason: String) -> Notice { .error(reason, .key(.export)) }
  package static let exportCanceled = Notice("Export canceled; nothing was written.", .key(.export))
  package static let stillExporting = Notice(
    "Still writing the file.", .key(.cancel, "cancel export"))
  package static let onlyTheseRows = Notice(
    "There is no other choice: no rows are selected, and all matching rows are shown.")
  package static let onlyTheseColumns = Notice("The columns of this format cannot be chosen.")
  package static let noPath = Notice("No file or folder has a name that begins with this text.")
  /// Returns the notice with the first paths that begin with a typed text.
  package static func paths(_ paths: [String]) -> Notice {
    let names = paths.prefix(5).map { path in
      path.split(separator: "/").last.map { String($0) + (path.hasSuffix("/") ? "/" : "") } ?? path
    }
    return Notice(
      "\(NumberText.grouped(paths.count)) files or folders match: " + names.joined(separator: ", ")
        + (paths.count > names.count ? ", …" : ""))
  }
  package static let stillNaming = Notice(
    "Still looking for an unused file name.", .key(.cancel, "discard"))
  package static let typeFileName = Notice("Type the name of the file.")
  package static let fileNameNeeded = Notice("Enter a file name.")
  package static func exportKeys(_ action: String) -> Notice {
    Notice(
      "", .key(.down, "next field"), .key(.right, "change"), .key(.open, action),
      .key(.cancel, "cancel"))
  }
  package static func overwrites(_ path: String) -> Notice {
    Notice("\(path) already exists.", .key(.open, "overwrite"))
  }
  package static func createsFolder(_ folder: String) -> Notice {
    Notice("\(folder) does not exist.", .key(.open, "create the folder"))
  }
  package static let exporting = Notice("Writing …", .key(.cancel, "cancel export"))
  package static func exporting(_ done: String) -> Notice {
    Notice("Writing: \(done)", .key(.cancel, "cancel export"))
  }

  // MARK: Pager and editor

  package static func notForPager(_ title: String) -> Notice {
    Notice("\(title) cannot be opened in the pager.", .key(.copy))
  }
  package static func pagerFailed(_ reason: String) -> Notice {
    .error(reason, .key(.outside, "try again"))
  }
  package static func tooLongForPager(_ reason: String) -> Notice {
    .error("\(reason).", .key(.export))
  }
  package static func unedited(again: KeyHint) -> Notice {
    Notice("Nothing was changed in the editor.", again)
  }
  package static func editorFailed(_ reason: String, again: KeyHint) -> Notice {
    .error(reason, again)
  }
  package static let editedTextTooLong = Notice.error(
    "The edited text is longer than the limit of 4 MB.", .press(.escape, "discard"))
}
