import InstaQL
import LiveQueries
import Notebooks
package import TerminalUI
import Triples

/// The state of the whole screen; the only type that knows more than one pane.
///
/// Events go in through `update`, which returns the effects to perform; `view` draws the frame. The
/// model uses no task, clock or file, so that tests send events and compare effects and text.
package struct Model: Sendable, Equatable {
  package internal(set) var size: Size
  var preferences: Preferences
  var store: StoreStatus
  /// The loaded contents of the store; nil before its first snapshot.
  var catalog: Catalog?
  var namespaces = NamespacesPane()
  var prompt: PromptPane?
  /// The notice in the status line, until it is dismissed or replaced.
  package internal(set) var notice: Notice?
  /// The submitted lines of each kind of prompt, newest first.
  var submittedLines: [PromptPane.Purpose.History: [String]] = [:]
  /// Requests without a response.
  var requests = RequestTable()
  /// The selected rows of all namespaces.
  var marks = EntitySelection()
  /// The column settings of each namespace.
  var columns: [String: ColumnSettings] = [:]
  var spelling = QuerySpelling.text
  /// The changes of the store since it was opened.
  var log = ChangeLog()
  /// The pending changes of this session, and what can be undone. Snapshots may show an older state.
  var changes = ChangesState()
  /// The changes of this session in flight, by number.
  var submitted: [Int: SubmittedChange] = [:]
  var lastSubmitted = 0
  /// The newest typed change that the store rejected, until it is typed again.
  var rejectedEdit: RejectedEdit?
  /// The effects of the staged changes, one per line.
  var stagedEntries: [ChangeEntry] = []
  /// The notice about the staged changes of an earlier session, until it is shown.
  var stagingReminder: Notice?
  /// The state of searching.
  var finding = Finding()
  /// The current tab, and the others.
  var tab = Tab()
  var tabs = TabStrip()
  /// The data that the open panes need from outside.
  var needs = PaneNeeds()
  /// The initial view.
  var startup: StartupView
  /// Whether another query or tab is shown than the session remembers.
  var isViewNew = false
  /// The sizes of panes.
  var sizes = PaneSizes()
  /// The last mouse press.
  var pressed: MousePlace?
  /// The last mouse position in an open pane while its button is held; nil otherwise.
  var grip: Position?
  /// Auxiliary queries of a remote store.
  var sideQueries = SideQueries()

  /// Creates the screen of a store.
  ///
  /// - Parameters:
  ///   - storeName: The store's name in the header.
  ///   - address: The argument that opens the store again; nil if its name does.
  ///   - query: The initial query as text; nil restores the session or shows the first namespace.
  ///   - form: The initial view of results; nil restores it or shows a table.
  ///   - isScreenReader: Whether the screen is for a screen reader.
  ///   - usesVi: Whether lines are edited with the keys of vi.
  ///   - label: A label before the store's name in the header; nil for none.
  ///   - changeDetection: How changes of other programs are detected; nil if the store reports
  ///     them.
  ///   - changeTarget: Where changes are kept if not in the store itself.
  ///   - isSnapshot: Whether the store is a copy that never changes.
  ///   - recalls: Whether to wait for `Event.sessionRestored`.
  package init(
    storeName: String, address: String? = nil, size: Size, query: String? = nil,
    form: AnswerForm? = nil, keymap: Keymap = .standard, readOnlyReason: String? = nil,
    changeDetection: String? = nil, changeTarget: String? = nil, reducesMotion: Bool = false,
    isScreenReader: Bool = false, usesVi: Bool = false,
    label: String? = nil, isSnapshot: Bool = false, recalls: Bool = false
  ) {
    self.size = size
    store = StoreStatus(
      name: storeName, address: address ?? storeName, label: label, readOnlyReason: readOnlyReason,
      changeDetection: changeDetection, changeTarget: changeTarget, isSnapshot: isSnapshot)
    preferences = Preferences(
      keymap: keymap, usesVi: usesVi, reducesMotion: reducesMotion, isScreenReader: isScreenReader)
    startup = StartupView(query: query, form: form, recalls: recalls)
  }

  /// The catalog of known entities: of a remote store, those of the current answer.
  var known: Catalog? {
    guard let shown = tab.results.table?.catalog, shown.snapshot.served != nil else {
      return catalog
    }
    return shown
  }

  /// The namespace of the current query.
  var shownNamespace: String? { tab.queryHistory?.plan.namespace }

  /// The namespace under the cursor of the namespaces pane, whose schema is shown.
  ///
  /// It can differ from that of the results.
  var chosenNamespace: String? {
    catalog.flatMap { namespaces.namespace(in: $0) } ?? shownNamespace
  }
}
