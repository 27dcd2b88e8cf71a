import InstaQL
import LiveQueries
import Notebooks
package import TerminalUI
import Triples

/// The state of the whole screen. It is the only type that knows more than one pane.
///
/// `update` takes events and returns the effects to perform; `view` draws the frame. The workspace
/// uses no tasks, clocks or files, so tests can send events and compare effects and text.
package struct Workspace: Sendable, Equatable {
  package internal(set) var size: Size
  var settings: ExplorerSettings
  var store: StoreStatus
  /// The contents of the store; nil before its first snapshot.
  var catalog: Catalog?
  var namespaces = NamespacesPane()
  var prompt: PromptPane?
  /// The notice in the status line; nil once it was dismissed.
  package internal(set) var notice: Notice?
  /// The submitted lines of each kind of prompt, newest first.
  var submittedLines: [PromptPane.Purpose.History: [String]] = [:]
  /// The requests that have no response yet.
  var requests = RequestTable()
  /// The output of the last command that wrote any; nil if there is none.
  var commandText: CommandText?
  /// Whether this store is on the screen.
  var isInFront = true
  /// The selected rows of all namespaces.
  var marks = EntitySelection()
  /// The column settings of each namespace.
  var columns: [String: ColumnSettings] = [:]
  var spelling = QuerySpelling.text
  /// The changes of the store since it was opened.
  var log = ChangeLog()
  /// The pending changes of this session, and what can be undone. They can be newer than the
  /// snapshot.
  var changes = ChangesState()
  /// The changes of this session that are being sent, by number.
  var submitted: [Int: SubmittedChange] = [:]
  var lastSubmitted = 0
  /// The newest typed change that the store rejected; nil once it is typed again.
  var rejectedEdit: RejectedEdit?
  /// The effects of the staged changes, one per line.
  var stagedEntries: [ChangeEntry] = []
  /// The notice about the staged changes of an earlier session; nil once it was shown.
  var stagingReminder: Notice?
  /// The state of the search within a pane.
  var finding = Finding()
  /// The tab that is shown. `tabs` contains the others.
  var tab = Tab()
  var tabs = TabStrip()
  /// The data that the open panes need from outside the workspace.
  var needs = PaneNeeds()
  /// The initial view.
  var startup: StartupView
  /// Whether the shown query or tab is not persisted yet.
  var isViewNew = false
  /// The sizes of panes that the user changed.
  var sizes = PaneSizes()
  /// The place where a mouse button was last pressed.
  var pressed: MousePlace?
  /// The last mouse position in an open pane while its button is held; nil otherwise.
  var grip: Position?
  /// Auxiliary queries of a remote store.
  var sideQueries = SideQueries()

  /// Creates the screen of a store.
  ///
  /// - Parameters:
  ///   - storeName: The store's name in the header.
  ///   - address: The argument that opens the store again; nil if the name does.
  ///   - place: The address that identifies the store; nil if `address` does.
  ///   - query: The initial query as text; nil restores the session or shows the first namespace.
  ///   - form: The initial view of results; nil restores the last view or shows a table.
  ///   - isScreenReader: Whether the screen is for a screen reader.
  ///   - usesVi: Whether lines are edited with the keys of vi.
  ///   - label: A label before the store's name in the header; nil for none.
  ///   - changeDetection: How changes of other programs are detected; nil if the store reports
  ///     them.
  ///   - changeTarget: Where changes are kept if not in the store itself.
  ///   - isSnapshot: Whether the store is a copy that never changes.
  ///   - commands: The commands of the settings.
  ///   - recalls: Whether to wait for `Event.sessionRestored`.
  package init(
    storeName: String, address: String? = nil, place: String? = nil, size: Size,
    query: String? = nil,
    form: AnswerForm? = nil, keymap: Keymap = .standard, readOnlyReason: String? = nil,
    changeDetection: String? = nil, changeTarget: String? = nil, reducesMotion: Bool = false,
    isScreenReader: Bool = false, usesVi: Bool = false,
    label: String? = nil, isSnapshot: Bool = false,
    commands: CustomCommands = CustomCommands(), recalls: Bool = false
  ) {
    self.size = size
    store = StoreStatus(
      name: storeName, address: address ?? storeName, place: place ?? address ?? storeName,
      label: label, readOnlyReason: readOnlyReason,
      changeDetection: changeDetection, changeTarget: changeTarget, isSnapshot: isSnapshot)
    settings = ExplorerSettings(
      keymap: keymap, usesVi: usesVi, reducesMotion: reducesMotion, isScreenReader: isScreenReader)
    settings.commands = commands
    startup = StartupView(query: query, form: form, recalls: recalls)
  }

  /// The catalog of known entities. For a remote store, these are the entities of the current
  /// answer.
  var known: Catalog? {
    guard let shown = tab.results.table?.catalog, shown.snapshot.served != nil else {
      return catalog
    }
    return shown
  }

  /// The namespace of the current query.
  var shownNamespace: String? { tab.queryHistory?.plan.namespace }

  /// The namespace at the cursor of the namespaces pane. The schema pane shows its schema.
  ///
  /// The namespace of the results can be another one.
  var chosenNamespace: String? {
    catalog.flatMap { namespaces.namespace(in: $0) } ?? shownNamespace
  }
}
