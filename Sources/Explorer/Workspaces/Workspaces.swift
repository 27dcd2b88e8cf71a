/// An effect, together with the open store that requested it.
package struct OwnedEffect: Sendable, Equatable {
  package let owner: WorkspaceID
  package let effect: Effect
}

/// The open stores with their workspaces. One of them is in front.
///
/// The store in front gets the input and is drawn. Reports of a store change only its own
/// workspace.
package struct Workspaces: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    let id: WorkspaceID
    var workspace: Workspace
    /// The store from which the user opened this store; nil if it was opened at startup.
    var origin: WorkspaceID?
  }

  private var all: [Entry]
  private var frontIndex = 0
  private var lastNumber: Int

  /// The maximum number of open stores.
  package static let maxCount = 20

  /// Creates the collection of open stores. The first one is in front.
  ///
  /// - Parameter workspaces: The workspaces of the stores, at least one.
  package init(_ workspaces: [Workspace]) {
    all = workspaces.enumerated().map { Entry(id: WorkspaceID(number: $0), workspace: $1) }
    lastNumber = workspaces.count - 1
    describeOthers()
  }

  /// The workspace of the store in front.
  package var front: Workspace { _read { yield all[frontIndex].workspace } }

  package var frontID: WorkspaceID { all[frontIndex].id }

  /// The open stores in the order of their tabs.
  package var ids: [WorkspaceID] { all.indices.map { all[$0].id } }

  // Access by index copies no workspace.
  private func index(of id: WorkspaceID) -> Int? { all.indices.first { all[$0].id == id } }

  // MARK: Events

  /// Processes an event of a store and returns the effects to perform, in order.
  package mutating func update(_ event: Event, of id: WorkspaceID) -> [OwnedEffect] {
    guard let index = index(of: id) else { return [] }
    defer { describeOthers() }
    let effects =
      index == frontIndex
      ? all[index].workspace.update(event) : updateHidden(at: index, with: event)
    return perform(effects, of: id)
  }

  /// Processes a cursor movement in the store in front without prefetching rows, because another
  /// movement follows immediately.
  package mutating func updateSkippingPrefetch(_ event: Event) -> [OwnedEffect] {
    perform(all[frontIndex].workspace.updateSkippingPrefetch(event), of: frontID)
  }

  /// Processes an event of a store that is not in front. Its errors are shown by the store in
  /// front.
  private mutating func updateHidden(at index: Int, with event: Event) -> [Effect] {
    let before = all[index].workspace.notice
    let effects = all[index].workspace.update(event)
    if case .liveSettings = event {
      // The store in front gets the same settings and shows the notice.
      all[index].workspace.notice = before
    } else if let notice = all[index].workspace.notice, notice != before, notice.isError {
      all[frontIndex].workspace.notice = .inOtherStore(
        all[index].workspace.store.identity.name, notice)
    }
    return effects
  }

  // MARK: Time

  /// The time at which a tick is needed next; nil if nothing depends on time.
  package var deadline: ContinuousClock.Instant? {
    let hidden = all.indices.lazy.filter { $0 != frontIndex }
      .compactMap { all[$0].workspace.session.startup.deadline }.min()
    return [front.deadline, hidden].compactMap { $0 }.min()
  }

  /// Advances the time of the store in front, and of stores that wait for their session to be
  /// restored.
  package mutating func tick(_ now: ContinuousClock.Instant) -> [OwnedEffect] {
    ids.flatMap { id in
      guard let index = index(of: id),
        index == frontIndex
          ? all[index].workspace.isTimed : all[index].workspace.session.startup.isAwaited
      else { return [OwnedEffect]() }
      return update(.tick(now), of: id)
    }
  }

  // MARK: Opening, showing and closing

  /// Adds a newly opened store to the right of the others.
  package mutating func add(
    _ workspace: Workspace, inFront: Bool
  ) -> (id: WorkspaceID, effects: [OwnedEffect]) {
    lastNumber += 1
    let id = WorkspaceID(number: lastNumber)
    all.append(Entry(id: id, workspace: workspace, origin: inFront ? frontID : nil))
    defer { describeOthers() }
    guard inFront else {
      all[frontIndex].workspace.notice = .storeOpened(workspace.store.identity.name)
      return (id, [])
    }
    return (id, show(id, tab: nil))
  }

  /// Performs the effects that concern the set of open stores, and returns all others.
  private mutating func perform(_ effects: [Effect], of id: WorkspaceID) -> [OwnedEffect] {
    effects.flatMap { effect in
      switch effect {
      case .workspace(.show(let other, let tab)): return show(other, tab: tab)
      case .workspace(.close): return close(id)
      case .workspace(.open(let listing, let inFront)):
        return open(listing, inFront: inFront, for: id)
      case .fail(let reason) where all.count > 1:
        let name = index(of: id).map { all[$0].workspace.store.identity.name } ?? ""
        let effects = close(id)
        all[frontIndex].workspace.notice = .storeNotOpened(name, reason)
        return effects
      case .quit: return persistViews(except: id) + [OwnedEffect(owner: id, effect: effect)]
      default: return [OwnedEffect(owner: id, effect: effect)]
      }
    }
  }

  /// Brings a store to the front if it is already open; otherwise returns the effect that opens it.
  private mutating func open(
    _ listing: StoreListing, inFront: Bool, for id: WorkspaceID
  ) -> [OwnedEffect] {
    // The store that requested this may no longer be in front.
    let inFront = inFront && id == frontID
    if let open = all.first(where: { $0.workspace.store.identity.place == listing.place }) {
      return inFront ? show(open.id, tab: nil) : []
    }
    guard all.count < Self.maxCount else {
      all[frontIndex].workspace.notice = .tooManyStores(limit: Self.maxCount)
      return []
    }
    return [OwnedEffect(owner: id, effect: .workspace(.open(listing, inFront: inFront)))]
  }

  /// Brings a store to the front.
  private mutating func show(_ id: WorkspaceID, tab: Int?) -> [OwnedEffect] {
    guard let index = index(of: id) else {
      all[frontIndex].workspace.notice = .storeClosed
      return []
    }
    let left = index == frontIndex ? [] : leaveFront()
    return left + enter(index, as: front.sharedState, tab: tab)
  }

  private mutating func leaveFront() -> [OwnedEffect] {
    let id = frontID
    return all[frontIndex].workspace.leaveFront().map { OwnedEffect(owner: id, effect: $0) }
  }

  private mutating func enter(_ index: Int, as shared: SharedState, tab: Int?) -> [OwnedEffect] {
    frontIndex = index
    describeOthers()
    let id = all[index].id
    return all[index].workspace.comeToFront(with: shared, tab: tab)
      .map { OwnedEffect(owner: id, effect: $0) }
  }

  /// Closes a store. If it was in front, the store from which it was opened comes to the front, or
  /// else a neighbor.
  private mutating func close(_ id: WorkspaceID) -> [OwnedEffect] {
    guard all.count > 1, let index = index(of: id) else { return [] }
    let wasInFront = index == frontIndex
    let left = wasInFront ? leaveFront() : []
    let saved = persistView(at: index)
    let closed = all.remove(at: index)
    let effects = left + saved + [OwnedEffect(owner: id, effect: .workspace(.close))]
    guard wasInFront else {
      if index < frontIndex { frontIndex -= 1 }
      return effects
    }
    let next =
      closed.origin.flatMap { self.index(of: $0) } ?? min(index, all.count - 1)
    return effects + enter(next, as: closed.workspace.sharedState, tab: nil)
  }

  private mutating func persistViews(except id: WorkspaceID) -> [OwnedEffect] {
    all.indices.filter { all[$0].id != id }.flatMap { persistView(at: $0) }
  }

  /// Saves the view of a store that is about to close.
  private mutating func persistView(at index: Int) -> [OwnedEffect] {
    let id = all[index].id
    return all[index].workspace.persistView(before: [.quit(status: 0)])
      .map { OwnedEffect(owner: id, effect: $0) }
  }

  /// Gives the store in front the summaries of the other stores.
  private mutating func describeOthers() {
    guard all.count > 1 || !all[frontIndex].workspace.others.isEmpty else { return }
    let summaries = all.map { $0.workspace.summary(as: $0.id) }
    let others = OtherStores(
      before: Array(summaries[..<frontIndex]), after: Array(summaries[(frontIndex + 1)...]))
    if all[frontIndex].workspace.others != others { all[frontIndex].workspace.others = others }
  }
}
