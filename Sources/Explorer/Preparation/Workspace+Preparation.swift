import Triples

// Runs work that may take longer than a key press in the background, with a notice. The user can
// cancel it.
extension Workspace {
  mutating func prepare(_ what: Preparation) -> [Effect] {
    notice = .working(what.title, rows: nil)
    return requests.begin(.prepare(what), for: .backgroundWork, from: keyPlace)
  }

  /// The focused pane and the current tab's position.
  var keyPlace: KeyPlace { KeyPlace(tab: tabs.place, focus: focusedPane) }

  /// The response or answer for which the next frame waits briefly; nil if the frame need not wait.
  package var awaited: Awaited? {
    (requests[.backgroundWork] ?? requests[.freePath]).map { .response($0.id) }
      ?? awaitedSearch.map { .answer($0) }
  }

  /// Cancels background work. Returns nil if there is none.
  mutating func giveUpPreparing() -> [Effect]? {
    guard requests.isPending(.backgroundWork) else { return nil }
    notice = .workCanceled
    return requests.cancel(.backgroundWork)
  }

  /// Asks the user to confirm a deletion whose effects were determined.
  ///
  /// - Parameter place: The tab and the pane that had the focus when the deletion was requested.
  mutating func confirm(_ deletion: DeletionPreview, from place: KeyPlace?) -> [Effect] {
    // If another pane has the focus by now, keys meant for that pane would answer the question.
    guard prompt == nil, keyPlace == place else { return notify(.deletionAbandoned) }
    let request = deletion.request
    // Selected rows that were not loaded may not exist.
    guard
      request.cascadingStore != nil
        || request.entities.contains(where: { request.catalog.store.handle(of: $0) != nil })
    else { return notify(.selectedGone(request.entities.count)) }
    notice = nil
    ask(deletion)
    return []
  }
}
