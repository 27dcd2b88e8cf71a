// Notices about results: missing rows, columns, links, selection and value counts.
extension Notice {
  // MARK: No rows

  package static let loadingResults = Notice("Results are still loading.")
  package static let noResults = Notice("No results: the query failed.")
  package static let selectRow = Notice("Select a row first.")
  package static let noRows = Notice("No rows.")
  package static func noRows(of namespace: String) -> Notice {
    Notice("\(namespace) has no rows.", .key(.paneNamespaces, "choose another namespace"))
  }
  package static let noRowMatches = Notice("No rows match.")
  package static func noRowMatches(because reason: String) -> Notice {
    Notice("\(noRowMatches.text) \(reason)")
  }
  package static func noneLinked(_ namespace: String, to name: String) -> Notice {
    Notice("No \(namespace) linked to “\(name)”.")
  }
  package static let noGroups = Notice("No rows match, so there are no groups.", .key(.queryText))
  package static func pastEnd(rows: Int) -> Notice {
    Notice("This page is empty: it starts after the last of \(NumberText.grouped(rows)) rows.")
  }
  package static func namespaceGone(_ namespace: String) -> Notice {
    Notice(
      "“\(namespace)” is no longer in the store.", .key(.paneNamespaces, "choose another namespace")
    )
  }
  package static func moreLinked(_ count: Int, isCut: Bool = false) -> Notice {
    Notice("… \(NumberText.grouped(count))\(isCut ? "+" : "") more", .key(.open, "open all"))
  }

  // MARK: Links

  package static let notALink = Notice("This is not a link. Links are marked → (one) or ⇉ (many).")
  /// Returns the notice about a broken reference.
  ///
  /// - Parameter key: The value of the foreign key.
  package static func brokenReference(to target: String, key: String, canEdit: Bool) -> Notice {
    Notice(
      "Broken reference: no row of “\(target)” has the key \(key).",
      hints: canEdit ? [.key(.edit, "choose another")] : [])
  }
  package static func linkNotSet(_ label: String, canEdit: Bool) -> Notice {
    Notice("“\(label)” is not set.", hints: canEdit ? [.key(.edit, "set it")] : [])
  }
  package static func inferredLink(_ label: String, to target: String) -> Notice {
    Notice(
      "“\(label)” is not declared as a link. Its value was looked up as a key of \(target).",
      .key(.back))
  }
  package static let onlyLinksExpand = Notice(
    "There is nothing to expand or collapse here. Links are marked → (one) or ⇉ (many).")
  package static let allLinksListed = Notice("All linked rows are listed.")
  package static func firstLinksListed(_ count: Int) -> Notice {
    Notice("Only the first \(count) linked rows are listed.", .key(.expand))
  }

  // MARK: Expanding

  package static let nothingToExpand = Notice("This record has nothing to expand.", .key(.cancel))
  package static let nothingNested = Notice("This value has no nested values.", .key(.form))
  package static let noRowToExpand = Notice("No row to expand.", .key(.queryText))
  package static let noRowToFold = Notice("No row to collapse.", .key(.queryText))
  package static let selectNestedRow = Notice("Move the cursor to one of the linked rows first.")
  package static let nothingLinked = Notice(
    "Nothing is linked to this row.", .key(.open, "show the row"))
  package static func tooDeep(limit: Int) -> Notice {
    Notice("Cannot expand further: the limit is \(limit) levels.", .key(.open))
  }
  package static let rowIsGroup = Notice(
    "Not possible here: this row is a group of rows.", .key(.open, "show its rows"))
  package static let onlyIncluded = Notice(
    "Only relations that the query includes are shown here.", .key(.relations))
  package static let nothingExpanded = Notice("Nothing is expanded under this row.", .key(.expand))

  // MARK: Columns

  package static let noColumn = Notice("No column selected.", .key(.form, "back to the table"))
  package static let noColumnToSort = Notice("No column selected.", .key(.orderText))
  package static func cannotSort(_ label: String) -> Notice {
    Notice("Cannot sort by “\(label)”: the linked rows have no name to sort by.", .key(.orderText))
  }
  package static func columnsOfQuery(_ label: String) -> Notice {
    Notice("The columns of “\(label)” can only be changed in the query.", .key(.queryText))
  }
  package static let columnsOfGroups = Notice(
    "The columns of groups can only be changed in the query.", .key(.queryText))
  package static let lastColumn = Notice(
    "The only visible column cannot be hidden.", .key(.columns))
  package static func hid(_ label: String) -> Notice {
    Notice("Hid column “\(label)”.", .key(.undo, "undo"), .key(.columns, "restore"))
  }
  package static func fitted(_ label: String) -> Notice {
    Notice("Fitted column “\(label)” to its values.", .key(.fitColumn, "undo"))
  }
  package static func unfitted(_ label: String) -> Notice {
    Notice("Reset column “\(label)” to its default width.", .key(.fitColumn))
  }
  package static func froze(_ label: String) -> Notice {
    Notice("Froze column “\(label)”.", .key(.freezeColumn, "unfreeze"))
  }
  package static func unfroze(_ label: String) -> Notice {
    Notice("Unfroze column “\(label)”.", .key(.freezeColumn))
  }
  package static let columnsRestored = Notice("Columns restored.", .key(.redo, "redo"))
  package static func movedColumn(_ label: String) -> Notice {
    Notice("Moved column “\(label)”.", .key(.undo, "undo"))
  }
  package static let alreadyFirst = Notice(
    "The column cannot move further left.", .key(.moveColumnRight))
  package static let alreadyLast = Notice(
    "The column cannot move further right.", .key(.moveColumnLeft))
  package static let widest = Notice("The column is already at its widest.", .key(.narrower))
  package static let narrowest = Notice("The column is already at its narrowest.", .key(.wider))
  package static let alreadyReset = Notice("All columns already have their default settings.")

  // MARK: Counted values

  package static func noValuesToCount(of label: String) -> Notice {
    Notice("No rows, so “\(label)” has no values to count.", .key(.cancel))
  }
  package static let countingCanceled = Notice("Counting canceled.")
  package static func onlyQueryColumnsCount(_ label: String) -> Notice {
    Notice("Cannot count or group by a column of expanded rows.", .key(.open, "open \(label)"))
  }
  package static let countHasNoRows = Notice(
    "The result is a count, so there are no rows.", .key(.queryText))
  package static let noValueSelected = Notice("No value selected.", .key(.cancel))
  package static let formerValues = Notice(
    "Cannot filter by these values: they belong to the previous query.", .key(.cancel))
  package static let valueNotFilterable = Notice(
    "Lists and objects cannot be filtered by value.", .key(.cancel))

  // MARK: Selection

  package static let noneSelected = Notice("No rows selected.", .key(.mark, "select"))
  package static func selectedNotLoaded(_ count: Int) -> Notice {
    Notice(
      count == 1
        ? "The selected row is not loaded."
        : "The \(NumberText.grouped(count)) selected rows are not loaded.",
      .key(.marks, "deselect …"))
  }
  package static func selectedGone(_ count: Int) -> Notice {
    Notice(
      count == 1
        ? "The selected row no longer exists."
        : "The \(NumberText.grouped(count)) selected rows no longer exist.",
      .key(.marks, "deselect …"))
  }
  package static let nothingToSelect = Notice(
    "No rows to select.", .key(.undo, "undo the last query change"))
  package static func tooManyToSelect(limit: Int) -> Notice {
    Notice("Too many rows to select (limit \(NumberText.grouped(limit))).", .key(.filterText))
  }
}
