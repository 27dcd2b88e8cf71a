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

  /// The stores to the left of the store in front, in the order of their tabs.
  private var left: [Entry] = []
  /// The store in front. It is no element of an array, because reading an element copies it, which
  /// takes long for a workspace.
  private var current: Entry
  /// The stores to the right of the store in front, in the order of their tabs.
  private var right: [Entry]
  private var lastNumber: Int

  /// The maximum number of open stores.
  package static let maxCount = 20

  /// Creates the collection of open stores. The first one is in front.
  ///
  /// - Parameter workspaces: The workspaces of the stores, at least one.
  package init(_ workspaces: [Workspace]) {
    let entries = workspaces.enumerated().map {
      Entry(id: WorkspaceID(number: $0), workspace: $1)
    }
    current = entries[0]
    right = Array(entries.dropFirst())
    lastNumber = workspaces.count - 1
    describeOthers()
  }

  /// The workspace of the store in front.
  package var front: Workspace { _read { yield current.workspace } }

  package var frontID: WorkspaceID { current.id }

  /// The open stores in the order of their tabs.
  package var ids: [WorkspaceID] {
    isSingle ? [current.id] : left.map(\.id) + [current.id] + right.map(\.id)
  }

  private var isSingle: Bool { left.isEmpty && right.isEmpty }

  private var count: Int { left.count + 1 + right.count }

  /// All open stores in the order of their tabs.
  private var all: [Entry] { left + [current] + right }

  private subscript(index: Int) -> Entry {
    _read {
      if index == left.count {
        yield current
      } else if index < left.count {
        yield left[index]
      } else {
        yield right[index - left.count - 1]
      }
    }
    _modify {
      if index == left.count {
        yield &current
      } else if index < left.count {
        yield &left[index]
      } else {
        yield &right[index - left.count - 1]
      }
    }
  }

  private func index(of id: WorkspaceID) -> Int? {
    id == current.id ? left.count : ids.firstIndex(of: id)
  }

  /// Brings the entry at an index of `entries` to the front, and the others to its sides.
  private mutating func arrange(_ entries: [Entry], front index: Int) {
    left = Array(entries[..<index])
    current = entries[index]
    right = Array(entries[(index + 1)...])
  }

  // MARK: Events

  /// Processes an event of a store and returns the effects to perform, in order.
  package mutating func update(_ event: Event, of id: WorkspaceID) -> [OwnedEffect] {
    guard let index = index(of: id) else { return [] }
    defer { describeOthers() }
    let effects =
      index == left.count
      ? current.workspace.update(event) : updateHidden(at: index, with: event)
    return perform(effects, of: id)
  }

  /// Processes a cursor movement in the store in front without prefetching rows, because another
  /// movement follows immediately.
  package mutating func updateSkippingPrefetch(_ event: Event) -> [OwnedEffect] {
    perform(current.workspace.updateSkippingPrefetch(event), of: frontID)
  }

  /// Processes an event of a store that is not in front. Its errors are shown by the store in
  /// front.
  private mutating func updateHidden(at index: Int, with event: Event) -> [Effect] {
    let before = self[index].workspace.notice
    let effects = self[index].workspace.update(event)
    if case .liveSettings = event {
      // The store in front gets the same settings and shows the notice.
      self[index].workspace.notice = before
    } else if let notice = self[index].workspace.notice, notice != before, notice.isError {
      current.workspace.notice = .inOtherStore(self[index].workspace.store.identity.name, notice)
    }
    return effects
  }

  // MARK: Time

  /// The time at which a tick is needed next; nil if nothing depends on time.
  package var deadline: ContinuousClock.Instant? {
    if isSingle { return front.deadline }
    let hidden = (left + right).compactMap { $0.workspace.session.startup.deadline }
    return ([front.deadline].compactMap { $0 } + hidden).min()
  }

  /// Advances the time of the store in front, and of stores that wait for their session to be
  /// restored.
  package mutating func tick(_ now: ContinuousClock.Instant) -> [OwnedEffect] {
    var effects: [OwnedEffect] = []
    for id in timed { effects += update(.tick(now), of: id) }
    return effects
  }

  /// The stores that need ticks.
  private var timed: [WorkspaceID] {
    func isAwaited(_ entry: Entry) -> Bool { entry.workspace.session.startup.isAwaited }
    let inFront = front.isTimed ? [frontID] : []
    if isSingle { return inFront }
    return left.filter(isAwaited).map(\.id) + inFront + right.filter(isAwaited).map(\.id)
  }

  // MARK: Opening, showing and closing

  /// Adds a newly opened store to the right of the others.
  package mutating func add(
    _ workspace: Workspace, inFront: Bool
  ) -> (id: WorkspaceID, effects: [OwnedEffect]) {
    lastNumber += 1
    let id = WorkspaceID(number: lastNumber)
    right.append(Entry(id: id, workspace: workspace, origin: inFront ? frontID : nil))
    defer { describeOthers() }
    guard inFront else {
      current.workspace.notice = .storeOpened(workspace.store.identity.name)
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
      case .workspace(.set(let setting, let isOn)):
        for index in 0..<count { self[index].workspace.set(setting, isOn: isOn) }
        return [OwnedEffect(owner: id, effect: effect)]
      case .fail(let reason) where count > 1:
        let name = index(of: id).map { self[$0].workspace.store.identity.name } ?? ""
        let effects = close(id)
        current.workspace.notice = .storeNotOpened(name, reason)
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
    guard count < Self.maxCount else {
      current.workspace.notice = .tooManyStores(limit: Self.maxCount)
      return []
    }
    return [OwnedEffect(owner: id, effect: .workspace(.open(listing, inFront: inFront)))]
  }

  /// Brings a store to the front.
  private mutating func show(_ id: WorkspaceID, tab: Int?) -> [OwnedEffect] {
    guard let index = index(of: id) else {
      current.workspace.notice = .storeClosed
      return []
    }
    let effects = index == left.count ? [] : leaveFront()
    let before = front
    arrange(all, front: index)
    return effects + enter(after: before, tab: tab)
  }

  private mutating func leaveFront() -> [OwnedEffect] {
    let id = frontID
    return current.workspace.update { $0.leaveFront() }.map { OwnedEffect(owner: id, effect: $0) }
  }

  /// Shows the store that came to the front in place of another.
  private mutating func enter(after other: Workspace, tab: Int?) -> [OwnedEffect] {
    describeOthers()
    let id = frontID
    return current.workspace.update { $0.comeToFront(after: other, tab: tab) }
      .map { OwnedEffect(owner: id, effect: $0) }
  }

  /// Closes a store. If it was in front, the store from which it was opened comes to the front, or
  /// else a neighbor.
  private mutating func close(_ id: WorkspaceID) -> [OwnedEffect] {
    guard count > 1, let index = index(of: id) else { return [] }
    let wasInFront = index == left.count
    let leaving = wasInFront ? leaveFront() : []
    let saved = persistView(at: index)
    var remaining = all
    let closed = remaining.remove(at: index)
    let effects = leaving + saved + [OwnedEffect(owner: id, effect: .workspace(.close))]
    guard wasInFront else {
      arrange(remaining, front: index < left.count ? left.count - 1 : left.count)
      return effects
    }
    let origin = closed.origin.flatMap { origin in remaining.firstIndex { $0.id == origin } }
    arrange(remaining, front: origin ?? min(index, remaining.count - 1))
    return effects + enter(after: closed.workspace, tab: nil)
  }

  private mutating func persistViews(except id: WorkspaceID) -> [OwnedEffect] {
    (0..<count).filter { self[$0].id != id }.flatMap { persistView(at: $0) }
  }

  /// Saves the view of a store that is about to close.
  private mutating func persistView(at index: Int) -> [OwnedEffect] {
    let id = self[index].id
    return self[index].workspace.persistView(before: [.quit(status: 0)])
      .map { OwnedEffect(owner: id, effect: $0) }
  }

  /// Gives the store in front the summaries of the other stores.
  private mutating func describeOthers() {
    guard count > 1 || !current.workspace.others.isEmpty else { return }
    let others = OtherStores(
      before: left.map { $0.workspace.summary(as: $0.id) },
      after: right.map { $0.workspace.summary(as: $0.id) })
    if current.workspace.others != others { current.workspace.others = others }
  }
}
