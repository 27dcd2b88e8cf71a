import LiveQueries

// The store among other open ones: switching, opening and closing.
extension Workspace {
  /// Returns the summary of this store for the screens of other stores.
  func summary(as id: WorkspaceID) -> StoreSummary {
    StoreSummary(
      id: id, listing: store.identity, tabs: tabNames, unsaved: unsaved,
      isSending: changes.state.sendingCount > 0, keepsStaged: changes.state.isStored,
      losesChanges: changesInMemory > 0)
  }

  var others: OtherStores {
    _read { yield tabs.others }
    _modify { yield &tabs.others }
  }

  /// Brings this store to the front in place of another, whose size and settings it takes over, and
  /// shows a tab; nil shows its current tab.
  mutating func comeToFront(after other: Workspace, tab: Int?) -> [Effect] {
    let before = (size: size, settings: settings, splits: screen.splits)
    screen.isInFront = true
    screen.size = other.size
    settings = other.settings
    // Each store has the commands of its own project.
    settings.commands = before.settings.commands
    screen.splits = other.screen.splits
    screen.pressed = nil
    let isChanged = before != (size, settings, screen.splits)
    if isChanged {
      measureQuery()
      keepInView()
    }
    // A screen reader does not read the header.
    if settings.isScreenReader, notice == nil { notice = .change(store.identity.name) }
    return tab.map { showTab($0) } ?? []
  }

  /// Prepares for another store coming to the front. Ends a theme preview and dragging with the
  /// mouse, which only the store in front can do.
  mutating func leaveFront() -> [Effect] {
    tab.overlays.removeAll { $0.pane is ThemesPane }
    screen.leaveFront()
    return []
  }

  // MARK: Tabs of all stores

  /// Shows the tab at a position among the tabs of all stores, from 0.
  mutating func showTab(overall place: Int) -> [Effect] {
    let first = others.tabsBefore
    let own = first..<first + tabs.count
    if own.contains(place) { return showTab(place - first) }
    var place = place < first ? place : place - tabs.count
    for store in others.all {
      if store.tabs.indices.contains(place) { return [.workspace(.show(store.id, tab: place))] }
      place -= store.tabs.count
    }
    return []
  }

  // MARK: Switching and opening

  /// Opens the list of stores: those that are open, then others that the program knows.
  mutating func openStores() -> [Effect] {
    func entries(_ stores: [StoreSummary]) -> [StoresPane.Entry] {
      stores.map { store in
        .init(store.listing, .open, [.close, .effect(.workspace(.show(store.id, tab: nil)))])
      }
    }
    let current = StoresPane.Entry(store.identity, .current, [.close])
    open(StoresPane(entries(others.before) + [current] + entries(others.after)))
    return requests.begin(.knownStores, for: .stores)
  }

  /// Requests a store by its address. It is then opened, or brought to the front if it is open.
  mutating func openStore(_ listing: StoreListing) -> [Effect] {
    notice = .openingStore(listing.name)
    return requests.begin(.findStore(listing), for: .storeToOpen, from: keyPlace)
  }

  /// Opens a store that was found, in front unless the user has moved the focus since the request.
  ///
  /// - Parameter place: The tab and the pane that had the focus at the request.
  mutating func open(found listing: StoreListing, from place: KeyPlace?) -> [Effect] {
    if notice == .openingStore(listing.name) { notice = nil }
    // If the focus moved, keys meant for another pane would go to the new store.
    return [.workspace(.open(listing, inFront: prompt == nil && keyPlace == place))]
  }

  // MARK: Closing

  /// Closes the store. If it has unsaved changes, asks for confirmation first.
  mutating func closeStore() -> [Effect] {
    guard let unsaved else { return [.workspace(.close)] }
    askBeforeLeaving(
      unsaved, isSending: changes.state.sendingCount > 0, isStored: changes.state.isStored,
      losesChanges: changesInMemory > 0,
      MenuPane.Entry(key: "c", label: "close", actions: [.effect(.workspace(.close))]))
    return []
  }
}
