import InstaQL
import LiveQueries
import TerminalUI
import Triples

// The store among other open ones: switching, opening and closing.
extension Workspace {
  /// Returns the data about this store that other stores' screens show.
  func summary(as id: WorkspaceID) -> StoreSummary {
    StoreSummary(
      id: id, name: store.name, place: store.place, tabs: tabNames,
      unsent: changes.stagedCount + changes.sendingCount > 0 ? changes.words : nil,
      isSending: changes.sendingCount > 0, keepsStaged: changes.isStored)
  }

  /// The names of the tabs in the header.
  var tabNames: [String] {
    tabs.before.map(\.name) + [shownNamespace ?? ""] + tabs.after.map(\.name)
  }

  /// The state that the next store in front takes over.
  var screen: ScreenState {
    var settings = settings
    settings.commands = CustomCommands()
    return ScreenState(size: size, settings: settings, splits: sizes.splits)
  }

  /// The other open stores.
  var others: OtherStores {
    get { tabs.others }
    set { tabs.others = newValue }
  }

  /// Brings this store to the front and shows a tab; nil shows its current tab.
  mutating func comeToFront(on screen: ScreenState, tab: Int?) -> [Effect] {
    update { $0.show(on: screen, tab: tab) }
  }

  /// Prepares this store for leaving the front.
  mutating func leaveFront() -> [Effect] {
    update { $0.hide() }
  }

  private mutating func show(on screen: ScreenState, tab: Int?) -> [Effect] {
    isInFront = true
    let isChanged = self.screen != screen
    size = screen.size
    // Each store has the commands of its own project.
    let commands = settings.commands
    settings = screen.settings
    settings.commands = commands
    sizes.splits = screen.splits
    pressed = nil
    if isChanged {
      measureQuery()
      keepInView()
    }
    // A screen reader does not read the header.
    if settings.isScreenReader, notice == nil { notice = .change(store.name) }
    return tab.map { showTab($0) } ?? []
  }

  /// Ends what only the store in front can do: previewing a theme, and dragging with the mouse.
  private mutating func hide() -> [Effect] {
    isInFront = false
    tab.overlays.removeAll { $0.pane is ThemesPane }
    sizes.dragged = nil
    sizes.draggedColumn = nil
    grip = nil
    return []
  }

  // MARK: Tabs of all stores

  /// Shows a tab of any store by its position among all tabs, from 0.
  mutating func showTab(overall place: Int) -> [Effect] {
    var place = place
    for store in others.before {
      if store.tabs.indices.contains(place) { return [.workspace(.show(store.id, tab: place))] }
      place -= store.tabs.count
    }
    if place < tabs.count { return showTab(place) }
    place -= tabs.count
    for store in others.after {
      if store.tabs.indices.contains(place) { return [.workspace(.show(store.id, tab: place))] }
      place -= store.tabs.count
    }
    return []
  }

  // MARK: Switching and opening

  /// Opens the list of stores: those that are open, then those opened before.
  mutating func openStores() -> [Effect] {
    let own = StoresPane.Entry.shown(name: store.name, place: store.place)
    open(
      StoresPane(
        others.before.map { .open($0) } + [own] + others.after.map { .open($0) }))
    return requests.begin(.recentStores, for: .listStores)
  }

  /// Opens a store in a tab of its own, or goes to the tab that shows it.
  mutating func openStore(_ listing: StoreListing) -> [Effect] {
    notice = .openingStore(listing.name)
    return requests.begin(.findStore(listing), for: .openStore(place: keyPlace))
  }

  /// Opens a store that was found.
  ///
  /// - Parameter place: The focus when it was requested.
  mutating func open(found listing: StoreListing, from place: KeyPlace) -> [Effect] {
    if notice == .openingStore(listing.name) { notice = nil }
    // If the focus moved, keys meant for another pane would go to the new store.
    return [.workspace(.open(listing, inFront: prompt == nil && keyPlace == place))]
  }

  // MARK: Closing

  /// Closes the store. If it has unsent changes, asks for confirmation first.
  mutating func closeStore() -> [Effect] {
    guard changes.stagedCount + changes.sendingCount > 0 else { return [.workspace(.close)] }
    askBeforeLeaving(
      changes.words, isSending: changes.sendingCount > 0, isStored: changes.isStored,
      MenuPane.Entry(key: "c", label: "close", actions: [.effect(.workspace(.close))]))
    return []
  }
}
