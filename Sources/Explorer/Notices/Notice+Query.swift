import TerminalUI

// Notices about the query: its changes, filters, search, saved queries and explanations.
extension Notice {
  // MARK: Undo and history

  package static let nothingToUndoInQuery = Notice(
    "Nothing to undo in the query.", hints: [.key(.undoTransaction, "undo a data change")])
  package static let nothingToRedo = Notice("Nothing to redo.")
  package static let noEarlierView = Notice("No earlier view.")
  package static let noLaterView = Notice("No later view.")
  package static let queryCanceled = Notice(
    "Query canceled.", hints: [.key(.undo, "undo the last query change")])
  package static func spelled(as name: String) -> Notice {
    Notice("Query shown as \(name).", hints: [.key(.paneQuery)])
  }
  package static func willBeShown(as form: String) -> Notice {
    Notice("Results will be shown in the \(form) view.", hints: [.key(.form, "other views")])
  }
  package static func shown(as form: String) -> Notice {
    Notice("Results shown in the \(form) view.", hints: [.key(.paneResults, "go to the results")])
  }

  // MARK: Typing

  package static let fixErrorFirst = Notice(
    "Fix the error first.", hints: [.press(.escape, "cancel")])
  package static let alreadyComplete = Notice(
    "There is nothing to complete.", hints: [.press(.enter, "apply")])
  package static let unappliedInput = Notice(
    "Unapplied input.", hints: [.press(.enter, "apply"), .press(.escape, "discard")])
  package static func notApplied(_ command: Command) -> Notice {
    Notice("Not applied.", hints: [.key(command, "and ↑ to get the text back")])
  }
  package static let nothingToPasteInto = Notice(
    "No text field to paste into.", hints: [.key(.filterText), .key(.queryText)])
  package static func tooLongToPaste(_ size: String, limit: String) -> Notice {
    Notice(
      "Not pasted: \(size) more would exceed the limit of \(limit) per line.",
      hints: [.press(.control("u"), "clear it")])
  }
  package static let lineFull = Notice(
    "The line is full.", hints: [.press(.control("u"), "clear it")])
  package static let noEarlierLine = Notice(
    "No earlier input here.", hints: [.press(.escape, "cancel")])
  package static let noViCommand = Notice(
    "This key does nothing here.", hints: [.press(.character("i"), "insert")])

  // MARK: Filter by cell

  package static let noCellSelected = Notice(
    "No cell selected.", hints: [.key(.filterText, "type a filter")])
  package static func loadingLink(_ label: String) -> Notice {
    Notice("Still loading “\(label)”. Try again in a moment.")
  }
  package static let cannotExclude = Notice(
    "No filter excludes this value.", hints: [.key(.filterByCell, "other filters")])
  package static let notFilterable = Notice(
    "Lists and objects cannot be filtered by value.", hints: [.key(.filterText, "test for null")])
  package static let textTooLongToFilter = Notice(
    "This text is too long to filter by.",
    hints: [.key(.filterText, "filter by a part of it, with “like”")])

  // MARK: Groups

  package static func grouped(by label: String) -> Notice {
    Notice(
      "Grouped by “\(label)”.",
      hints: [.key(.open, "show the rows of a group"), .key(.aggregate, "sums"), .key(.undo)])
  }
  package static let aggregated = Notice(
    "All rows are summarized in one row.", hints: [.key(.undo)])

  // MARK: Find

  package static func nothingToSearch(in title: String) -> Notice {
    Notice("\(title) has no lines to search.", hints: [.key(.cancel)])
  }
  package static let noSearch = Notice("No search yet.", hints: [.key(.find)])
  package static func notFound(_ text: String) -> Notice {
    Notice("No match for “\(text)”.", hints: [.key(.find)])
  }
  package static func noOtherMatch(_ text: String) -> Notice {
    Notice("No other match for “\(text)”.", hints: [.key(.find)])
  }
  package static func match(_ number: Int, of count: Int) -> Notice {
    Notice(
      "Match \(NumberText.grouped(number)) of \(NumberText.grouped(count)).",
      hints: [.key(.findNext), .key(.findPrevious)])
  }
  package static func searching(rows: Int) -> Notice {
    Notice("Searching \(NumberText.grouped(rows)) rows …", hints: [.key(.cancel, "cancel")])
  }
  package static func searched(_ count: Int, of rows: Int) -> Notice {
    Notice(
      "Searched \(NumberText.grouped(count)) of \(NumberText.grouped(rows)) rows …",
      hints: [.key(.cancel, "cancel")])
  }

  // MARK: Saved queries

  package static func saved(_ name: String, replacing former: String?) -> Notice {
    Notice(
      "Saved as “\(name)”" + (former.map { ", replacing \($0)." } ?? "."),
      hints: [.key(.savedQueries, "saved queries")])
  }
  package static let nothingSaved = Notice("Nothing saved yet.", hints: [.key(.saveQuery)])
  package static let historyNotDeletable = Notice(
    "History entries cannot be deleted; only saved queries can.")
  package static let emptyQuery = Notice("This query is empty.", hints: [.key(.queryText)])
  package static let queryAlreadyShown = Notice(
    "This query is already shown.", hints: [.key(.cancel)])
  package static func savedQueryDeleted(_ name: String) -> Notice {
    Notice("Deleted the saved query “\(name)”.", hints: [.key(.undoTransaction, "restore")])
  }
  package static let savedQueriesReloaded = Notice(
    "The list of saved queries was reloaded.", hints: [.key(.cancel)])
  package static let nameNeeded = Notice("Enter a name.")
  package static let nameWithSlash = Notice(
    "A name cannot contain “/”: sonde query STORE @NAME would read it as a path.")

  // MARK: Explain

  package static func askingToExplain(_ source: String) -> Notice {
    Notice("Waiting for the \(source) …", hints: [.key(.help)])
  }
  package static let explainedAgain = Notice(
    "The explanation is up to date.", hints: [.key(.cancel)])

  // MARK: Relations

  package static func nested(_ label: String) -> Notice {
    Notice("Added “\(label)” to the query to load it.", hints: [.key(.undo)])
  }
  package static func tooManyLevels(limit: Int) -> Notice {
    Notice("Relations can be nested at most \(limit) levels deep.", hints: [.key(.fold)])
  }
  package static let alreadyExpanded = Notice("Already expanded.", hints: [.key(.fold)])
  package static let alreadyFolded = Notice("Already collapsed.", hints: [.key(.expand)])
  package static let noLinks = Notice("This namespace has no links.", hints: [.key(.cancel)])
}
