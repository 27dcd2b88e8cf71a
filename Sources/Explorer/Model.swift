import InstaQL
import Notebooks
package import TerminalUI
import Triples

/// All that the screen knows; the only type that knows more than one pane.
///
/// Events go in through `update`, which answers with what the world shall do; `view` makes the frame.
/// No task, clock or file is touched here, so a test gives events and reads effects and text.
package struct Model: Sendable, Equatable {
  package internal(set) var size: Size
  var preferences: Preferences
  var store: StoreStanding
  /// What the store holds, as far as it is known here; nil before its first snapshot.
  var catalog: Catalog?
  var namespaces = NamespacesPane()
  var prompt: PromptPane?
  /// The line at the bottom, until it is dismissed or replaced.
  package internal(set) var notice: Notice?
  /// What is asked and not answered yet.
  var requests = RequestTable()
  /// What was marked, wherever it is shown.
  var marks = Marks()
  /// How the columns of each namespace are shown.
  var columns: [String: ColumnSettings] = [:]
  var spelling = QuerySpelling.parts
  /// What changed since the store was opened.
  var log = ChangeLog()
  /// What takes back the changes made from here, the newest last.
  var undoable: [WayBack] = []
  /// Changes that were refused after they had waited, of which was told.
  var heardRefusals: Set<MutationID> = []
  var refusedUndo: RefusedUndo?
  /// The changes on their way to the store.
  var underWay = ChangesUnderWay()
  /// The newest change that was typed and refused, until it is typed again.
  var refused: RefusedChange?
  /// What was changed here and is kept back; nil while changes are sent at once.
  var unsent: Unsent?
  /// What of it is written down; nil where it is not, or before it is known what was.
  var keptUnsent: [Unsent.Change]?
  /// What is to be said of changes that were kept back the last time.
  var unsentRemark: Notice?
  /// The number of the snapshot on top of which changes on their way are shown, since the store does not
  /// take them; nil where it does.
  var heldUpSince: Int?
  /// What is kept back, on top of what is known; nil while nothing is.
  var withUnsent: UnsentView?
  /// What is looked for.
  var finding = Finding()
  /// The tab that is shown, and those beside it.
  var tab = Tab()
  var tabs = TabStrip()
  /// Whether the world was asked to tell which queries are watched.
  var isListingWatched = false
  /// What is shown first.
  var beginning: Beginning
  /// Whether another query or tab is shown than was remembered.
  var isViewNew = false
  /// How large panes were made.
  var sizes = PaneSizes()
  /// What is tried of the themes.
  var preview = ThemePreview()
  /// What the mouse pressed last.
  var pressed: MousePlace?
  /// Where in an open pane it was last seen with its button held; nil while it holds none.
  var grip: Position?
  /// What a store elsewhere is asked besides the query.
  var beside = Beside()

  /// - Parameters:
  ///   - storeName: How the header calls the store.
  ///   - address: What one types to open the store again; nil when its name does.
  ///   - query: What to show first, as text; nil shows where one was, or the first namespace.
  ///   - form: How its answer is shown; nil as it was the last time, else as a table.
  ///   - isLinear: Whether the screen is for somebody who hears it.
  ///   - usesVi: Whether lines are edited with the keys of vi.
  ///   - label: What the header says of the store before its name; nil for nothing.
  ///   - howLive: By what it is known that somebody else changed the store; nil where it tells.
  ///   - whereChangesAre: Where changes are kept when that is not the store itself.
  ///   - recalls: Whether `Event.recalled` is to be awaited.
  package init(
    storeName: String, address: String? = nil, size: Size, query: String? = nil,
    form: AnswerForm? = nil, keymap: Keymap = .standard, whyReadOnly: String? = nil,
    howLive: String? = nil, whereChangesAre: String? = nil, reducesMotion: Bool = false,
    isLinear: Bool = false, usesVi: Bool = false,
    label: String? = nil, recalls: Bool = false
  ) {
    self.size = size
    store = StoreStanding(
      name: storeName, address: address ?? storeName, label: label, whyReadOnly: whyReadOnly,
      howLive: howLive, whereChangesAre: whereChangesAre)
    preferences = Preferences(
      keymap: keymap, usesVi: usesVi, reducesMotion: reducesMotion, isLinear: isLinear)
    beginning = Beginning(query: query, form: form, recalls: recalls)
  }

  /// What is known of entities: all there is, or of a store elsewhere what it answered.
  var known: Catalog? {
    guard let shown = tab.results.table?.catalog, shown.snapshot.served != nil else {
      return withUnsent?.catalog ?? catalog
    }
    return shown
  }

  /// The namespace whose entities are shown.
  var shownNamespace: String? { tab.composer?.plan.namespace }

  /// The namespace under the cursor of the namespaces, whose schema is shown; another one than that
  /// of the results while somebody looks around.
  var chosenNamespace: String? {
    catalog.flatMap { namespaces.namespace(in: $0) } ?? shownNamespace
  }
}
