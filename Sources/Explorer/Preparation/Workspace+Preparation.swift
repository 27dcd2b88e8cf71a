// Runs work that may take longer than a key press in the background, with a notice. The user can
// cancel it.
extension Workspace {
  mutating func prepare(_ what: Preparation) -> [Effect] {
    notice = .working(what.title, rows: nil)
    return requests.begin(.prepare(what), for: .prepare(title: what.title, place: keyPlace))
  }

  /// The focused pane and the current tab's position.
  var keyPlace: KeyPlace { KeyPlace(tab: tabs.place, focus: focusedPane) }

  /// The response or answer for which the next frame waits briefly; nil if the frame need not wait.
  package var awaited: Awaited? {
    requests.id(in: .preparation).map { .response($0) } ?? awaitedSearch.map { .answer($0) }
  }

  /// Cancels background work. Returns nil if there is none.
  mutating func giveUpPreparing() -> [Effect]? {
    guard requests.isPending(.preparation) else { return nil }
    notice = .workCanceled
    return requests.cancel(.preparation)
  }

  /// Uses the result of background work: a text to copy or to page, or a deletion to confirm.
  ///
  /// - Parameter place: The tab and the pane that had the focus when the work was requested.
  mutating func use(_ prepared: Prepared, from place: KeyPlace) -> [Effect] {
    notice = nil
    switch prepared {
    case .text(let text, .copying): return [.copy(text)]
    case .text(let text, .outside): return [.page(text)]
    case .failed(let reason): notice = reason
    case .deletion(let deletion):
      // If another pane has the focus by now, keys meant for that pane would answer the question.
      guard prompt == nil, keyPlace == place else { return notify(.deletionAbandoned) }
      ask(deletion)
    }
    return []
  }
}
