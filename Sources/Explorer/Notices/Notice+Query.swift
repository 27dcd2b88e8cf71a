import TerminalUI

// Notices about the query: its changes, filters, search, saved queries and explanations.
extension Notice {
  // MARK: Undo and history

  package static let nothingToUndoInQuery = Notice("There is no query change to undo.")
  package static let nothingToRedo = Notice("There is no query change to redo.")
  package static let onlySortKeys = Notice(
    "Only sort keys can be typed here. Other clauses belong to the whole query.")
  package static let onlyCondition = Notice(
    "Only a condition can be typed here. Other clauses belong to the whole query.")
  package static let noEarlierView = Notice("No earlier view.")
  package static let noLaterView = Notice("No later view.")
  package static let queryCanceled = Notice(
    "Query canceled.", .key(.undo, "undo the last query change"))
  package static func spelled(as name: String) -> Notice {
    Notice("Query shown as \(name).", .key(.paneQuery))
  }
  package static func willBeShown(as form: String) -> Notice {
    Notice("Results will be shown in the \(form) view.", .key(.form, "other views"))
  }
  package static func shown(as form: String) -> Notice {
    Notice("Results shown in the \(form) view.", .key(.paneResults, "go to the results"))
  }

  // MARK: Typing

  package static let fixErrorFirst = Notice("Fix the error first.", .press(.escape, "cancel"))
  package static let alreadyComplete = Notice(
    "The text is already complete.", .press(.enter, "apply"))
  /// Returns the notice that a word on the command line names nothing.
  ///
  /// - Parameter suggestion: Advice, or the namespaces that may be meant; nil if there are too many.
  package static func unknownWord(
    _ word: String, in store: String, _ suggestion: String?
  ) -> Notice {
    let sentence = "'\(word)' is neither a namespace of \(store) nor another store, such as a file."
    return Notice(suggestion.map { sentence + " " + $0 } ?? sentence)
  }
  package static let unappliedInput = Notice(
    "Your input is not applied yet.", .press(.enter, "apply"), .press(.escape, "discard"))
  package static func notApplied(_ command: Command) -> Notice {
    Notice("Your input was not applied.", .key(command, "and then ↑ to get it back"))
  }
  package static let nothingToPasteInto = Notice(
    "No text field to paste into.", .key(.filterText), .key(.queryText))
  package static func tooLongToPaste(_ size: String, limit: String) -> Notice {
    Notice(
      "Not pasted: with \(size) more, this line would exceed its limit of \(limit).",
      .press(.control("u"), "clear the line"))
  }
  package static let lineFull = Notice(
    "This line has reached its maximum length.", .press(.control("u"), "clear the line"))
  package static let noEarlierLine = Notice(
    "There is no other input to recall.", .press(.escape, "cancel"))
  package static let noViCommand = Notice(
    "This key does nothing in vi mode.", .press(.character("i"), "insert text"))

  // MARK: Filter by cell

  package static let noCellSelected = Notice(
    "No cell selected.", .key(.filterText, "type a filter"))
  package static func loadingLink(_ label: String) -> Notice {
    Notice("Still loading “\(label)”. Try again in a moment.")
  }
  package static let cannotExclude = Notice(
    "This value cannot be excluded by a filter.", .key(.filterByCell, "other filters"))
  package static let notFilterable = Notice(
    "Lists and objects cannot be filtered by value.", .key(.filterText, "test for null"))
  package static let textTooLongToFilter = Notice(
    "This text is too long to filter by.", .key(.filterText, "filter by a part of it, with “like”"))

  package static let filtersCleared = Notice("Cleared all filters.", .key(.undo, "restore them"))
  package static let noFilters = Notice(
    "The query has no filters.", .key(.filterText, "type a filter"))

  // MARK: Groups

  package static func replacedSort(_ keys: String) -> Notice {
    Notice(
      "Replaced the sort “\(keys)”.",
      hints: [.key(.undo, "undo"), .key(.orderFurther, "add a column instead")])
  }
  package static func grouped(by label: String) -> Notice {
    Notice(
      "Grouped by “\(label)”.", .key(.open, "show the rows of a group"), .key(.aggregate, "sums"),
      .key(.undo))
  }
  package static func addedAggregate(_ text: String) -> Notice {
    Notice("Added “\(text)”.", .key(.hideColumn, "remove"), .key(.undo))
  }
  package static func removedAggregate(_ text: String) -> Notice {
    Notice("Removed “\(text)”.", .key(.aggregate, "add another"), .key(.undo))
  }
  package static let onlyAggregate = Notice(
    "The only aggregate cannot be removed.", .key(.aggregate, "add another"))
  package static let aggregated = Notice(
    "The result is now one row, computed from all rows.", .key(.group, "group"), .key(.undo))

  // MARK: Find

  package static func nothingToSearch(in title: String) -> Notice {
    Notice("\(title) has no lines to search.", .key(.cancel))
  }
  package static let noSearch = Notice("There is no search yet.", .key(.find))
  package static func notFound(_ text: String) -> Notice {
    Notice("No match for “\(text)”.", .key(.find))
  }
  /// Returns the notice that the first rows of a store that is still loading contain no match.
  package static func notFoundYet(_ text: String) -> Notice {
    Notice("No match for “\(text)” in the rows loaded so far.", .key(.find))
  }
  package static func noNamespaceMatches(_ text: String) -> Notice {
    Notice(
      "No namespace matches “\(text)”. To search rows, focus Results first.",
      .press(.escape, "cancel"))
  }
  package static func noOtherMatch(_ text: String) -> Notice {
    Notice("No other match for “\(text)”.", .key(.find))
  }
  package static func match(_ place: MatchPlace) -> Notice {
    Notice("Match \(place.text).", .key(.findNext), .key(.findPrevious))
  }
  package static func searching(rows: Int) -> Notice {
    Notice("Searching \(NumberText.grouped(rows)) rows …", .key(.cancel, "cancel"))
  }
  package static func searched(_ count: Int, of rows: Int) -> Notice {
    Notice(
      "Searched \(NumberText.grouped(count)) of \(NumberText.grouped(rows)) rows …",
      .key(.cancel, "cancel"))
  }

  // MARK: Saved queries

  package static func saved(_ name: String, replacing former: String?) -> Notice {
    Notice(
      "Saved as “\(name)”" + (former.map { ", replacing \($0)." } ?? "."),
      .key(.savedQueries, "saved queries"))
  }
  package static let nothingSaved = Notice("No saved or recent queries yet.", .key(.saveQuery))
  package static let historyNotDeletable = Notice(
    "History entries cannot be deleted; only saved queries can.")
  package static let emptyQuery = Notice("This query is empty.", .key(.queryText))
  package static let queryAlreadyShown = Notice("This query is already shown.", .key(.cancel))
  package static func savedQueryDeleted(_ name: String) -> Notice {
    Notice("Deleted the saved query “\(name)”.", .key(.undoTransaction, "restore"))
  }
  package static let savedQueriesReloaded = Notice(
    "The list of saved queries was reloaded.", .key(.cancel))
  package static let nameNeeded = Notice("Enter a name.")
  package static let nameWithSlash = Notice(
    "A name cannot contain “/”: sonde query STORE @NAME would read it as a path.")

  // MARK: Explain

  package static func askingToExplain(_ source: String) -> Notice {
    Notice("Waiting for the \(source) to explain this row …", .key(.help))
  }
  package static let explainedAgain = Notice("The explanation is up to date.", .key(.cancel))

  // MARK: Relations

  package static func nested(_ label: String) -> Notice {
    Notice("Added “\(label)” to the query to load its rows.", .key(.undo))
  }
  package static func tooManyLevels(limit: Int) -> Notice {
    Notice("Relations can be nested at most \(limit) levels deep.", .key(.fold))
  }
  package static let alreadyExpanded = Notice("Already expanded.", .key(.fold))
  package static let alreadyFolded = Notice("Already collapsed.", .key(.expand))
  package static let noLinks = Notice("This namespace has no links.", .key(.cancel))
}
