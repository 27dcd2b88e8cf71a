import InstaQL
import Notebooks
package import TerminalUI
import Triples

/// All that the screen knows; the only type that knows more than one pane.
///
/// Events go in through `update`, which answers with what the world shall do; `view` makes the frame.
/// No task, clock or file is touched here, so a test gives events and reads effects and text.
package struct Model: Sendable, Equatable {
  /// What is said in the line at the bottom until it is answered or replaced.
  struct Notice: Sendable, Equatable {
    var text: String
    var isError = false
  }

  package internal(set) var size: Size
  let storeName: String
  /// What one types to open the store again.
  let address: String
  var keymap: Keymap
  var catalog: Catalog?
  var storeFailure: String?
  var namespaces = NamespacesPane()
  var prompt: PromptPane?
  var notice: Notice?
  /// Whether a file is being written.
  var isExporting = false
  /// What was marked, wherever it is shown.
  var marks = Marks()
  /// How the columns of each namespace are shown.
  var columns: [String: ColumnSettings] = [:]
  var spelling = QuerySpelling.parts
  /// What changed since the store was opened.
  var log = ChangeLog()
  /// Why nothing can be changed, and what would help; nil when it can.
  let whyReadOnly: String?
  /// Nothing is marked that would fade.
  var reducesMotion: Bool
  /// The screen is one pane at a time without boxes, for somebody who hears it.
  let isLinear: Bool
  /// Whether lines are edited with the keys of vi.
  var usesVi: Bool
  /// What the header says of the store before its name, so that nobody takes it for another.
  var label: String?
  /// What takes back the changes made from here, the newest last.
  var undoable: [Transaction] = []
  /// What was changed here and is kept back; nil while changes are sent at once.
  var unsent: Unsent?
  /// What of it is written down; nil where it is not, or before it is known what was.
  var keptUnsent: [Unsent.Change]?
  /// What is to be said of changes that were kept back the last time.
  var unsentRemark: String?
  /// What is known, with what is kept back; nil while nothing is.
  var catalogWithUnsent: Catalog?
  var unsentEntries: [ChangeLog.Entry] = []
  /// The text that was looked for last.
  var finding = Finding()
  /// The tab that is shown, and those beside it.
  var tab = Tab()
  var tabs = TabStrip()
  /// Whether the world was asked to tell which queries are watched.
  var isListingWatched = false
  /// How long the store's server has been away; nil when it is not.
  var absence: ServerAbsence?
  /// How far the opening of the store has come; nil when it is open, or nobody tells.
  var opening: Opening?
  /// What is shown first.
  var beginning: Beginning
  /// Whether another query or tab is shown than was remembered.
  var isViewNew = false
  /// How large panes were made.
  var sizes = PaneSizes()
  var lastToken = 0
  /// What a store elsewhere is asked besides the query.
  var beside = Beside()
  /// Of a store elsewhere: what is asked it for saying why an entity is in or out.
  var doubt: Doubt?

  /// - Parameters:
  ///   - storeName: How the header calls the store.
  ///   - address: What one types to open the store again; nil when its name does.
  ///   - query: What to show first, as text; nil shows where one was, or the first namespace.
  ///   - isLinear: Whether the screen is for somebody who hears it.
  ///   - usesVi: Whether lines are edited with the keys of vi.
  ///   - label: What the header says of the store before its name; nil for nothing.
  ///   - recalls: Whether `Event.recalled` is to be awaited.
  package init(
    storeName: String, address: String? = nil, size: Size, query: String? = nil,
    keymap: Keymap = .standard, whyReadOnly: String? = nil, reducesMotion: Bool = false,
    isLinear: Bool = false, usesVi: Bool = false, label: String? = nil, recalls: Bool = false
  ) {
    self.storeName = storeName
    self.address = address ?? storeName
    self.size = size
    self.keymap = keymap
    self.whyReadOnly = whyReadOnly
    self.reducesMotion = reducesMotion || isLinear
    self.isLinear = isLinear
    self.usesVi = usesVi
    self.label = label
    beginning = Beginning(query: query, recalls: recalls)
  }

  /// What is known of entities: all there is, or of a store elsewhere what it answered.
  var known: Catalog? {
    guard let shown = tab.results.table?.catalog, shown.snapshot.served != nil else {
      return catalogWithUnsent ?? catalog
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
