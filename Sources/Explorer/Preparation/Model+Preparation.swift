import InstaQL
import Triples

// Work that may take longer than a key press runs in the background, with a notice, and can be
// canceled.
extension Model {
  mutating func prepare(_ what: Preparation) -> [Effect] {
    notice = .working(what.title, rows: nil)
    return requests.begin(.prepare(what), for: .prepare(title: what.title, place: keyPlace))
  }

  /// The focused pane of the current tab.
  var keyPlace: KeyPlace { KeyPlace(tab: tabs.before.count, focus: focusedPane) }

  /// The last request, if its response may arrive at once.
  package var awaited: Awaited? {
    requests.id(in: .preparation).map { .response($0) } ?? awaitedSearch.map { .answer($0) }
  }

  /// Cancels the work in progress; nil if there is none.
  mutating func giveUpPreparing() -> [Effect]? {
    guard requests.isPending(.preparation) else { return nil }
    notice = .workCanceled
    return requests.cancel(.preparation)
  }

  /// Uses the result of the work.
  ///
  /// - Parameter place: The focus when it was requested.
  mutating func use(_ prepared: Prepared, from place: KeyPlace) -> [Effect] {
    notice = nil
    switch prepared {
    case .text(let text, .copying): return [.copy(text)]
    case .text(let text, .outside): return [.page(text)]
    case .failed(let reason): notice = reason
    case .deletion(let deletion):
      // If the focus moved, keys meant for another pane would answer the question.
      guard prompt == nil, keyPlace == place else {
        notice = .deletionAbandoned
        return []
      }
      ask(deletion)
    }
    return []
  }
}
