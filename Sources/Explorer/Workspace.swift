import InstaQL
package import TerminalUI
import Triples

/// The state of the whole screen for one store. Only this type knows all panes.
///
/// `update` takes events and returns the effects to perform; `view` draws the frame. The workspace
/// uses no tasks, clocks or files, so tests can send events and compare effects and text.
package struct Workspace: Sendable, Equatable {
  var screen: ScreenState
  var settings: ExplorerSettings
  var store: StoreView
  var namespaces = NamespacesPane()
  var prompt: PromptPane?
  /// The notice in the status line; nil once it was dismissed.
  package internal(set) var notice: Notice?
  var requests = RequestTable()
  var changes = OwnChanges()
  var tabs = TabStrip()
  /// The user's choices. The next session restores most of them.
  var session: SessionState

  /// Creates the screen of a store.
  ///
  /// - Parameters:
  ///   - store: The names of the store.
  ///   - label: A label before the name in the header; nil for none.
  ///   - rules: How the store can change.
  ///   - size: The size of the terminal.
  ///   - startup: What the screen shows first.
  ///   - settings: The user's settings of the screen.
  package init(
    _ store: StoreListing, label: String? = nil, rules: ChangeRules = ChangeRules(), size: Size,
    startup: StartupView = StartupView(), settings: ExplorerSettings = ExplorerSettings()
  ) {
    screen = ScreenState(size: size)
    self.settings = settings
    self.store = StoreView(store, label: label, rules)
    session = SessionState(startup: startup)
  }

  /// The contents of the store; nil before its first snapshot.
  var catalog: Catalog? { _read { yield store.catalog } }

  var tab: Tab {
    _read { yield tabs.current }
    _modify { yield &tabs.current }
  }

  package var size: Size { screen.size }

  /// The catalog of known entities. For a remote store, these are the entities of the current
  /// answer. If the store cannot evaluate the query itself, they are all entities.
  var known: Catalog? {
    guard let shown = tab.results.table?.catalog, store.isPartial || shown.isServed else {
      return catalog
    }
    return shown
  }

  var shownNamespace: String? { tab.plan?.namespace }

  /// The namespace at the cursor of the namespaces pane, whose schema the schema pane shows.
  ///
  /// The results can be of another namespace. If their namespace no longer exists, it is not
  /// replaced by the next one in the list.
  var chosenNamespace: String? {
    guard let catalog else { return shownNamespace }
    let isInLeftPane = tab.focus == .namespaces || tab.focus == .schema
    if !isInLeftPane, let shown = shownNamespace, catalog.lines(of: shown).isEmpty { return shown }
    return namespaces.chosen ?? shownNamespace
  }

  /// Shows a notice, and returns no effects.
  mutating func notify(_ notice: Notice?) -> [Effect] {
    self.notice = notice
    return []
  }
}
