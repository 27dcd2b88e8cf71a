import InstaQL
import TerminalUI

// Shows the namespace on which the cursor of Namespaces rests, without moving the focus.
extension Workspace {
  /// The namespace that the results show as soon as the cursor rests; nil if they wait for Enter.
  private var namespaceToFollow: String? {
    guard !settings.isScreenReader, tab.focus == .namespaces, tab.overlays.isEmpty,
      prompt == nil || isNarrowing, screen.queue.isEmpty,
      let chosen = namespaces.chosen, let shown = shownNamespace, chosen != shown,
      !tab.history.opensPanes(in: chosen), isViewReplaceable(in: shown), layout.shows(.results)
    else { return nil }
    return chosen
  }

  /// Returns whether another view can replace the current one unasked, because nothing of the
  /// user's is lost.
  private func isViewReplaceable(in namespace: String) -> Bool {
    guard tab.history.isEmpty, tab.held == nil, !requests.areAwaited, !store.isServerSilent,
      store.failure == nil
    else { return false }
    return tab.isFollowing
      || tab.queryHistory == QueryHistory(QueryPlan(namespace)) && session.marks[namespace].isEmpty
        && !tab.latency.isWaiting
  }

  /// Begins to wait until the cursor rests, after the user moved it.
  mutating func awaitRest() {
    if namespaceToFollow == nil { namespaces.rest.cancel() } else { namespaces.rest.begin() }
  }

  /// Shows the namespace at the cursor, after the cursor has rested.
  mutating func followCursor() -> [Effect] {
    namespaceToFollow.map { open($0, isFollowing: true) } ?? []
  }

  /// Ends the wait because a key was pressed. If the key leaves the namespaces or acts on the
  /// results, first shows the namespace at the cursor.
  mutating func endRest(before key: Key) -> [Effect] {
    guard namespaces.rest.isAwaited else { return [] }
    namespaces.rest.cancel()
    let command = settings.keymap.command(for: key, in: focusedPane)
    return prompt == nil && command?.needsNamespaceAtCursor == true ? followCursor() : []
  }

  /// Ends following when the focus leaves the namespaces. The shown view is then the user's.
  mutating func endFollowing() {
    guard tab.focus != .namespaces || !tab.overlays.isEmpty else { return }
    namespaces.rest.cancel()
    if tab.isFollowing { tab.isFollowing = false }
  }
}

extension Command {
  /// Whether the command leaves the namespaces or acts on the results.
  fileprivate var needsNamespaceAtCursor: Bool {
    switch self {
    case .nextPane, .previousPane, .paneSchema, .paneQuery, .paneResults, .paneEntity,
      .filterText, .clearFilters, .queryText, .orderText, .limit, .undo, .redo, .copy, .outside,
      .marks, .spelling, .form, .pause, .facets, .explain, .saveQuery, .savedQueries, .changes,
      .subscriptions, .diagram, .newTab, .nextTab, .previousTab:
      true
    default: false
    }
  }
}
