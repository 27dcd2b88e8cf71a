import LiveQueries
import TerminalUI
import Triples

// Notices about changes of data: editing, deleting, undo, staging and rejections.
extension Notice {
  // MARK: Editing

  package static let selectCell = Notice(
    "Select a cell of the results first.", .key(.paneResults, "go to the results"))
  package static let selectValueOrLink = Notice("Select a value or a link first.")
  package static let rowGone = Notice("This row no longer exists.", .key(.changes))
  package static let entityGone = Notice("This row no longer exists.", .key(.back))
  package static let idsCannotChange = Notice("IDs cannot be changed.")
  package static let lineBreaksReplaced = Notice("Line breaks became spaces in the pasted text.")
  package static func unchanged(_ label: String) -> Notice {
    Notice("\(label) unchanged.", .key(.edit))
  }
  /// Returns the notice that another client changed the edited value.
  ///
  /// - Parameter value: The other client's value; nil if it was removed.
  package static func changedMeanwhile(to value: String?) -> Notice {
    Notice(
      value.map { "Someone else changed this value to \($0). Applying your input overwrites it." }
        ?? "Someone else removed this value. Applying your input sets it again.")
  }
  package static let stillSearching = Notice(
    "Still searching. The first match will be chosen when it is found.", .key(.cancel, "discard"))
  package static func noneOf(_ namespace: String) -> Notice { Notice("No match in \(namespace).") }
  package static func notOf(_ namespace: String) -> Notice {
    Notice("No row of \(namespace) has this id.", .key(.open, "explain this id"))
  }

  // MARK: Adding

  package static func noIDs(in namespace: String) -> Notice {
    Notice("Cannot add a row: the rows of \(namespace) have no ids.")
  }
  package static let linkEmpty = Notice("Not linked yet. Type to search.")
  package static let onlyField = Notice("This form has no other field.", .key(.open, "create"))
  package static func required(_ label: String, isText: Bool) -> Notice {
    Notice(
      "\(label) is required" + (isText ? " (\"\" for an empty text)." : "."),
      .key(.open, "next incomplete field"))
  }
  /// Returns the notice with the key hints of a form.
  ///
  /// - Parameter field: The first field that prevents saving; nil if there is none.
  package static func formKeys(missing field: String?) -> Notice {
    Notice(
      "", .key(.open, field.map { "next incomplete field (\($0))" } ?? "create"),
      .key(.nextPane, "next field"))
  }
  package static let leavingForm = Notice(
    "Your input is not saved yet.", .key(.cancel, "discard the input"))

  // MARK: Deleting

  package static let checkingDeletion = Notice(
    "Checking what would be deleted …", .key(.cancel, "cancel"))
  package static let deletionAbandoned = Notice(
    "Nothing was deleted, because you moved to another pane.")
  package static let exactPreviewAvailable = Notice(
    "Nothing was deleted: the server is back online, so an exact preview is possible.",
    .key(.delete, "show the preview"))
  /// Returns the notice that a row cannot be deleted, because other rows reference it.
  ///
  /// - Parameter references: The number of referencing rows in each namespace.
  package static func stillReferenced(
    _ name: String, by references: [(namespace: String, count: Int)]
  ) -> Notice {
    let total = references.reduce(0) { $0 + $1.count }
    let rows = references.map {
      "\(NumberText.count($0.count, "row")) in “\($0.namespace)”"
    }.joined(separator: ", ")
    return .error(
      "Cannot delete \(name): \(rows) \(total == 1 ? "references" : "reference") it. "
        + "Delete or re-link \(total == 1 ? "it" : "them") first.")
  }

  // MARK: Background work

  static let renderingText = "Rendering the text"
  static let previewingDeletion = "Checking what would be deleted"
  package static func working(_ title: String, rows: Int?) -> Notice {
    Notice(
      title
        + (rows.map { ", \(NumberText.count($0, "row")) so far" } ?? "")
        + " …", .key(.cancel, "cancel"))
  }
  package static let workCanceled = Notice("Canceled.")

  // MARK: Done

  /// Returns the notice of a completed change.
  package static func done(_ summary: String, hints: [KeyHint] = []) -> Notice {
    Notice(summary + ".", hints: hints)
  }
  package static func doneWhilePaused(_ summary: String) -> Notice {
    Notice(
      "\(summary). The screen does not show it while live updates are paused.",
      .key(.pause, "resume"))
  }
  package static func doneForGood(_ summary: String) -> Notice {
    Notice(
      "\(summary). This cannot be undone, because the previous data was not kept.", .key(.changes))
  }

  // MARK: Undo

  package static func undoQueued(_ summary: String) -> Notice {
    Notice("This change will be undone as soon as it is stored: \(summary).", .key(.changes))
  }
  package static let undoQueuedAfterLater = Notice(
    "This change will be undone after the later changes are undone.", .key(.changes))
  package static let nothingToUndo = Notice(
    "There is no data change to undo.", .key(.undo, "undo a query change"))
  package static let nothingToRedoInData = Notice(
    "There is no data change to redo.", .key(.redo, "redo a query change"))

  // MARK: Staging

  package static let stagingOn = Notice(
    "Staging on: changes are collected until you send them.", .key(.hold, "send"),
    .key(.changes, "review"))
  package static let stagingOff = Notice(
    "Staging off: changes are sent immediately.", .key(.hold, "stage changes"))
  package static func staged(_ count: Int) -> Notice {
    Notice(
      "\(NumberText.count(count, "change")) staged.", .key(.hold, "send"),
      .key(.undoTransaction, "unstage the last"))
  }
  package static func unstaged(_ summary: String) -> Notice {
    Notice("Removed the staged change “\(summary)”.", .key(.hold, "send or discard the rest"))
  }
  package static let stagedForDeletion = Notice(
    "Already staged for deletion.", .key(.undoTransaction, "unstage"))
  package static func sending(_ state: String) -> Notice {
    Notice("\(state).", .key(.undoTransaction, "undo when it is stored"))
  }
  package static func discarded(_ count: Int, isSending: Bool) -> Notice {
    isSending
      ? Notice("\(NumberText.count(count, "change")) discarded. The others are still being sent.")
      : Notice(
        "\(NumberText.count(count, "change")) discarded. Staging off.", .key(.hold, "stage changes")
      )
  }
  package static func restoredStaged(_ count: Int) -> Notice {
    Notice(
      "\(NumberText.count(count, "change")) staged in an earlier session.",
      .key(.hold, "send or discard"), .key(.changes, "review"))
  }
  package static func unreadableStaged(_ count: Int) -> Notice {
    Notice(
      "\(NumberText.count(count, "change")) staged in an earlier session cannot be read.",
      .key(.hold, "send or discard"), .key(.changes, "review"))
  }
  package static func stagedButReadOnly(_ count: Int, _ reason: String) -> Notice {
    Notice("\(NumberText.count(count, "change")) staged, but not sent: \(reason)")
  }
  package static func stagedUnavailable(_ reason: String) -> Notice {
    Notice("Cannot read the staged changes: \(reason)")
  }
  package static let cancelingChanges = Notice("Canceling the blocked changes …")

  // MARK: Rejected

  package static func rejected(_ reason: String) -> Notice { .error(reason) }
  package static func rejected(_ reason: String, typed command: Command) -> Notice {
    .error(reason, .key(command, "edit again"))
  }
  package static func undoRejected(_ reason: String) -> Notice {
    .error("Not undone: \(reason)", .key(.undoTransaction, "try again or skip …"))
  }
  package static func stagedRejected(_ reason: String) -> Notice {
    .error("The staged changes were not stored: \(reason)", .key(.hold, "send again or discard"))
  }
  package static func rejectedLater(_ count: Int, _ reason: String) -> Notice {
    .error(
      "\(NumberText.count(count, "change")) made offline \(count == 1 ? "was" : "were") rejected: \(reason)",
      .key(.changes))
  }
}

/// Texts that describe a change, for notices and for the list of staged changes.
enum ChangeSummary {
  static func updated(_ label: String) -> String { "\(label) updated" }
  static func updated(_ label: String, to value: Value, rows: Int) -> String {
    // The typed word could have been meant as a text.
    let summary = value == .null ? "\(label) is now null" : updated(label)
    return rows == 1 ? summary : "\(summary) in \(NumberText.grouped(rows)) rows"
  }
  static func created(_ name: String) -> String { "Created \(name)" }
  static func linked(_ label: String, to name: String, rows: Int) -> String {
    "\(label) linked to \(name)" + (rows == 1 ? "" : " in \(NumberText.grouped(rows)) rows")
  }
  static func unlinked(_ name: String) -> String { "\(name) unlinked" }
  static func deleted(_ name: String) -> String { "Deleted \(name)" }
  static func sent(_ count: Int) -> String { "\(NumberText.count(count, "change")) sent" }
  /// Adds that the change is lost when the store closes.
  static func inMemory(_ summary: String) -> String { "\(summary), in memory only" }
  /// Adds the values that the database stores instead of the written ones.
  static func with(_ differing: [StoredValue], after summary: String) -> String {
    guard let first = differing.first else { return summary }
    if differing.count > 1 {
      let values = NumberText.count(differing.count, "value")
      return "\(summary). The database stored \(values) differently"
    }
    let text = TextWidth.truncated(
      CellText(first.value, of: first.attribute).text, to: maxStoredWidth)
    return "\(summary). The database stored \(first.attribute.label) as \(text)"
  }
  /// The maximum width of a stored value in a notice, in columns.
  private static let maxStoredWidth = 40
  /// Describes what a staged change replaces.
  ///
  /// - Parameter attribute: The attribute with the value; nil for a deletion.
  static func newer(_ value: Value, of attribute: Attribute?) -> String {
    guard let attribute else { return "the row changed meanwhile" }
    let text = TextWidth.truncated(CellText(value, of: attribute).text, to: maxStoredWidth)
    return "\(attribute.label) is now \(text.isEmpty ? "empty" : text)"
  }
  static let undone = "Undone"
  static let partlyUndone = "Undone, except for data that was not loaded"
  static let dequeued = "Undone, so the change will not be sent"
}

/// Texts for the limits of undoing a deletion, shown before it is confirmed.
enum UndoLimitWords {
  static let whole = "can be undone"
  static let offline = "undo restores everything while offline, but only loaded data after sending"
  static let rowIDTable = "a WITHOUT ROWID table"
  static let keylessTable = "a table without a key"
  static func upTo(_ rows: Int, except table: String?) -> String {
    "can be undone if at most \(NumberText.grouped(rows)) rows are deleted"
      + (table.map { ", none of them in \($0)" } ?? "")
  }
  static func tooManyRows(_ limit: Int) -> String {
    "cannot be undone (more than \(NumberText.grouped(limit)) rows)"
  }
  static func withoutRowID(_ tables: [String]) -> String {
    let names = tables.joined(separator: ", ")
    return "cannot be undone (\(names) \(tables.count == 1 ? "is a" : "are") WITHOUT ROWID "
      + (tables.count == 1 ? "table)" : "tables)")
  }
  static func withoutKey(_ tables: [String]) -> String {
    "cannot be undone (\(tables.joined(separator: ", ")) \(tables.count == 1 ? "has" : "have") no key)"
  }
}
