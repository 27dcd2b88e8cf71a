import Explorer
import Foundation
import InstaQL
import TerminalUI
import Testing

/// Every notice, each with an example of what it is about.
enum NoticeTable {
  static let changes: [(name: String, notice: Notice)] = [
    ("selectCell", .selectCell),
    ("selectValueOrLink", .selectValueOrLink),
    ("rowGone", .rowGone),
    ("entityGone", .entityGone),
    ("idsCannotChange", .idsCannotChange),
    ("lineBreaksReplaced", .lineBreaksReplaced),
    ("unchanged", .unchanged("height")),
    ("changedMeanwhile", .changedMeanwhile(to: "Fig")),
    ("stillSearching", .stillSearching),
    ("noneOf", .noneOf("plants")),
    ("notOf", .notOf("plants")),
    ("noIDs", .noIDs(in: "plants")),
    ("linkEmpty", .linkEmpty),
    ("onlyField", .onlyField),
    ("required", .required("height", isText: false)),
    ("requiredText", .required("name", isText: true)),
    ("formKeys", .formKeys(missing: "Fig")),
    ("leavingForm", .leavingForm),
    ("checkingDeletion", .checkingDeletion),
    ("deletionAbandoned", .deletionAbandoned),
    ("exactPreviewAvailable", .exactPreviewAvailable),
    ("stillReferenced", .stillReferenced("Fig", by: [(namespace: "orders", count: 3)])),
    ("working", .working("Results", rows: 1)),
    ("workCanceled", .workCanceled),
    ("done", .done("height updated")),
    ("doneWhilePaused", .doneWhilePaused("height updated")),
    ("doneForGood", .doneForGood("height updated")),
    ("undoQueued", .undoQueued("height updated")),
    ("undoQueuedAfterLater", .undoQueuedAfterLater),
    ("nothingToUndo", .nothingToUndo),
    ("nothingToRedoInData", .nothingToRedoInData),
    ("stagingOn", .stagingOn),
    ("stagingOff", .stagingOff),
    ("staged", .staged(3)),
    ("unstaged", .unstaged("height updated")),
    ("stagedForDeletion", .stagedForDeletion),
    ("sending", .sending("1 change being sent")),
    ("discarded", .discarded(3, isSending: true)),
    ("restoredStaged", .restoredStaged(3)),
    ("unreadableStaged", .unreadableStaged(3)),
    ("stagedButReadOnly", .stagedButReadOnly(3, "The disk is full")),
    ("stagedUnavailable", .stagedUnavailable("The disk is full")),
    ("cancelingChanges", .cancelingChanges),
    ("rejected", .rejected("The disk is full")),
    ("rejected", .rejected("The disk is full", typed: .edit)),
    ("undoRejected", .undoRejected("The disk is full")),
    ("stagedRejected", .stagedRejected("The disk is full")),
    ("rejectedLater", .rejectedLater(3, "The disk is full")),
  ]

  static let output: [(name: String, notice: Notice)] = [
    ("copied", .copied(bytes: 1_200)),
    ("tooLongToCopy", .tooLongToCopy(limit: 20)),
    ("tooManyRowsToCopy", .tooManyRowsToCopy(12_500)),
    ("exported", .exported(rows: 1, to: "plants.csv", bytes: 1)),
    ("piped", .piped(rows: 5, into: "wc -l")),
    ("commandRunning", .commandRunning("Count")),
    ("commandCanceled", .commandCanceled("Count")),
    (
      "commandEnded",
      .commandEnded(ShellCommand("", name: "Count", output: .none), CommandOutput(status: 0))
    ),
    (
      "commandEnded",
      .commandEnded(
        ShellCommand("", name: "Count", output: .notice),
        CommandOutput(status: 0, text: "12\n13\n"))
    ),
    (
      "commandEnded",
      .commandEnded(
        ShellCommand("", name: "Count", output: .pager),
        CommandOutput(status: 141, text: "12\n13\n", isCut: true), isHidden: true)
    ),
    ("commandFailed", .commandFailed("Count", status: 2, error: "wc: no such file")),
    ("commandFailed", .commandFailed("Count", status: 130, error: nil)),
    ("commandFailed", .commandFailed("Count", status: 137, error: nil)),
    ("commandNotRun", .commandNotRun("Count", "Cannot run 'sh': no such file.")),
    ("commandChanged", .commandChanged("Count")),
    ("commandOnlyFor", .commandOnlyFor("Count", ["plants", "beds"])),
    ("commandNeedsRow", .commandNeedsRow("Count")),
    ("outputCut", .outputCut),
    ("projectCommands", .projectCommands(2, in: ".sonde.toml")),
    ("commandNeeded", .commandNeeded),
    ("storeNotPipeable", .storeNotPipeable),
    ("notOverwritten", .notOverwritten("plants.csv")),
    ("exportFailed", .exportFailed("The disk is full")),
    ("exportCanceled", .exportCanceled),
    ("stillExporting", .stillExporting),
    ("onlyTheseRows", .onlyTheseRows),
    ("onlyTheseColumns", .onlyTheseColumns),
    ("noPath", .noPath),
    ("createsFolder", .createsFolder("/data/new")),
    ("paths", .paths(["data/a.csv", "data/b/"])),
    ("stillNaming", .stillNaming),
    ("typeFileName", .typeFileName),
    ("fileNameNeeded", .fileNameNeeded),
    ("exportKeys", .exportKeys("save")),
    ("overwrites", .overwrites("plants.csv")),
    ("exporting", .exporting),
    ("exporting", .exporting("3 of 7 rows")),
    ("notForPager", .notForPager("Results")),
    ("pagerFailed", .pagerFailed("The disk is full")),
    ("tooLongForPager", .tooLongForPager("The disk is full")),
    ("unedited", .unedited(again: .key(.outside))),
    ("editorFailed", .editorFailed("The disk is full", again: .key(.outside))),
    ("editedTextTooLong", .editedTextTooLong),
  ]

  static let panes: [(name: String, notice: Notice)] = [
    ("unusedKey", .unusedKey(.character("#"), in: "Results", .key(.help))),
    ("unusedKey", .unusedKey(.character("#"), in: "this menu", .key(.cancel))),
    ("unusedKey", .unusedKey(.character("#"), in: "Filter", .press(.escape, "cancel"))),
    ("notAvailable", .notAvailable(in: "Results")),
    ("keysQueued", .keysQueued(3)),
    ("queueFull", .queueFull),
    ("queuedKeysDiscarded", .queuedKeysDiscarded),
    ("alreadyOpen", .alreadyOpen("Results")),
    ("noMatch", .noMatch),
    ("farMatch", .farMatch("po")),
    ("alreadyWritable", .alreadyWritable),
    ("nothingToOpen", .nothingToOpen),
    ("unsavedInput", .unsavedInput),
    ("tooManyTabs", .tooManyTabs(limit: 20)),
    ("tabOpened", .tabOpened(3)),
    ("onlyTab", .onlyTab),
    ("noDivider", .noDivider(behind: "Results")),
    ("onePane", .onePane),
    ("windowTooNarrow", .windowTooNarrow),
    ("dividerAtEnd", .dividerAtEnd),
    ("paneSizesReset", .paneSizesReset),
    ("zoomed", .zoomed("Results")),
    ("noOtherTheme", .noOtherTheme),
    ("noThemes", .noThemes),
    ("themeShown", .themeShown("Fig", lasting: "Fig")),
    ("themeReloaded", .themeReloaded("Fig")),
    ("themeBroken", .themeBroken("The disk is full")),
    ("themeUnavailable", .themeUnavailable("The disk is full")),
    ("mouseCaptured", .mouseCaptured),
    ("mouseReleased", .mouseReleased),
  ]

  static let query: [(name: String, notice: Notice)] = [
    ("nothingToUndoInQuery", .nothingToUndoInQuery),
    ("nothingToRedo", .nothingToRedo),
    ("onlySortKeys", .onlySortKeys),
    ("onlyCondition", .onlyCondition),
    ("noEarlierView", .noEarlierView),
    ("noLaterView", .noLaterView),
    ("queryCanceled", .queryCanceled),
    ("spelled", .spelled(as: "Fig")),
    ("willBeShown", .willBeShown(as: "tree")),
    ("shown", .shown(as: "tree")),
    ("fixErrorFirst", .fixErrorFirst),
    ("alreadyComplete", .alreadyComplete),
    ("unknownWord", .unknownWord("plans", in: "garden", "Did you mean 'plants'?")),
    ("unappliedInput", .unappliedInput),
    ("notApplied", .notApplied(.queryText)),
    ("nothingToPasteInto", .nothingToPasteInto),
    ("tooLongToPaste", .tooLongToPaste("2 MB", limit: "64 kB")),
    ("lineFull", .lineFull),
    ("noViCommand", .noViCommand),
    ("noCellSelected", .noCellSelected),
    ("loadingLink", .loadingLink("height")),
    ("cannotExclude", .cannotExclude),
    ("notFilterable", .notFilterable),
    ("filtersCleared", .filtersCleared),
    ("noFilters", .noFilters),
    ("textTooLongToFilter", .textTooLongToFilter),
    ("nothingToSearch", .nothingToSearch(in: "Results")),
    ("noSearch", .noSearch),
    ("notFound", .notFound("fig")),
    ("notFoundYet", .notFoundYet("fig")),
    ("noNamespaceMatches", .noNamespaceMatches("fig")),
    ("noOtherMatch", .noOtherMatch("fig")),
    ("match", .match(MatchPlace(number: 2, count: 12, column: "bed"))),
    ("searching", .searching(rows: 12_500)),
    ("searched", .searched(3, of: 12_500)),
    ("saved", .saved("Fig", replacing: "Fig")),
    ("nothingSaved", .nothingSaved),
    ("historyNotDeletable", .historyNotDeletable),
    ("emptyQuery", .emptyQuery),
    ("savedQueryDeleted", .savedQueryDeleted("two")),
    ("noEarlierLine", .noEarlierLine),
    ("replacedSort", .replacedSort("bed, name desc")),
    ("grouped", .grouped(by: "bed")),
    ("aggregated", .aggregated),
    ("addedAggregate", .addedAggregate("sum(height)")),
    ("removedAggregate", .removedAggregate("sum(height)")),
    ("onlyAggregate", .onlyAggregate),
    ("queryAlreadyShown", .queryAlreadyShown),
    ("savedQueriesReloaded", .savedQueriesReloaded),
    ("nameNeeded", .nameNeeded),
    ("nameWithSlash", .nameWithSlash),
    ("askingToExplain", .askingToExplain("server")),
    ("explainedAgain", .explainedAgain),
    ("nested", .nested("height")),
    ("tooManyLevels", .tooManyLevels(limit: 20)),
    ("alreadyExpanded", .alreadyExpanded),
    ("alreadyFolded", .alreadyFolded),
    ("noLinks", .noLinks),
  ]

  static let results: [(name: String, notice: Notice)] = [
    ("loadingResults", .loadingResults),
    ("noResults", .noResults),
    ("selectRow", .selectRow),
    ("noRows", .noRows),
    ("noRows", .noRows(of: "plants")),
    ("noRowMatches", .noRowMatches),
    ("noRowMatches", .noRowMatches(because: "No beds row has the name \"x\".")),
    ("noneLinked", .noneLinked("plants", to: "Fallow")),
    ("noGroups", .noGroups),
    ("pastEnd", .pastEnd(rows: 12_500)),
    ("namespaceGone", .namespaceGone("plants")),
    ("moreLinked", .moreLinked(3)),
    ("notALink", .notALink),
    ("brokenReference", .brokenReference(to: "beds", key: "7", canEdit: true)),
    ("linkNotSet", .linkNotSet("height", canEdit: true)),
    ("inferredLink", .inferredLink("height", to: "beds")),
    ("onlyLinksExpand", .onlyLinksExpand),
    ("allLinksListed", .allLinksListed),
    ("firstLinksListed", .firstLinksListed(5)),
    ("nothingNested", .nothingNested),
    ("noRowToExpand", .noRowToExpand),
    ("noRowToFold", .noRowToFold),
    ("selectNestedRow", .selectNestedRow),
    ("nothingLinked", .nothingLinked),
    ("nothingToExpand", .nothingToExpand),
    ("tooDeep", .tooDeep(limit: 20)),
    ("rowIsGroup", .rowIsGroup),
    ("onlyIncluded", .onlyIncluded),
    ("nothingExpanded", .nothingExpanded),
    ("noColumn", .noColumn),
    ("noColumnToSort", .noColumnToSort),
    ("cannotSort", .cannotSort("height")),
    ("columnsOfQuery", .columnsOfQuery("height")),
    ("columnsOfGroups", .columnsOfGroups),
    ("lastColumn", .lastColumn),
    ("hid", .hid("height")),
    ("fitted", .fitted("height")),
    ("unfitted", .unfitted("height")),
    ("froze", .froze("height")),
    ("unfroze", .unfroze("height")),
    ("columnsRestored", .columnsRestored),
    ("movedColumn", .movedColumn("height")),
    ("alreadyFirst", .alreadyFirst),
    ("alreadyLast", .alreadyLast),
    ("widest", .widest),
    ("narrowest", .narrowest),
    ("alreadyReset", .alreadyReset),
    ("noValuesToCount", .noValuesToCount(of: "height")),
    ("countingCanceled", .countingCanceled),
    ("onlyQueryColumnsCount", .onlyQueryColumnsCount("height")),
    ("countHasNoRows", .countHasNoRows),
    ("noValueSelected", .noValueSelected),
    ("formerValues", .formerValues),
    ("valueNotFilterable", .valueNotFilterable),
    ("noneSelected", .noneSelected),
    ("selectedNotLoaded", .selectedNotLoaded(3)),
    ("selectedGone", .selectedGone(1)),
    ("nothingToSelect", .nothingToSelect),
    ("tooManyToSelect", .tooManyToSelect(limit: 20)),
  ]

  static let store: [(name: String, notice: Notice)] = [
    ("loading", .loading),
    ("emptyStore", .emptyStore),
    ("noSchema", .noSchema),
    ("cancelLoading", .cancelLoading),
    ("openingStore", .openingStore("plan.sonde")),
    ("storeOpened", .storeOpened("plan.sonde")),
    ("storeNotOpened", .storeNotOpened("plan.sonde", "The disk is full")),
    ("tooManyStores", .tooManyStores(limit: 20)),
    ("storeClosed", .storeClosed),
    ("inOtherStore", .inOtherStore("plan.sonde", .rejected("The disk is full"))),
    ("alreadyConnected", .alreadyConnected),
    ("stale", .stale("The disk is full", .blocked(changes: 2))),
    ("blocked", .blocked(changes: 2)),
    ("paused", .paused),
    ("comparing", .comparing),
    ("cannotCompare", .cannotCompare),
    ("moreRowsComing", .moreRowsComing),
    ("running", .running(seconds: 12)),
    ("change", .change("Fig was added to plants")),
    ("changes", .changes(3, last: "Fig was added to plants")),
    ("changes", .changes(3, among: "Fig was added to plants")),
    ("unknownChanges", .unknownChanges),
    ("noChanges", .noChanges(inResultsUpTo: 3)),
    ("comparingStores", .comparingStores),
    ("tooManyChanges", .tooManyChanges),
    ("noChanges", .noChanges),
    ("noChangesInNamespace", .noChangesInNamespace),
    ("nothingStaged", .nothingStaged),
    ("nothingToCompare", .nothingToCompare),
    ("resultTooLargeToCompare", .resultTooLargeToCompare(maxRows: 3)),
    ("noDifferences", .noDifferences),
    ("noChangeSelected", .noChangeSelected),
    ("noLongerExists", .noLongerExists("Fig")),
    ("noLiveQueries", .noLiveQueries),
    ("loadingLiveQueries", .loadingLiveQueries),
    ("severalQueries", .severalQueries),
    ("sessionRestored", .sessionRestored),
    ("sessionLost", .sessionLost),
    ("settingsValid", .settingsValid),
    ("settingsReloaded", .settingsReloaded(later: "")),
    ("settingsBroken", .settingsBroken("config.toml, line 2: no value.")),
    ("settingChanged", .settingChanged("vi-keys", isOn: true)),
    ("motionAlwaysReduced", .motionAlwaysReduced),
    ("noSettingsFile", .noSettingsFile),
    ("notSaved", .notSaved("The disk is full")),
    ("cannotReadNotebook", .cannotReadNotebook("The disk is full")),
    ("keysInHelp", .keysInHelp),
  ]

  static let areas = [changes, output, panes, query, results, store]
  static let all = areas.flatMap { $0 }
}

/// Their wording is compared here alone; all other tests compare notices by value.
@Suite("Notices")
struct NoticeTests {
  @Test("read as recorded with the standard keymap")
  func wording() throws {
    var screen = try Screen(columns: 200, rows: 24)
    // Some keys are only bound in the results.
    var results = try Screen(columns: 200, rows: 24, query: QueryPlan("plants"))
    results.press("4")
    let lines = NoticeTable.all.map { name, notice in
      screen.handle(.notice(notice))
      guard screen.row(23).contains("  : ") else { return name + ":" + screen.row(23) }
      results.handle(.notice(notice))
      return name + ":" + results.row(23)
    }
    try expectScreen(lines.joined(separator: "\n"), named: "notices")
  }

  @Test("are all in the table")
  func complete() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Explorer/Notices")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasPrefix("Notice+") }
    #expect(files.count == NoticeTable.areas.count)
    let listed = Set(NoticeTable.all.map(\.name))
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /package static (?:let|func) (\w+)/) {
        #expect(listed.contains(String(match.output.1)), "\(match.output.1)")
      }
    }
  }

  @Test("have no key in the sentence and end with a period unless hints follow")
  func sentences() {
    let keys = /\b(?:press|hit) |\b(?:ctrl|alt)-[a-z]|\b(?:escape|enter|backspace)\b/
    for (name, notice) in NoticeTable.all {
      #expect(notice.text.firstMatch(of: keys) == nil, "\(name): \(notice.text)")
      #expect(!notice.text.isEmpty || !notice.hints.isEmpty, "\(name)")
      #expect(!notice.text.hasSuffix(" "), "\(name)")
    }
  }

  @Test("take keys from the keymap and omit those that cannot be typed")
  func hints() throws {
    let notice = Notice(
      "Done.", hints: [.key(.undo), .key(.form, "look"), .press(.enter, "go on")])
    var screen = try Screen(
      columns: 60, rows: 12,
      keymap: Keymap.standard.changed([.undo: [.alt("x")], .form: []]))
    screen.handle(.notice(notice))
    #expect(screen.row(11) == " Done.  alt-x undo  : view  enter go on", "\(screen.text)")
    screen.press("F")
    screen.handle(.notice(notice))
    #expect(screen.row(11) == " Done.  enter go on", "\(screen.text)")
  }

  @Test("wrap hints to rows of their own")
  func wrapping() throws {
    var screen = try Screen(columns: 40, rows: 12)
    screen.handle(
      .notice(Notice("A sentence of thirty letters ..", hints: [.key(.undo), .key(.help)])))
    #expect(screen.row(10) == " A sentence of thirty letters ..")
    #expect(screen.row(11) == " u undo  ? help")
  }
}
